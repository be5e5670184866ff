"""A secret's file: where it may lie, what becomes of it, and what it is read as."""

import os
import stat
from unittest import mock

from test.agent import support
from test.agent.support import Scratch

from sglang_agent import files, kept, receipts, secret_files
from sglang_agent.answer import AgentError


class Secrets(Scratch):
    def setUp(self):
        super().setUp()
        self.path = self.layout.secrets / "chat-key-1"

    def install(self, raw=b"secret-key\n", path=None):
        return secret_files.install([str(path or self.path)], raw)

    def test_is_all_of_stdin_less_one_line_end(self):
        for raw, held in ((b"a\n", b"a"), (b"a", b"a"), (b"a\n\n", b"a\n"), (b" a \n", b" a "), (b"a\r\n", b"a\r")):
            self.install(raw)
            self.assertEqual(self.path.read_bytes(), held)
        self.assertEqual(stat.S_IMODE(self.path.stat().st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(self.path.parent.stat().st_mode), 0o700)

    def test_says_whether_it_changed_and_where_it_is(self):
        self.assertEqual(self.install(), {"changed": True, "path": str(self.path)})
        self.assertEqual(self.install(), {"changed": False, "path": str(self.path)})

    def test_nothing_is_no_secret(self):
        for raw in (b"", b"\n", b"  \n"):
            with self.assertRaisesRegex(AgentError, "the secret is empty"):
                self.install(raw)
        self.assertFalse(self.path.exists())

    def test_lies_directly_in_the_folder_for_secrets_under_a_plain_name(self):
        top = self.layout.root
        for path in (
            top / "other/key",
            top / "secrets/sub/key",
            top / "secrets/.hidden",
            top / "secrets/a b",
            top / "secrets" / ("a" * 202),
            top / "secrets/../secrets/key",
            "secrets/key",
        ):
            with self.assertRaises(AgentError, msg=str(path)) as told:
                self.install(path=path)
            self.assertEqual(told.exception.code, "secret")
        self.install(path=top / "secrets" / ("a" * 201))

    def test_lies_in_the_root_of_the_agent_that_runs(self):
        agent = self.layout.root / "agent/0123/agent.pyz"
        with mock.patch.object(secret_files.archive, "running_from", return_value=agent):
            self.install()
            with self.assertRaisesRegex(AgentError, f"directly in {self.layout.secrets}, not at"):
                self.install(path=self.folder / "other/secrets/key")
        with mock.patch.object(
            secret_files.archive, "running_from", return_value=self.folder / "jobs/build-a/agent.pyz"
        ):
            self.install()

    def test_takes_one_path(self):
        for words in ([], ["/a/secrets/b", "c"]):
            with self.assertRaisesRegex(AgentError, "exactly one argument"):
                secret_files.install(words, b"x")

    def test_a_folder_that_is_a_link_or_another_users_takes_no_secret(self):
        real = self.folder / "real"
        real.mkdir(mode=0o700)
        self.layout.root.mkdir()
        self.layout.secrets.symlink_to(real)
        with self.assertRaisesRegex(AgentError, "must be a directory of the agent's own user"):
            self.install()
        self.layout.secrets.unlink()
        self.layout.secrets.mkdir(mode=0o700)
        with (
            mock.patch.object(secret_files.os, "geteuid", return_value=os.geteuid() + 1),
            self.assertRaisesRegex(AgentError, "must be a directory of the agent's own user"),
        ):
            self.install()

    def test_goes_and_its_folder_with_the_last(self):
        other = self.layout.secrets / "chat-key-2"
        self.install()
        self.install(path=other)
        self.assertEqual(secret_files.remove([str(self.path)]), {"removed": True})
        self.assertTrue(other.exists())
        self.assertEqual(secret_files.remove([str(self.path)]), {"removed": False})
        secret_files.remove([str(other)])
        self.assertFalse(self.layout.secrets.exists())

    def test_stays_while_a_receipt_names_it_or_a_service_was_started_with_it(self):
        self.install()
        claimed = self.slot()
        receipts.claim(self.layout, "service", claimed, secrets=[str(self.path), None])
        self.assertEqual(secret_files.remove([str(self.path)]), {"removed": False})
        receipts.claim(self.layout, "service", claimed, secrets=[])
        current = self.layout.service("chat") / "current"
        files.make_directory(current)
        example = {**support.example("host/prepare")["service"], **support.example("host/activate")}
        del example["prepared"]
        kept.write(current / "desired.json", {**example, "apiKeyFile": str(self.path)})
        self.assertEqual(secret_files.remove([str(self.path)]), {"removed": False})
        kept.write(current / "desired.json", {**example, "apiKeyFile": str(self.layout.secrets / "chat-key-2")})
        self.assertEqual(secret_files.remove([str(self.path)]), {"removed": True})

    def test_is_read_less_its_line_ends_and_never_shown(self):
        self.install(b" secret-key \n\n")
        self.assertEqual(secret_files.read(str(self.path), "API key"), " secret-key ")
        self.path.write_bytes(b"\xff\xfe")
        with self.assertRaisesRegex(AgentError, f"the API key in {self.path} is not text"):
            secret_files.read(str(self.path), "API key")
        self.path.unlink()
        with self.assertRaisesRegex(AgentError, f"the file of the API key is not there: {self.path}"):
            secret_files.read(str(self.path), "API key")
