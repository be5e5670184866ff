"""A build: complete or not there, from a wheel or from git, patched, checked against the lock."""

import json
import subprocess

from test.agent.support import AgentTest, Index, own_python, patch, quick_python
from test.agent.test_contract import PART, SHORT

SERVER_ARGS = """class ServerArgs:
    @staticmethod
    def add_cli_args(parser):
        parser.add_argument("--model-path")
        parser.add_argument("--fp4-gemm-backend", choices=["flashinfer_cudnn", "flashinfer_cutlass"])
"""
FILES = {"sglang/__init__.py": "import torch\n", "sglang/srt/__init__.py": "", "sglang/srt/server_args.py": SERVER_ARGS}
PATCH = """--- a/sglang/srt/server_args.py
+++ b/sglang/srt/server_args.py
@@ -3,3 +3,4 @@
     def add_cli_args(parser):
         parser.add_argument("--model-path")
         parser.add_argument("--fp4-gemm-backend", choices=["flashinfer_cudnn", "flashinfer_cutlass"])
+        parser.add_argument("--patched", action="store_true")
"""


class Build(AgentTest):
    def setUp(self):
        super().setUp()
        self.index = Index(self.top / "index")
        self.index.add("sglang", "0.5.17", FILES)
        self.index.add("packaging", "24.0", {"packaging/__init__.py": ""})

    def wheel(self, generation="bbbb0001", **fields):
        source = {"kind": "wheel", "requirement": "sglang==0.5.17"}
        return self.build_of(source, generation, **fields)

    def build_of(self, source, generation="bbbb0001", **fields):
        document = self.desired(
            generation=generation,
            release="0.5.17",
            source=source,
            python=quick_python(),
            patches=[],
            dependencies="parser-only",
            lock=self.index.lock,
            indexUrl=self.index.url,
            diskBytes=1,
            keep=2,
        )
        return {**document, **fields}

    def built(self, generation="bbbb0001"):
        return self.root / "builds" / generation

    def receipt(self, generation="bbbb0001"):
        return json.loads((self.built(generation) / "receipt.json").read_text())

    def test_a_wheel_with_a_patch(self):
        answer = self.succeed("build", self.wheel(patches=[patch("sm120.patch", PATCH)]))
        self.assertEqual(answer, {"changed": True, "path": str(self.built())})
        receipt = self.receipt()
        self.assertTrue(receipt["complete"])
        with open(receipt["package"] + "/srt/server_args.py") as patched:
            self.assertIn("--patched", patched.read())
        before = {path: path.stat().st_mtime_ns for path in self.root.rglob("*") if "log" not in path.parts}
        again = self.succeed("build", self.wheel(patches=[patch("sm120.patch", PATCH)]))
        self.assertFalse(again["changed"])
        self.assertEqual(
            before, {path: path.stat().st_mtime_ns for path in self.root.rglob("*") if "log" not in path.parts}
        )

    def test_scripts_name_their_final_place(self):
        self.succeed("build", self.wheel(python=own_python()))
        for path in (self.built() / "venv/bin").iterdir():
            if not path.is_symlink():
                self.assertNotIn(b".staging", path.read_bytes(), path)
        pip = subprocess.run([str(self.built() / "venv/bin/pip"), "--version"], capture_output=True)
        self.assertIn(str(self.built()), pip.stdout.decode())

    def test_the_hash_of_the_patched_tree_is_the_one_in_the_lock(self):
        self.succeed("build", self.wheel(patches=[patch("a.patch", PATCH)]))
        expected = self.receipt()["treeSha256"]
        self.succeed("build", self.wheel("bbbb0002", patches=[patch("a.patch", PATCH)], treeSha256=expected))
        error = self.fail_with("tree", "build", self.wheel("bbbb0003", treeSha256=expected))
        self.assertIn(expected, error["message"])
        self.assertFalse(self.built("bbbb0003").exists())

    def test_a_failed_build_leaves_nothing_and_the_one_before_it_alone(self):
        self.succeed("build", self.wheel())
        before = self.tree()
        broken = {
            "patch": self.wheel("bbbb0002", patches=[patch("a.patch", PATCH.replace("model-path", "model"))]),
            "install": self.wheel(
                "bbbb0002", lock=[{**entry, "hashes": ["sha256:" + "0" * 64]} for entry in self.index.lock]
            ),
            "lock": self.wheel("bbbb0002", lock=[{**entry, "version": "1"} for entry in self.index.lock]),
            "no-space": self.wheel("bbbb0002", diskBytes=10**18),
            "no-interpreter": self.wheel("bbbb0002", python="3.99"),
        }
        for code, document in broken.items():
            with self.subTest(code):
                error = self.fail_with(code, "build", document)
                self.assertTrue(error["log"].endswith(".log"))
                self.assertEqual(self.tree(), before)

    def test_space_is_told_in_bytes(self):
        message = self.fail_with("no-space", "build", self.wheel(diskBytes=10**18))["message"]
        self.assertRegex(
            message, r"needs 931322574\.6 GiB \(1000000000000000000 bytes\) .*, [0-9.]+ GiB \([0-9]+ bytes\) are free"
        )

    def test_a_package_that_prints_progress_without_line_ends(self):
        loud = 'import sys\nsys.stdout.write("\\r".join(["%d%%" % n for n in range(60000)]))\n'
        loud += 'raise SystemExit("fatal: no")\n'
        self.index.add("sglang", "0.5.17", {**FILES, "sglang/srt/server_args.py": loud})
        error = self.fail_with("import", "build", self.wheel(lock=self.index.lock))
        self.assertLess(len(json.dumps(error)), 8000)

    def test_the_last_builds_are_kept_and_those_in_use(self):
        for number in (1, 2, 3):
            self.succeed("build", self.wheel(f"bbbb000{number}"))
        self.assertFalse(self.built("bbbb0001").exists())
        self.assertTrue(self.built("bbbb0002").exists())
        service = self.root / "services/chat/gen"
        service.mkdir(parents=True)
        document = {**self.desired(name="chat"), **SHORT, **PART, "build": "bbbb0002"}
        (service / "desired.json").write_text(json.dumps(document))
        (service.parent / "current").symlink_to("gen")
        self.succeed("build", self.wheel("bbbb0004"))
        self.succeed("build", self.wheel("bbbb0005"))
        self.assertTrue(self.built("bbbb0002").exists())
        self.assertFalse(self.built("bbbb0003").exists())

    def test_removal_takes_what_the_receipt_names_at_that_generation(self):
        self.succeed("build", self.wheel("bbbb0001"))
        self.succeed("build", self.wheel("bbbb0002"))
        self.assertFalse(self.succeed("remove", self.wheel("bbbb0001"), "build")["removed"])
        self.assertTrue(self.built("bbbb0002").exists())
        other = {**self.wheel("bbbb0002"), "owner": "else/where"}
        self.assertFalse(self.succeed("remove", other, "build")["removed"])
        self.assertTrue(self.succeed("remove", self.wheel("bbbb0002"), "build")["removed"])
        self.assertFalse(self.built("bbbb0001").exists() or self.built("bbbb0002").exists())
        self.assertFalse(self.succeed("remove", self.wheel("bbbb0002"), "build")["removed"])

    def test_after_a_failed_build_the_stack_can_still_remove_the_one_it_knows(self):
        self.succeed("build", self.wheel("bbbb0001"))
        self.fail_with("no-space", "build", self.wheel("bbbb0002", diskBytes=10**18))
        self.assertTrue(self.succeed("remove", self.wheel("bbbb0001"), "build")["removed"])
        self.assertFalse(self.built("bbbb0001").exists())

    def test_two_stacks_share_a_build_of_one_name_and_the_last_one_takes_it_along(self):
        self.succeed("build", self.wheel())
        theirs = {**self.wheel(), "owner": "else/where"}
        self.assertFalse(self.succeed("build", theirs)["changed"])
        self.succeed("remove", self.wheel(), "build")
        self.assertTrue(self.built().exists())
        self.succeed("remove", theirs, "build")
        self.assertFalse(self.built().exists())

    def test_git_at_a_commit(self):
        commit = self.upstream()
        source = {"kind": "git", "repository": str(self.top / "upstream"), "commit": commit, "subdirectory": "python"}
        text = PATCH.replace("a/sglang", "a/python/sglang").replace("b/sglang", "b/python/sglang")
        self.succeed("build", self.build_of(source, patches=[patch("a.patch", text, base="repository")]))
        self.assertEqual(self.receipt()["package"], str(self.built() / "source/python/sglang"))
        where = subprocess.run(
            [
                str(self.built() / "venv/bin/python"),
                "-I",
                "-c",
                "import sglang.srt.server_args as s; print(s.__file__)",
            ],
            capture_output=True,
        )
        self.assertIn("No module named 'torch'", where.stderr.decode())  # found, and only its dependency is missing
        wrong = {**source, "commit": "0" * 40}
        self.fail_with("git", "build", self.build_of(wrong, "bbbb0002"))
        self.assertFalse(self.built("bbbb0002").exists())

    def upstream(self):
        place = self.top / "upstream"
        for path, text in FILES.items():
            (place / "python" / path).parent.mkdir(parents=True, exist_ok=True)
            (place / "python" / path).write_text(text)
        git = [
            "git",
            "-C",
            str(place),
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.org",
            "-c",
            "init.defaultBranch=main",
        ]
        for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
            subprocess.run([*git, *words], check=True)
        commit = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True).stdout.decode().strip()
        (place / "python/sglang/later.py").write_text("")
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "-qm", "two"], check=True)
        return commit
