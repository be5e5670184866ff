"""Asking the hub: with which token, which Python and which names, and which failures may pass."""

import io
import json
import os
import sys
from types import ModuleType, SimpleNamespace
from unittest import mock

from test.agent.support import Scratch

from sglang_agent import files, hub, hub_client
from sglang_agent.answer import AgentError


class Hub(Scratch):
    def setUp(self):
        super().setUp()
        self.scratch = files.make_directory(self.folder / "scratch")
        self.ran = []
        self.put(
            hub,
            "run",
            lambda argv, log, what, code, environment, **more: self.ran.append((argv, what, environment, more)),
        )

    def client(self, **more):
        desired = {
            "root": str(self.layout.root),
            "repository": "org/tiny",
            "revision": "c" * 40,
            "client": {"python": "/usr/bin/python3"},
            **more,
        }
        return hub.Client(desired, None)

    def test_a_download_names_each_file_by_itself(self):
        self.client().download(self.folder / "snapshot", ["a[1].json", "b*?.bin"], self.scratch)
        [(argv, what, environment, more)] = self.ran
        self.assertEqual(argv, ["/usr/bin/python3", "-I", str(self.scratch / "hub_client.py")])
        self.assertEqual(what, f"downloading org/tiny at {'c' * 12} from https://huggingface.co")
        task = json.loads(more["stdin"])
        self.assertEqual((task["do"], task["revision"]), ("download", "c" * 40))
        self.assertEqual(task["paths"], ["a[[]1].json", "b[*][?].bin"])
        self.assertEqual(task["folder"], str(self.folder / "snapshot"))
        self.assertEqual((environment["HF_HOME"], environment["TMPDIR"]), (f"{self.scratch}/home", str(self.scratch)))

    def test_a_list_is_what_the_client_wrote(self):
        (self.scratch / "listing.json").write_text('{"files": [{"path": "a", "size": 1}]}')
        self.assertEqual(self.client().listing(self.scratch), [{"path": "a", "size": 1}])
        self.assertEqual(json.loads(self.ran[0][3]["stdin"])["do"], "list")

    def test_the_stacks_token_goes_by_its_file_and_nobody_elses_is_used(self):
        token = self.folder / "token"
        with self.assertRaisesRegex(AgentError, "hub token is not there"):
            self.client(tokenFile=str(token))
        token.write_text("hf_secret\n")
        environment = self.client(tokenFile=str(token)).environment
        self.assertEqual(environment["HF_TOKEN_PATH"], str(token))
        self.assertNotIn("HF_HUB_DISABLE_IMPLICIT_TOKEN", environment)
        environment = self.client().environment
        self.assertEqual(environment["HF_HUB_DISABLE_IMPLICIT_TOKEN"], "1")
        self.assertNotIn("HF_TOKEN_PATH", environment)

    def test_another_hub_is_asked_where_the_stack_names_one(self):
        environment = self.client(endpoint="https://mirror.example").environment
        self.assertEqual(environment["HF_ENDPOINT"], "https://mirror.example")
        self.assertEqual((environment["HF_HUB_DOWNLOAD_TIMEOUT"], environment["HF_HUB_DISABLE_TELEMETRY"]), ("60", "1"))

    def test_the_client_is_a_builds_one_that_is_given_or_one_of_its_own(self):
        with mock.patch.object(hub.build, "receipt_of") as receipt:
            python = self.client(client={"build": "bbbb0001"}).python
        receipt.assert_called_once()
        self.assertEqual(python, str(self.layout.build("bbbb0001") / "venv/bin/python"))
        self.assertEqual(self.client(client={"python": "/opt/python"}).python, "/opt/python")
        with mock.patch.object(hub, "_own", return_value="/own") as own:
            self.assertEqual(self.client(client={"version": "1.3", "python": "3.11"}).python, "/own")
        own.assert_called_once()
        with self.assertRaisesRegex(AgentError, "expected `build`, `version` or `python`"):
            self.client(client={})

    def own(self, **client):
        made = []

        def create(path, interpreter, log, environment):
            files.make_directory(path)
            made.append(interpreter)
            return str(path / "bin/python")

        with (
            mock.patch.object(hub.pythons, "find", lambda wanted: wanted),
            mock.patch.object(hub.venvs, "create", create),
            mock.patch.object(hub.venvs, "install_locked") as locked,
            mock.patch.object(hub.venvs, "install") as install,
            mock.patch.object(hub.venvs, "imports") as self.imports,
        ):
            self.imports.side_effect = client.pop("fails", None)
            python = hub._own(self.layout, {"version": "1.33.0", **client}, None)
        return python, made, locked.called, install.call_args and install.call_args.args[1]

    def test_its_own_client_is_made_once_of_its_version_or_its_lock(self):
        python = str(self.layout.hub_clients / "1.33.0/bin/python")
        self.assertEqual(self.own(), (python, [sys.executable], False, ["huggingface_hub==1.33.0"]))
        self.assertEqual(self.own(), (python, [], False, None))
        files.remove(self.layout.hub_clients)
        self.assertEqual(self.own(python="3.11", lock=[{}]), (python, ["3.11"], True, None))

    def test_half_a_client_is_made_anew_and_one_that_fails_is_not_left(self):
        files.write(self.layout.hub_clients / "1.33.0/bin/python", "half")
        with self.assertRaises(AgentError):
            self.own(fails=AgentError("import", "no module"))
        self.assertFalse((self.layout.hub_clients / "1.33.0").exists())
        self.assertEqual(len(self.own()[1]), 1)


class Client(Scratch):
    """The program that runs with the hub's own library, here with one that is made up."""

    def setUp(self):
        super().setUp()
        self.waits = []
        self.put(hub_client.time, "sleep", self.waits.append)
        self.put(hub_client.sys, "stderr", io.StringIO())
        self.library = ModuleType("huggingface_hub")
        patched = mock.patch.dict(sys.modules, {"huggingface_hub": self.library})
        patched.start()
        self.addCleanup(patched.stop)

    def download(self, *outcomes):
        left = list(outcomes)

        def snapshot_download(repository, **given):
            self.given = given
            outcome = left.pop(0)
            if isinstance(outcome, Exception):
                raise outcome
            return outcome

        self.library.snapshot_download = snapshot_download
        task = {"repository": "org/tiny", "revision": "c1", "folder": "/f", "paths": ["a"], "workers": 8}
        return hub_client.download(task)

    def failure(self, status=None):
        error = RuntimeError("it\n  broke")
        if status:
            error.response = SimpleNamespace(status_code=status)
        return error

    def test_what_may_pass_is_tried_again_after_a_while(self):
        for status in (None, 429, 500, 503):
            self.waits.clear()
            self.assertEqual(self.download(self.failure(status), self.failure(status), "/f"), "/f")
            self.assertEqual(self.waits, [1, 4], status)

    def test_an_answer_of_the_hub_is_not_asked_for_again(self):
        for status in (401, 403, 404, 499):
            with self.assertRaises(RuntimeError):
                self.download(self.failure(status))
        self.assertEqual(self.waits, [])

    def test_four_failures_are_enough(self):
        with self.assertRaises(RuntimeError):
            self.download(*[self.failure()] * 4)
        self.assertEqual(self.waits, [1, 4, 10])

    def test_only_the_files_that_are_asked_for_of_that_revision(self):
        self.download("/f")
        self.assertEqual(self.given, {"revision": "c1", "local_dir": "/f", "allow_patterns": ["a"], "max_workers": 8})

    def test_a_list_has_each_file_by_the_hash_that_the_hub_has_of_it(self):
        siblings = [
            SimpleNamespace(rfilename="a", size=1, blob_id="b1", lfs=None),
            SimpleNamespace(rfilename="b", size=2, blob_id="b2", lfs={"sha256": "s2"}),
            SimpleNamespace(rfilename="c", size=3, blob_id="b3", lfs=SimpleNamespace(sha256="s3")),
        ]
        info = mock.Mock(return_value=SimpleNamespace(siblings=siblings))
        self.library.HfApi = lambda: SimpleNamespace(model_info=info)
        found = hub_client.listing({"repository": "org/tiny", "revision": "c1"})
        self.assertEqual(
            found,
            [
                {"gitBlob": "b1", "path": "a", "size": 1},
                {"sha256": "s2", "path": "b", "size": 2},
                {"sha256": "s3", "path": "c", "size": 3},
            ],
        )
        info.assert_called_once_with("org/tiny", revision="c1", files_metadata=True)

    def main(self, task):
        self.put(hub_client.sys, "stdin", io.StringIO(json.dumps(task)))
        out = self.put(hub_client.sys, "stdout", io.StringIO())
        return hub_client.main(), out.getvalue()

    def test_a_failure_is_one_line_on_stderr(self):
        with mock.patch.object(hub_client, "download", side_effect=self.failure(401)):
            self.assertEqual(self.main({"do": "download"}), (1, ""))
        self.assertEqual(hub_client.sys.stderr.getvalue(), "RuntimeError: it broke\n")

    def test_does_what_it_is_told(self):
        with mock.patch.object(hub_client, "listing", return_value=[]):
            self.assertEqual(self.main({"do": "list"}), (0, '{"files": []}\n'))
        with mock.patch.object(hub_client, "download", return_value="/f"):
            self.assertEqual(self.main({"do": "download"}), (0, f'{{"done": "/f"}}{os.linesep}'))
