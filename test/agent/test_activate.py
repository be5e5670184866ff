"""From generation to generation, with the stand-in server behind a stand-in for systemd."""

import hashlib
import json
import os
import pwd
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

from test.agent.support import AgentTest, Index, ended, free_port, quick_python, until

# What `activate` itself is sent of a service; the rest was prepared.
SENT = ("arguments", "build", "contract", "generation", "name", "owner", "place", "root", "settingsDigest")

KEY = "sk-Very'Secret$Key-42"

KEY_OF_THEIRS = "sk-TheirKey-42"
THEIRS = (
    "import os, socket, time; "
    "socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'READY=1', os.environ['NOTIFY_SOCKET']); "
    "time.sleep(600)"
)

GATE = {
    "greedy": [{"prompt": "What is 17 plus 25? Answer with the number.", "expect": "42", "maxTokens": 32}],
    "sampled": {"requests": 2, "temperature": 1.0, "maxTokens": 16},
    "concurrency": {"requests": 6, "maxTokens": 16},
    "toolCall": False,
    "reasoning": False,
    "servedModelName": "tiny",
    "timeoutSeconds": 30,
}


class Service(AgentTest):
    """One build of the stand-in server and one sealed snapshot, shared by all tests of the class by copying."""

    with_systemd = True

    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="agent-service-")
        cls.addClassCleanup(holder.cleanup)
        cls.index = Index(Path(holder.name) / "index")
        cls.index.add_standin_server("0.5.17")
        cls.built = Path(holder.name) / "bbbb0001"

    def setUp(self):
        super().setUp()
        self.port = free_port()
        self.addCleanup(self.end_everything)
        self.build()
        self.model = self.top / "models/org--tiny" / ("c" * 40)
        self.model.mkdir(parents=True)
        (self.model / "config.json").write_text("{}")
        listed = {
            "files": [{"path": "config.json", "size": 2, "sha256": hashlib.sha256(b"{}").hexdigest(), "gitBlob": ""}]
        }
        (self.model / "manifest.json").write_text(json.dumps(listed))
        (self.model / ".complete").write_text("{}")

    def build(self):
        """The first test makes the build; the others get a copy of it at their own place."""
        build = self.desired(
            name="build",
            generation="bbbb0001",
            release="0.5.17",
            source={"kind": "wheel", "requirement": "sglang==0.5.17"},
            python=quick_python(),
            dependencies="parser-only",
            lock=self.index.lock,
            indexUrl=self.index.url,
            diskBytes=1,
        )
        final = self.root / "builds/bbbb0001"
        if self.built.exists():
            final.parent.mkdir()
            subprocess.run(["cp", "-a", str(self.built), str(final)], check=True)
            receipt = json.loads((final / "receipt.json").read_text())
            receipt["package"] = str(final / next(final.glob("venv/lib/python3*/site-packages/sglang")))
            (final / "receipt.json").write_text(json.dumps(receipt))
        (self.system / "run/systemd/system").rmdir()
        self.succeed("build", build)
        (self.system / "run/systemd/system").mkdir()
        if not self.built.exists():
            subprocess.run(["cp", "-a", str(final), str(self.built)], check=True)

    def end_everything(self):
        for path in (self.system / "standin-systemd").glob("*.service"):
            pid = json.loads(path.read_text()).get("pid")
            if pid:
                try:
                    os.killpg(pid, signal.SIGTERM)
                    until(lambda pid=pid: ended(pid), seconds=0.5)
                    os.killpg(pid, signal.SIGKILL)
                except OSError:
                    pass

    def service(self, generation="aaaa0001", fault="", **fields):
        folder = f"{self.root}/services/chat/current"
        cache = f"{self.root}/cache/bbbb0001"
        environment = {
            "STANDIN_FAULT": fault,
            "STANDIN_FILE": "/nonexistent",
            "STANDIN_CRASH_SECONDS": "0.3",
            "HOME": f"{cache}/home",
        }
        unit = [
            "[Service]",
            "Type=notify",
            f'ExecStart="{sys.executable}" -I "{folder}/agent.pyz" launch "{folder}"',
            f"EnvironmentFile={folder}/environment",
            f"WorkingDirectory={cache}",
            "RuntimeDirectory=sglang-chat",
        ]
        if fields.get("apiKeyFile"):
            unit.append(f"LoadCredential=api-key:{fields['apiKeyFile']}")
        document = self.desired(
            name="chat",
            generation=generation,
            settingsDigest="dddd0001",
            arguments={
                "model-path": str(self.model),
                "served-model-name": "tiny",
                "host": "127.0.0.1",
                "port": self.port,
            },
            environment=environment,
            build="bbbb0001",
            model={"path": str(self.model), "manifestDigest": "eeee0001"},
            release="0.5.17",
            user=pwd.getpwuid(os.geteuid()).pw_name,
            startupBudgetSeconds=20,
            stopGraceSeconds=5,
            endpoint={"host": "127.0.0.1", "port": self.port},
            unit="".join(f"{line}\n" for line in unit),
            gate=GATE,
        )
        return {**document, **fields}

    def sent(self, document):
        """The document of `activate` for a service, the rest of which is left as `prepare` leaves it."""
        part = {name: value for name, value in document.items() if name not in SENT}
        text = json.dumps({**part, "contract": document["contract"]})
        digest = hashlib.sha256(text.encode()).hexdigest()[:12]
        path = self.root / f"services/chat/prepared-{digest}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return {**{name: value for name, value in document.items() if name in SENT}, "prepared": digest}

    def run_agent(self, verb, document, *arguments, **environment):
        document = self.sent(document) if verb == "activate" else document
        return super().run_agent(verb, document, *arguments, **environment)

    def starts(self):
        path = self.system / "standin-systemd/sglang-chat.service"
        return json.loads(path.read_text()).get("starts", 0) if path.exists() else 0

    def serving(self):
        return os.readlink(self.root / "services/chat/current")

    def answers(self):
        try:
            return urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=10).status == 200
        except OSError:
            return False

    def status(self):
        document = self.desired(name="chat")
        return self.succeed("status", {name: document[name] for name in ("contract", "root", "name")})

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

    def test_each_fault_brings_the_old_generation_back(self):
        self.succeed("activate", self.service())
        expected = {
            "nan-weights": "greedy[0].numbers: ",
            "bang": "greedy[0].numbers: all 32 token ids are 3",
            "garbage-under-load": "concurrent[",
            "crash-in-decode": "death: the server was up and is gone after greedy[0].numbers",
            "die-at-start": "start: the server ended before it was up",
            "wrong-answer": "greedy[0].answer: expected '42' in the answer",
            "empty": "greedy[0].answer: the answer is",
            "nan-marker": "the server reports 'NaN happened'",
        }
        for number, (fault, reason) in enumerate(expected.items()):
            with self.subTest(fault):
                error = self.fail_with("gate-failed", "activate", self.service(f"ffff000{number}", fault))
                self.assertIn(f"generation ffff000{number} of chat failed and is stopped", error["message"])
                self.assertIn("the previous generation aaaa0001 serves again and has passed its gate", error["message"])
                self.assertIn(reason, error["message"])
                self.assertLessEqual(len(json.dumps(error["evidence"])), 4096)
                self.assertTrue(self.answers())
                self.assertEqual(self.serving(), "aaaa0001")
        before = self.starts()
        self.assertFalse(self.succeed("activate", self.service())["changed"])
        self.assertEqual(self.starts(), before)
        self.succeed("activate", self.service("aaaa0002"))
        self.assertEqual((self.serving(), self.starts()), ("aaaa0002", before + 1))

    def test_never_ready_is_a_no_when_its_budget_ends(self):
        self.succeed("activate", self.service())
        error = self.fail_with(
            "gate-failed", "activate", self.service("ffff0001", "never-ready", startupBudgetSeconds=2)
        )
        self.assertIn("not up within the startup budget of 2 s", error["message"])
        self.assertTrue(self.answers())

    def test_slow_is_not_yet(self):
        self.succeed("activate", self.service(fault="slow-load:4"))

    def test_a_first_deployment_that_fails_is_stopped_and_can_be_retried(self):
        error = self.fail_with("gate-failed", "activate", self.service(fault="bang"))
        self.assertIn("there is none before it to go back to", error["message"])
        self.assertFalse(self.answers())
        status = self.status()
        self.assertEqual((status["active"], status["enabled"], status["verdict"]["verdict"]), (False, False, "no"))
        self.succeed("activate", self.service("aaaa0002"))
        self.assertTrue(self.answers())

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

    def test_a_run_killed_in_the_middle_is_made_good_by_the_next(self):
        self.succeed("activate", self.service())
        for generation, fault, healed in (("aaaa0002", "slow-load:3", True), ("ffff0003", "bang", False)):
            with self.subTest(generation):
                started = self.starts()
                client = subprocess.Popen(
                    [sys.executable, "-I", str(self.program), "activate"],
                    stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment,
                )  # fmt: skip
                client.stdin.write(json.dumps(self.sent(self.service(generation, fault))).encode())
                client.stdin.close()
                while self.starts() == started:
                    time.sleep(0.02)
                client.kill()
                client.wait()
                job = json.loads((self.system / "standin-systemd/sglang-job-activate-chat.service").read_text())["pid"]
                os.kill(job, signal.SIGKILL)
                if healed:
                    self.succeed("activate", self.service(generation, fault))
                    self.assertEqual(self.serving(), generation)
                else:
                    self.fail_with("gate-failed", "activate", self.service(generation, fault))
                    self.assertEqual(self.serving(), "aaaa0002")
                self.assertTrue(self.answers())
                self.assertFalse(self.status()["switching"])

    def test_a_lost_session_does_not_end_the_job_and_the_next_one_attaches(self):
        slow = self.service(fault="slow-load:3")
        client = subprocess.Popen(
            [sys.executable, "-I", str(self.program), "activate"],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment,
        )  # fmt: skip
        client.stdin.write(json.dumps(self.sent(slow)).encode())
        client.stdin.close()
        while self.starts() == 0:
            time.sleep(0.02)
        client.kill()
        client.wait()
        self.succeed("activate", slow)
        self.assertEqual(self.starts(), 1)

    def test_two_runs_at_once_start_it_once(self):
        outcomes = []
        runs = [
            threading.Thread(target=lambda: outcomes.append(self.run_agent("activate", self.service())[0]))
            for _ in range(2)
        ]
        for run in runs:
            run.start()
        for run in runs:
            run.join()
        self.assertEqual((outcomes, self.starts()), ([0, 0], 1))

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

    def hand_made(self):
        """A server of somebody else's, in a unit of the service's name."""
        unit = self.system / "etc/systemd/system/sglang-chat.service"
        environment = self.top / "theirs.env"
        environment.write_text("")
        unit.write_text(
            "[Service]\nType=notify\n"
            f'ExecStart={sys.executable} -c "{THEIRS}" --api-key {KEY_OF_THEIRS}\n'
            f'EnvironmentFile="{environment}"\nRuntimeDirectory=sglang-chat\n'
        )
        unit.write_text(unit.read_text().replace(f'"{environment}"', str(environment)))
        environment = {**os.environ, **self.environment}
        subprocess.run(["systemctl", "start", "sglang-chat.service"], env=environment, check=True)
        return unit

    def intend(self, service):
        sent = self.sent(service)
        return {name: sent[name] for name in ("contract", "generation", "name", "owner", "prepared", "root")}

    def test_a_unit_that_somebody_else_made_is_named_and_not_touched(self):
        unit = self.hand_made()
        text = unit.read_text()
        pid = json.loads((self.system / "standin-systemd/sglang-chat.service").read_text())["pid"]
        service = self.service()
        part = {name: value for name, value in service.items() if name not in SENT}
        prepare = self.desired(name="chat", build={"digest": "bbbb0001"}, needs={}, service=part)
        for code, verb, document in (
            ("not-ready", "prepare", prepare),
            ("foreign-unit", "intend", self.intend(service)),
            ("foreign-unit", "activate", service),
        ):
            with self.subTest(verb):
                message = self.fail_with(code, verb, document)["message"]
                self.assertIn(f"{unit} is there already and was not made for this service (active, ", message)
                self.assertIn(f"(pid {pid}", message)
                self.assertIn(f"ExecStart={sys.executable} -c ", message)
                self.assertIn("`adopt: true`", message)
                self.assertNotIn(KEY_OF_THEIRS, message)
        self.assertEqual((unit.read_text(), self.starts()), (text, 1))
        self.assertFalse(self.succeed("remove", service, "service")["removed"])
        self.assertTrue(unit.exists())
        os.kill(pid, 0)

    def test_an_adopted_unit_is_kept_aside_comes_back_after_a_no_and_with_the_removal(self):
        unit = self.hand_made()
        text = unit.read_text()
        error = self.fail_with("gate-failed", "activate", self.service(fault="bang", adopt=True))
        self.assertIn(f"generation aaaa0001 failed and is stopped; {unit} is as it was before", error["message"])
        self.assertEqual((unit.read_text(), self.starts()), (text, 3))
        self.succeed("intend", self.intend(self.service("aaaa0002", adopt=True)))
        self.succeed("activate", self.service("aaaa0002", adopt=True))
        self.assertTrue(self.answers())
        kept = self.root / "services/chat/adopted.service"
        self.assertEqual((kept.read_text(), stat.S_IMODE(kept.stat().st_mode)), (text, 0o600))
        self.assertFalse(self.succeed("activate", self.service("aaaa0002"))["restarted"])
        answer = self.succeed("remove", self.service("aaaa0002"), "service")
        self.assertEqual(answer, {"removed": True, "kept": str(unit)})
        self.assertEqual(unit.read_text(), text)
        self.assertFalse(self.answers())

    def test_an_edited_unit_is_still_the_services_own_and_one_in_its_place_is_not(self):
        unit = self.system / "etc/systemd/system/sglang-chat.service"
        self.succeed("activate", self.service())
        unit.write_text(unit.read_text() + "Nice=3\n")
        self.assertTrue(self.succeed("activate", self.service())["changed"])
        self.assertNotIn("Nice", unit.read_text())
        unit.write_text("[Service]\nExecStart=/usr/bin/their-own\n")
        self.fail_with("foreign-unit", "activate", self.service())
        self.assertEqual(self.succeed("remove", self.service(), "service"), {"removed": True, "kept": str(unit)})
        self.assertIn("their-own", unit.read_text())

    def test_an_intent_is_another_one_each_time_and_removes_what_was_made_for_it(self):
        first, second = (self.succeed("intend", self.intend(self.service()))["attempt"] for _ in range(2))
        self.assertNotEqual(first, second)
        self.assertEqual(self.starts(), 0)
        self.succeed("activate", self.service())
        self.assertFalse(self.succeed("activate", self.service())["changed"])
        # an intent that nothing came of, and the one before it again
        self.succeed("intend", self.intend(self.service("aaaa0002")))
        self.succeed("intend", self.intend(self.service()))
        self.assertFalse(self.succeed("activate", self.service())["changed"])
        # the stack's state has the last intent that was answered; the receipt has that or one before it
        self.succeed("intend", self.intend(self.service("aaaa0002")))
        self.assertTrue(self.succeed("remove", self.intend(self.service("aaaa0002")), "service")["removed"])
        self.assertFalse(self.answers())

    def test_the_agent_takes_along_what_the_state_of_the_stack_never_learned_of(self):
        agent = self.desired(name="node1", generation="0123abcd")
        self.succeed("install", agent)
        self.succeed("activate", self.service())
        self.assertTrue(self.succeed("remove", agent, "agent")["removed"])
        self.assertFalse(self.answers())
        self.assertFalse(self.root.exists())
        self.assertTrue((self.model / "config.json").exists())

    def test_after_a_failed_change_the_stack_can_remove_what_it_knows(self):
        self.succeed("activate", self.service())
        self.fail_with("gate-failed", "activate", self.service("ffff0001", "bang"))
        self.assertTrue(self.succeed("remove", self.service(), "service")["removed"])
        self.assertFalse(self.answers())
