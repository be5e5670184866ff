"""Only its owner takes a thing away, at the generation that it was claimed for; and what a generation is."""

import os
import stat
import unittest
from pathlib import Path
from unittest import mock

from test.agent.support import Scratch

from sglang_agent import files, generation, receipts, remove
from sglang_agent.answer import AgentError
from sglang_agent.redact import Redactor


class Receipts(Scratch):
    def owned(self, **changes):
        return receipts.owned(self.layout, "service", self.slot(**changes)) is not None

    def test_a_slot_is_owned_by_its_stack_at_its_generation(self):
        self.assertFalse(self.owned())
        receipts.claim(self.layout, "service", self.slot())
        self.assertTrue(self.owned())
        self.assertFalse(self.owned(owner="lab/b"))
        self.assertFalse(self.owned(generation="gen2"))

    def test_until_a_generation_has_settled_the_one_before_it_is_owned_too(self):
        receipts.claim(self.layout, "service", self.slot())
        receipts.settle(self.layout, "service", self.slot())
        receipts.claim(self.layout, "service", self.slot(generation="gen2"))
        self.assertTrue(self.owned(generation="gen1") and self.owned(generation="gen2"))
        self.assertFalse(receipts.settled(self.layout, "service", self.slot(generation="gen2")))
        self.assertFalse(receipts.settled(self.layout, "service", self.slot(generation="gen1")))
        receipts.settle(self.layout, "service", self.slot(generation="gen2"))
        self.assertTrue(receipts.settled(self.layout, "service", self.slot(generation="gen2")))
        self.assertFalse(self.owned(generation="gen1"))

    def test_what_was_claimed_for_the_host_under_another_name_is_claimed_again(self):
        receipts.claim(self.layout, "build", self.slot())
        receipts.settle(self.layout, "build", self.slot())
        self.assertTrue(receipts.settled(self.layout, "build", self.slot()))
        self.assertFalse(receipts.settled(self.layout, "build", self.slot(place="rack2 192.0.2.11")))

    def test_a_service_of_another_stack_is_not_taken_over(self):
        receipts.claim(self.layout, "service", self.slot())
        with self.assertRaisesRegex(AgentError, "belongs to stack 'lab/a', not to 'lab/b'"):
            receipts.claim(self.layout, "service", self.slot(owner="lab/b"))
        self.assertTrue(self.owned())

    def test_what_is_named_by_its_content_may_be_of_several_stacks(self):
        for owner in ("lab/a", "lab/b"):
            receipts.claim(self.layout, "build", self.slot(owner=owner))
        found = list(receipts.every(self.layout, "build"))
        self.assertEqual(sorted(one["owner"] for one in found), ["lab/a", "lab/b"])
        mine = next(one for one in found if one["owner"] == "lab/a")
        self.assertEqual([one["owner"] for one in receipts.others(self.layout, mine)], ["lab/b"])
        receipts.drop(self.layout, mine)
        self.assertEqual([one["owner"] for one in receipts.every(self.layout, "build")], ["lab/b"])

    def test_every_generation_that_was_claimed_is_remembered_once(self):
        for wanted in ("gen1", "gen1", "gen2", "gen1", "gen3"):
            receipts.claim(self.layout, "build", self.slot(generation=wanted))
        [found] = receipts.every(self.layout, "build")
        self.assertEqual((found["generation"], found["history"]), ("gen3", ["gen1", "gen2"]))

    def test_a_receipt_is_for_root_alone(self):
        receipts.claim(self.layout, "service", self.slot())
        [path] = self.layout.receipts.iterdir()
        modes = [stat.S_IMODE(one.stat().st_mode) for one in (path, self.layout.receipts)]
        self.assertEqual(modes, [0o600, 0o700])


class Removal(Scratch):
    def remove(self, **changes):
        wanted = self.slot(root=str(self.layout.root), **changes)
        return remove.remove(wanted, "model")["removed"]

    def claim(self, owner, paths, retention):
        for path in paths:
            receipts.claim(self.layout, "model", self.slot(owner), snapshot=Path(path), retention=retention)

    def setUp(self):
        super().setUp()
        self.snapshot = files.make_directory(self.layout.root / "models/owner--name/0123")

    def test_of_what_is_anothers_or_newer_does_nothing_and_is_no_failure(self):
        self.assertFalse(self.remove())
        self.claim("lab/a", [str(self.snapshot)], "Purge")
        for changes in ({"owner": "lab/b"}, {"generation": "gen0"}):
            self.assertFalse(self.remove(**changes))
        self.assertTrue(self.snapshot.exists())

    def test_of_a_model_takes_its_files_only_where_the_stack_says_so(self):
        self.claim("lab/a", [str(self.snapshot)], "Retain")
        self.assertTrue(self.remove())
        self.assertTrue(self.snapshot.exists())
        self.claim("lab/a", [str(self.snapshot)], "Purge")
        self.assertTrue(self.remove())
        self.assertFalse(self.snapshot.parent.exists())

    def test_of_a_model_that_another_stack_has_too_leaves_its_files(self):
        for owner in ("lab/a", "lab/b"):
            self.claim(owner, [str(self.snapshot)], "Purge")
        self.assertTrue(self.remove())
        self.assertTrue(self.snapshot.exists())
        self.assertTrue(self.remove(owner="lab/b"))
        self.assertFalse(self.snapshot.exists())


class Generations(Scratch):
    def setUp(self):
        super().setUp()
        self.wanted = {
            "name": "chat",
            "generation": "gen1",
            "arguments": {"tp-size": 8},
            "environment": {"B": 'a "b" $c `d` \\e', "A": "1"},
            "unit": "[Unit]\nDescription=x\n",
        }
        patched = mock.patch.object(generation.archive, "content", return_value=b"agent")
        patched.start()
        self.addCleanup(patched.stop)
        control = mock.patch.object(generation.systemd, "control")
        self.control = control.start()
        self.addCleanup(control.stop)
        self.folder = self.layout.generation("chat", "gen1")

    def test_has_everything_that_a_start_needs_and_keeps_the_environment_to_root(self):
        generation.stage(self.layout, self.wanted)
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in self.folder.iterdir()}
        self.assertEqual(
            modes,
            {"agent.pyz": 0o644, "arguments.json": 0o644, "desired.json": 0o644, "environment": 0o600, "unit": 0o644},
        )
        self.assertEqual((self.folder / "unit").read_text(), "[Unit]\nDescription=x\n")

    def test_says_what_it_is_last(self):
        written = []
        real = files.write
        with mock.patch.object(files, "write", lambda path, *rest: (written.append(path.name), real(path, *rest))):
            generation.stage(self.layout, self.wanted)
        self.assertEqual(written[-1], "desired.json")

    def test_quotes_its_environment_as_systemd_reads_it(self):
        text = generation.environment_file(self.wanted["environment"])
        self.assertEqual(text, 'A="1"\nB="a \\"b\\" \\$c \\`d\\` \\\\e"\n')

    def test_is_up_to_date_only_with_every_file_and_the_unit_that_systemd_knows(self):
        generation.stage(self.layout, self.wanted)
        self.assertFalse(generation.up_to_date(self.layout, self.wanted))
        generation.install(self.layout, "chat", "gen1")
        self.assertTrue(generation.up_to_date(self.layout, self.wanted))
        for path in [*self.folder.iterdir(), self.layout.unit_file("chat")]:
            before = path.read_bytes()
            path.write_bytes(before + b"x")
            self.assertFalse(generation.up_to_date(self.layout, self.wanted), path.name)
            path.write_bytes(before)

    def test_is_installed_as_the_current_one_and_told_to_systemd(self):
        generation.stage(self.layout, self.wanted)
        generation.install(self.layout, "chat", "gen1")
        self.assertEqual(generation.current(self.layout, "chat"), "gen1")
        self.assertEqual(self.layout.unit_file("chat").read_text(), "[Unit]\nDescription=x\n")
        self.control.assert_called_once_with("daemon-reload")

    def test_stays_while_it_serves_or_served_last(self):
        for name in ("gen1", "gen2", "gen3"):
            files.make_directory(self.layout.generation("chat", name))
        generation.point(self.layout, "chat", generation.CURRENT, "gen3")
        generation.point(self.layout, "chat", generation.PREVIOUS, "gen2")
        generation.prune(self.layout, "chat")
        self.assertEqual(sorted(os.listdir(self.layout.service("chat"))), ["current", "gen2", "gen3", "previous"])
        generation.point(self.layout, "chat", generation.PREVIOUS, None)
        self.assertIsNone(generation.previous(self.layout, "chat"))


class Redaction(unittest.TestCase):
    def test_hides_a_secret_of_eight_characters_and_no_shorter_one(self):
        for secret, expected in (("12345678", b"<***>"), ("1234567", b"<1234567>")):
            redactor = Redactor([secret])
            self.assertEqual(redactor.feed(f"<{secret}>".encode()) + redactor.end(), expected)

    def test_hides_the_longer_of_two_secrets_whole(self):
        redactor = Redactor(["secret-key", "secret-key-of-the-admin"])
        self.assertEqual(redactor.feed(b"secret-key-of-the-admin secret-key ") + redactor.end(), b"*** *** ")

    def test_hides_a_secret_that_comes_byte_by_byte(self):
        redactor = Redactor(["secret-key"])
        passed = b"".join(redactor.feed(bytes([one])) for one in b"a secret-key, secret-kez") + redactor.end()
        self.assertEqual(passed, b"a ***, secret-kez")
