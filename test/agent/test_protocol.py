"""Every verb: stdin read whole, one line of JSON out, one error naming every mistake, nothing of stdin on the way."""

import json
import os
import stat

from test.agent.support import AgentTest

from sglang_agent import contract

ASKED = {"contract": contract.version()}
SECRET = "hf_abcDEF0123456789-'\"$x"


class Protocol(AgentTest):
    def test_every_mistake_is_named_at_once(self):
        document = self.desired(
            release="0.5.17",
            source={"kind": "git", "repository": "/x", "commit": "main"},
            python="three",
            patches=[{"name": "a", "sha256": "1", "stripLevel": 1, "base": "somewhere", "text": ""}],
            dependencies="some",
            colour="red",
        )
        document["name"] = "Black Well"
        message = self.fail_with("desired-state", "build", document)["message"]
        self.assertIn("there are 7 mistakes", message)
        for expected in (
            'name: expected a name of lower-case letters, digits and dashes (at most 50), got "Black Well"',
            'source.commit: expected 40 hexadecimal digits, got "main"',
            'python: expected a Python version such as 3.11, or an absolute path, got "three"',
            "patches[0].sha256: expected a sha256",
            "patches[0].base: expected site-packages or repository",
            'dependencies: expected full or parser-only, got "some"',
            "colour: unknown key; known here: contract, dependencies,",
        ):
            self.assertIn(expected, message)

    def test_a_missing_key_and_broken_json(self):
        message = self.fail_with("desired-state", "install", {**ASKED, "root": "/x", "name": "a"})["message"]
        self.assertIn("owner: missing", message)
        self.assertIn("not a JSON document", self.fail_with("desired-state", "facts", b"{")["message"])

    def test_a_path_may_not_climb(self):
        self.assertIn(
            "root: expected an absolute path",
            self.fail_with("desired-state", "status", {**ASKED, "root": "/opt/../etc", "name": "a"})["message"],
        )

    def test_an_unknown_verb_names_the_known_ones(self):
        self.assertIn("activate, build", self.fail_with("usage", "deploy", {})["message"])

    def test_a_fault_of_the_machine_is_one_line(self):
        (self.root / "receipts").write_text("not a folder")
        error = self.fail_with("internal", "install", self.desired(generation="0123abcd"))
        self.assertIn("install: NotADirectoryError", error["message"])

    def test_facts(self):
        facts = self.succeed("facts", ASKED)
        self.assertEqual(facts["schema"], 1)
        self.assertEqual(set(facts["os"]), {"id", "kernel", "version"})
        self.assertGreater(facts["memoryBytes"], 0)
        self.assertIn("/", [disk["mount"] for disk in facts["disks"]])
        self.assertIn(facts["iommu"], ("off", "passthrough", "on", "unknown"))

    def test_facts_of_cards(self):
        tools = self.top / "tools"
        tools.mkdir()
        (tools / "nvidia-smi").write_text(NVIDIA_SMI)
        (tools / "nvidia-smi").chmod(0o755)
        facts = self.succeed("facts", ASKED, PATH=f"{tools}:{self.environment['PATH']}")
        card = {
            "index": 0, "name": "NVIDIA RTX PRO 6000 Blackwell", "uuid": "GPU-a", "busId": "00000000:01:00.0",
            "memoryMiB": 97887, "computeCapability": "12.0", "powerLimitWatts": 600,
            "powerMinWatts": 300, "powerMaxWatts": 600, "usedBy": [4242],
        }  # fmt: skip
        self.assertEqual(facts["gpus"], [card])
        self.assert_answer("facts", facts)
        self.assertEqual((facts["driver"], facts["cudaDriver"]), ("595.58.03", "13.1"))
        self.assertEqual(facts["topology"], "\tGPU0\tCPU Affinity\nGPU0\t X \t0-31")
        self.assertNotIn("p2p", facts)


NVIDIA_SMI = r"""#!/bin/sh
case "$*" in
*query-compute-apps*) echo '4242, GPU-a' ;;
*driver_version*) echo 595.58.03 ;;
*query-gpu=*) echo '0, NVIDIA RTX PRO 6000 Blackwell, GPU-a, 00000000:01:00.0, 97887, 12.0, 600.00, 300.00, 600.00' ;;
'topo -m') printf '\t\033[4mGPU0\tCPU Affinity\033[0m\nGPU0\t X \t0-31\n\n' ;;
'') echo '| NVIDIA-SMI 595.58.03   Driver Version: 595.58.03   CUDA Version: 13.1 |' ;;
*) exit 1 ;;
esac
"""


class Secrets(AgentTest):
    def test_stdin_becomes_a_private_file_and_is_shown_nowhere(self):
        path = self.root / "secrets/hub-token-1f2e"
        old = os.umask(0)
        try:
            answer = self.succeed("secret", (SECRET + "\n").encode(), str(path))
        finally:
            os.umask(old)
        self.assertEqual(answer, {"changed": True, "path": str(path)})
        self.assertEqual(path.read_text(), SECRET)
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(path.parent.stat().st_mode), 0o700)
        self.assertEqual(self.succeed("secret", SECRET.encode(), str(path))["changed"], False)

    def test_only_into_the_folder_for_secrets(self):
        for path in (
            "/etc/passwd",
            f"{self.root}/secrets/../x",
            f"{self.root}/secrets/a/b",
            "secrets/x",
            f"{self.root}/secrets/a b",
        ):
            with self.subTest(path):
                status, answer, said = self.run_agent("secret", SECRET.encode(), path)
                self.assertEqual((status, answer["error"]["code"]), (1, "secret"))
                self.assertNotIn("abcDEF", json.dumps(answer) + said)

    def test_an_empty_secret_is_refused(self):
        self.assertIn("empty", self.fail_with("secret", "secret", b"\n", str(self.root / "secrets/x-1"))["message"])

    def test_a_folder_that_others_write_to_is_refused(self):
        (self.root / "secrets").mkdir()
        (self.root / "secrets").chmod(0o777)
        self.assertIn(
            "nobody else", self.fail_with("secret", "secret", b"x", str(self.root / "secrets/x-1"))["message"]
        )

    def test_removed_with_the_secret_as_stdin(self):
        path = self.root / "secrets/key-1"
        self.succeed("secret", b"one", str(path))
        self.assertTrue(self.succeed("remove-secret", b"one", str(path))["removed"])
        self.assertFalse(path.parent.exists())
        self.assertFalse(self.succeed("remove-secret", b"one", str(path))["removed"])
