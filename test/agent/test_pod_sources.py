"""The copy of the image's SGLang, patched, and its parser's judgement."""

import json
from types import SimpleNamespace
from unittest import mock

from test.agent.support import Scratch

from sglang_agent import files
from sglang_agent.answer import AgentError
from sglang_agent.pod import revisions, stage


class Sources(Scratch):
    """The copy of the image's SGLang."""

    def setUp(self):
        super().setUp()
        self.image = self.folder / "site/sglang"
        for name in ("a.py", "sub/b.py", "__pycache__/a.pyc", "data.json"):
            files.write(self.image / name, name)
        self.build = self.folder / "build"

    def copy(self, version="0.5.17", folder="", release="0.5.17"):
        found = (str(self.image) if folder == "" else folder, version)
        with mock.patch.object(stage, "_installed", return_value=found):
            return stage._copy({"release": release, "patches": []}, self.build)

    def test_has_everything_but_what_python_compiled(self):
        package = self.copy()
        self.assertEqual([str(path) for path in files.walk_files(package)], ["a.py", "data.json", "sub/b.py"])
        self.assertEqual(package, self.build / "sglang")

    def test_is_made_anew_after_a_run_that_was_interrupted(self):
        files.write(self.build / "sglang/of-before.py", "x")
        self.assertFalse((self.copy() / "of-before.py").exists())

    def test_an_image_of_another_release_or_without_sglang_is_refused(self):
        with self.assertRaisesRegex(AgentError, "this image has SGLang 0.5.18, the build says 0.5.17"):
            self.copy("0.5.18")
        with self.assertRaisesRegex(AgentError, "has no package sglang"):
            self.copy(None, None)

    def test_of_a_commit_or_without_a_version_nothing_is_asked(self):
        self.copy("0.5.18", release="")
        self.copy(None)

    def judge(self, done):
        files.make_directory(self.folder / "run")
        with mock.patch.object(stage.subprocess, "run", return_value=done) as self.ran:
            stage._judge({"arguments": {"tp-size": 8}, "generation": "gen1"}, self.build, self.folder / "run")
        return files.read_json(self.folder / "run" / revisions.VERDICT)

    def test_arguments_are_judged_by_the_patched_parser(self):
        done = SimpleNamespace(returncode=0, stdout=b'[{"problems": []}]', stderr=b"")
        self.assertIsNone(self.judge(done))
        words, given = self.ran.call_args
        self.assertEqual(words[0][-3:], ["check", "--package", str(self.build)])
        self.assertEqual(json.loads(given["input"]), [["--tp-size", "8"]])

    def test_a_refusal_is_a_no_that_names_each_argument(self):
        problems = [{"argument": "--a", "message": "one"}, {"argument": "--b", "message": "two"}]
        done = SimpleNamespace(returncode=0, stdout=json.dumps([{"problems": problems}]).encode(), stderr=b"")
        found = self.judge(done)
        self.assertEqual((found["verdict"], found["generation"], found["passed"]), ("no", "gen1", 0))
        self.assertEqual(found["reason"], "the release's own parser refuses: --a: one; --b: two")

    def test_a_parser_that_does_not_run_is_a_failure_and_no_verdict(self):
        done = SimpleNamespace(returncode=1, stdout=b"", stderr=b"ImportError: x\n")
        with self.assertRaisesRegex(AgentError, "the parser of this image cannot be run: ImportError: x"):
            self.judge(done)
        self.assertFalse((self.folder / "run" / revisions.VERDICT).exists())
