"""What the agent does in pods: the staged sources, the parser's verdict, the way back, the words of an error."""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from test.agent.support import AGENT, STANDIN_SERVER

from sglang_agent import contract, files
from sglang_agent.pod import revisions, termination

PROGRAM = "import sys; from sglang_agent.serve import serve; sys.exit(serve(sys.argv[1:]))"


CONTRACT = {"contract": contract.version()}
POD = {
    **CONTRACT,
    "arguments": {"model-path": "/m"},
    "build": "b1b1",
    "endpoint": {"host": "0.0.0.0", "port": 30000},
    "environment": {"HOME": "/tmp"},
    "gate": {
        "concurrency": {"maxTokens": 16, "requests": 4},
        "greedy": [],
        "reasoning": False,
        "sampled": {"maxTokens": 16, "requests": 2, "temperature": 1},
        "servedModelName": "tiny",
        "timeoutSeconds": 20,
        "toolCall": False,
    },
    "generation": "aaaa0001",
    "image": "i1",
    "model": {"path": "/m"},
    "name": "chat",
    "readyPath": "/ready",
    "release": "0.5.17",
    "settingsDigest": "dddd0001",
    "startupBudgetSeconds": 20,
    "stopGraceSeconds": 5,
}


def revision(generation, **changes):
    return {"build": "b1", "generation": generation, "image": "i1", "model": {"path": "/nowhere"}, **changes}


class WayBack(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.model = Path(folder.name)
        files.write_json(self.model / "manifest.json", {"files": []})
        files.write_json(self.model / ".complete", {"files": 0})
        self.no = {"check": "x", "generation": "new1", "reason": "y", "verdict": "no"}
        self.good = revision("old1", model={"path": str(self.model)})

    def chosen(self, verdict, good):
        return revisions.choose(revision("new1"), verdict, good)["generation"]

    def test_the_desired_revision_is_tried_first_and_kept_when_it_is_good(self):
        self.assertEqual(self.chosen(None, self.good), "new1")
        self.assertEqual(self.chosen({**self.no, "verdict": "yes"}, self.good), "new1")

    def test_after_a_no_the_last_good_one_is_started(self):
        self.assertEqual(self.chosen(self.no, self.good), "old1")

    def test_what_this_pod_cannot_run_does_not_come_back(self):
        self.assertEqual(self.chosen(self.no, None), "new1")
        self.assertEqual(self.chosen(self.no, {**self.good, "image": "i0"}), "new1")
        self.assertEqual(self.chosen(self.no, {**self.good, "build": "b0"}), "new1")
        self.assertEqual(self.chosen(self.no, {**self.good, "generation": "new1"}), "new1")
        (self.model / ".complete").unlink()
        self.assertEqual(self.chosen(self.no, self.good), "new1")


class Staging(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        site = self.folder / "site"
        maker = [sys.executable, STANDIN_SERVER / "make-wheel.py", self.folder, "0.5.17"]
        wheel = subprocess.check_output(maker, text=True).strip()
        subprocess.run([sys.executable, "-m", "zipfile", "-e", wheel, site], check=True)
        # The image's python3: isolated, with SGLang among its packages.
        self.python = self.folder / "venv/bin/python"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", self.folder / "venv"], check=True)
        [packages] = (self.folder / "venv/lib").glob("python3.*/site-packages")
        (packages / "image.pth").write_text(f"{site}\n")
        (self.folder / "run").mkdir()

    def stage(self, arguments, plan, *more):
        files.write_json(self.folder / "stage.json", {**CONTRACT, "patches": [], "release": "0.5.17", **plan})
        files.write_json(self.folder / "desired.json", {**POD, "arguments": arguments})
        self.message = self.folder / "message"
        paths = ["--plan", "stage.json", "--desired", "desired.json", "--build", "build", "--run", "run"]
        words = [word if word.startswith("--") else str(self.folder / word) for word in paths]
        done = subprocess.run(
            [self.python, "-c", PROGRAM, "stage", *words, *more],
            capture_output=True,
            env={**os.environ, "PYTHONPATH": str(AGENT), "SGLANG_TERMINATION_FILE": str(self.message)},
            text=True,
        )
        return done.returncode

    def test_a_patched_copy_is_made_and_good_arguments_pass(self):
        text = "--- a/sglang/cli.py\n+++ b/sglang/cli.py\n@@ -1,1 +1,2 @@\n"
        first = (self.folder / "site/sglang/cli.py").read_text().split("\n")[0]
        text += f" {first}\n+PATCHED = True\n"
        digest = hashlib.sha256(text.encode()).hexdigest()
        patch = {"base": "site-packages", "name": "p", "sha256": digest, "stripLevel": 1, "text": text}
        self.assertEqual(self.stage({"model-path": "/m", "tp-size": 8}, {"patches": [patch]}), 0)
        self.assertIn("PATCHED = True", (self.folder / "build/sglang/cli.py").read_text())
        self.assertNotIn("PATCHED", (self.folder / "site/sglang/cli.py").read_text())
        self.assertFalse((self.folder / "run/verdict.json").exists())

    def test_arguments_that_the_parser_refuses_are_a_no(self):
        self.assertEqual(self.stage({"model-path": "/m", "tp-sise": 8}, {}), 0)
        verdict = json.loads((self.folder / "run/verdict.json").read_text())
        self.assertEqual((verdict["verdict"], verdict["check"], verdict["generation"]), ("no", "arguments", "aaaa0001"))
        self.assertIn("--tp-sise", verdict["reason"])

    def test_arguments_that_the_parser_refuses_end_what_comes_before_a_change(self):
        self.assertEqual(self.stage({"model-path": "/m", "tp-size": 8}, {}, "--ahead"), 0)
        self.assertEqual(self.stage({"model-path": "/m", "tp-sise": 8}, {}, "--ahead"), 1)
        self.assertIn("the release's own parser refuses: ", self.message.read_text())
        self.assertIn("--tp-sise", self.message.read_text())
        self.assertFalse((self.folder / "run/verdict.json").exists())

    def test_a_parser_that_needs_what_only_the_servers_pod_has_is_left_to_it(self):
        (self.folder / "site/sglang/srt/server_args.py").write_text("raise OSError('libcuda.so.1: no such file')\n")
        self.assertEqual(self.stage({"model-path": "/m"}, {}, "--ahead"), 0)
        self.assertEqual(self.stage({"model-path": "/m"}, {}), 1)
        self.assertIn("libcuda.so.1", self.message.read_text())

    def test_another_tree_and_another_release_are_refused_in_words(self):
        self.assertEqual(self.stage({"model-path": "/m"}, {"treeSha256": "0" * 64}), 1)
        self.assertIn("the lock says " + "0" * 64, self.message.read_text())
        self.assertEqual(self.stage({"model-path": "/m"}, {"release": "0.5.23"}), 1)
        self.assertIn("this image has SGLang 0.5.17, the build says 0.5.23", self.message.read_text())


class Words(unittest.TestCase):
    def test_a_refusal_has_the_servers_last_lines_or_the_evidence(self):
        no = {"check": "start", "generation": "aaaa0001", "reason": "the server ended before it was up"}
        told = termination.refusal({**no, "evidence": {"log": ["NCCL error: unhandled system error"]}})
        self.assertIn("the gate said no to aaaa0001: start: the server ended before it was up\nNCCL error", told)
        self.assertIn("before it was up; killed\n", termination.refusal(no, "; killed"))
        self.assertIn('{"status": 500}', termination.refusal({**no, "evidence": {"status": 500}}))

    def test_the_last_error_is_told_also_where_other_lines_came_after_it(self):
        error = "torch.AcceleratorError: CUDA error: device-side assert triggered"
        log = [error, *(f"line {number}" for number in range(20))]
        self.assertEqual(termination.last_words(log).split("\n")[:3], [error, "…", "line 8"])
        self.assertEqual(termination.last_words(log[-5:]), "\n".join(log[-5:]))
