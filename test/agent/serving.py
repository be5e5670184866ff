"""One service on one host: a build, a snapshot, a server behind a stand-in for systemd, and what tests ask of them."""

import hashlib
import json
import os
import pwd
import signal
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from pathlib import Path

from test.agent.support import AgentTest, Index, ended, free_port, quick_python, until

# What `activate` itself is sent of a service; the rest was prepared.
SENT = ("arguments", "build", "contract", "generation", "name", "owner", "place", "root", "settingsDigest")

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
            "STANDIN_PACE": "0.1",
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
