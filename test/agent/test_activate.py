"""From generation to generation, with the stand-in server behind a stand-in for systemd."""

import json
import os
import shutil
import signal
import socket
import stat
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from test.agent.serving import Service

KEY = "sk-Very'Secret$Key-42"


class Activate(Service):
    def test_from_nothing_to_a_proved_service_and_again(self):
        answer = self.succeed("activate", self.service())
        self.assertEqual(answer, {"changed": True, "generation": "aaaa0001", "restarted": True})
        self.assertTrue(self.answers())
        folder = self.root / "services/chat/aaaa0001"
        verdict = json.loads((folder / "verdict.json").read_text())
        self.assertEqual((verdict["verdict"], verdict["generation"]), ("yes", "aaaa0001"))
        self.assertEqual(stat.S_IMODE((folder / "environment").stat().st_mode), 0o600)
        again = self.succeed("activate", self.service())
        self.assertEqual(again, {"changed": False, "generation": "aaaa0001", "restarted": False})
        self.assertEqual(self.starts(), 1)
        status = self.status()
        self.assertEqual((status["active"], status["enabled"], status["sinceBoot"]), (True, True, True))
        self.assertEqual((status["generation"], status["verdict"]["verdict"]), ("aaaa0001", "yes"))

    def test_the_server_finds_the_programs_of_its_build_first(self):
        own = self.root / "builds/bbbb0001/venv/bin"
        others = Path(tempfile.mkdtemp(dir=self.system))
        for folder in (own, others):
            (folder / "ninja").write_text("#!/bin/sh\n")
            (folder / "ninja").chmod(0o755)
        self.addCleanup((own / "ninja").unlink)
        document = self.service()
        document["environment"]["PATH"] = f"{own}:{others}:/usr/bin:/bin"
        self.succeed("activate", document)
        launcher = json.loads((self.system / "standin-systemd/sglang-chat.service").read_text())["pid"]
        children = Path(f"/proc/{launcher}/task/{launcher}/children").read_text().split()
        found = [
            dict(entry.split("=", 1) for entry in Path(f"/proc/{pid}/environ").read_text().split("\0") if "=" in entry)
            for pid in children
        ]
        self.assertEqual([shutil.which("ninja", path=each["PATH"]) for each in found], [str(own / "ninja")])

    def test_what_does_not_concern_the_server_restarts_nothing(self):
        self.succeed("activate", self.service())
        changed = self.service(settingsDigest="dddd0002")
        changed["unit"] += "Nice=1\n"
        answer = self.succeed("activate", changed)
        self.assertFalse(answer["restarted"])
        self.assertEqual(self.starts(), 1)
        self.assertEqual(self.status()["settingsDigest"], "dddd0002")
        self.assertIn("Nice=1", (self.system / "etc/systemd/system/sglang-chat.service").read_text())

    def test_a_new_generation_restarts_once_and_the_old_one_is_kept_to_go_back_to(self):
        self.succeed("activate", self.service("aaaa0001"))
        self.succeed("activate", self.service("aaaa0002"))
        self.assertEqual((self.serving(), self.starts()), ("aaaa0002", 2))
        self.assertEqual(self.status()["previous"], "aaaa0001")
        self.succeed("activate", self.service("aaaa0003"))
        kept = sorted(path.name for path in (self.root / "services/chat").iterdir() if path.name.startswith("aaaa"))
        self.assertEqual(kept, ["aaaa0002", "aaaa0003"])

    def test_arguments_that_the_build_refuses_stop_nothing(self):
        self.succeed("activate", self.service())
        bad = self.service("aaaa0002")
        bad["arguments"] = {**bad["arguments"], "fp4-gemm-backnd": "x", "tp-size": "many"}
        error = self.fail_with("arguments", "activate", bad)
        self.assertIn(
            "--fp4-gemm-backnd: unrecognized argument; the nearest option of this release is --fp4-gemm-backend",
            error["message"],
        )
        self.assertEqual((self.starts(), self.serving()), (1, "aaaa0001"))
        self.assertTrue(self.answers())

    def test_what_is_missing_is_said_before_anything_is_stopped(self):
        self.succeed("activate", self.service())
        self.fail_with("no-build", "activate", self.service("aaaa0002", build="bbbb9999"))
        (self.model / "config.json").write_text("{}{}")
        self.fail_with("model", "activate", self.service("aaaa0002"))
        self.assertEqual(self.starts(), 1)

    def test_the_key_is_in_no_process_list_no_journal_and_no_file_but_private_ones(self):
        path = self.root / "secrets/chat-key-1"
        self.succeed("secret", KEY.encode(), str(path))
        self.succeed("activate", self.service(apiKeyFile=str(path)))
        with self.assertRaises(urllib.error.HTTPError):
            urllib.request.urlopen(f"http://127.0.0.1:{self.port}/v1/models")
        for process in Path("/proc").glob("[0-9]*"):
            for name in ("cmdline", "environ"):
                try:
                    self.assertNotIn(KEY.encode(), (process / name).read_bytes(), process)
                except OSError:
                    continue
        journal = (self.system / "standin-systemd/sglang-chat.service.journal").read_bytes()
        self.assertIn(b"api_key=", journal)
        self.assertNotIn(b"Secret$Key", journal)
        self.assertIn(b"***", journal)
        # what systemd would hold in a file system of the service's own is left out
        for file in (path for path in self.top.rglob("*") if path.is_file() and "credentials" not in str(path)):
            if b"Secret$Key" in file.read_bytes():
                self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o600, file)
        bad = self.root / "secrets/chat-key-2"
        self.succeed("secret", b"-abc", str(bad))
        message = self.fail_with("secret", "activate", self.service("aaaa0002", apiKeyFile=str(bad)))["message"]
        self.assertIn("shorter than 8 characters", message)
        self.assertIn("begins with a dash", message)

    def test_a_service_that_ended_is_started_again_by_the_same_state(self):
        self.succeed("activate", self.service())
        launcher = json.loads((self.system / "standin-systemd/sglang-chat.service").read_text())["pid"]
        server = int(Path(f"/proc/{launcher}/task/{launcher}/children").read_text().split()[0])
        os.killpg(server, signal.SIGKILL)
        while self.status()["active"]:
            time.sleep(0.1)
        self.assertTrue(self.succeed("activate", self.service())["restarted"])

    def test_another_server_on_the_port_is_named_before_anything_is_stopped(self):
        with socket.socket() as other:
            other.bind(("127.0.0.1", self.port))
            other.listen()
            error = self.fail_with("occupied", "activate", self.service())
        self.assertIn(f"port {self.port}: cannot bind 127.0.0.1: Address already in use; ", error["message"])
        self.assertIn(f"(pid {os.getpid()}", error["message"])

    def test_removal(self):
        self.succeed("activate", self.service())
        self.assertFalse(self.succeed("remove", self.service("aaaa0009"), "service")["removed"])
        self.assertTrue(self.answers())
        build = self.desired(name="build", generation="bbbb0001")
        self.assertEqual(self.succeed("remove", build, "build"), {"kept": ["bbbb0001"], "removed": True})
        self.assertTrue(self.answers())
        self.assertTrue(self.succeed("remove", self.service(), "service")["removed"])
        self.assertFalse(self.answers())
        self.assertFalse((self.root / "services").exists() and any((self.root / "services").iterdir()))
        self.assertFalse((self.system / "etc/systemd/system/sglang-chat.service").exists())
        self.assertEqual(self.succeed("remove", build, "build"), {"removed": True})
        self.assertEqual(sorted(path.name for path in self.root.iterdir()), ["agent"])
        self.assertTrue((self.model / "config.json").exists())
