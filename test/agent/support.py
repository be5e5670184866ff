"""A scratch root, the packed agent, a package index on disk, and what most tests do with them."""

import base64
import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile
from pathlib import Path
from unittest import mock

REPOSITORY = Path(__file__).resolve().parents[2]
AGENT = REPOSITORY / "agent"
STANDINS = Path(__file__).resolve().parent / "standins"
STANDIN_SERVER = REPOSITORY / "test/support/standin-server"
FIXTURES = REPOSITORY / "test/fixtures"

sys.path.insert(0, str(AGENT))

from sglang_agent import archive, contract  # noqa: E402
from sglang_agent.layout import Layout  # noqa: E402

ANSWERS = json.loads(archive.resource("contract.json"))["answers"]
OWNER = "inference/blackwell"


class Scratch(unittest.TestCase):
    """A folder, and in it a root and a system for the agent's modules, called in this process."""

    maxDiff = None

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.layout = Layout(f"{holder.name}/sglang")
        self.set(SGLANG_AGENT_SYSTEM_ROOT=f"{holder.name}/system")

    def set(self, **environment):
        patched = mock.patch.dict(os.environ, environment)
        patched.start()
        self.addCleanup(patched.stop)

    def put(self, target, name, value):
        """Something in the place of an attribute, for this test."""
        patched = mock.patch.object(target, name, value)
        patched.start()
        self.addCleanup(patched.stop)
        return value

    def program(self, name, script):
        """A shell script of this name, first on PATH."""
        path = self.folder / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        self.set(PATH=f"{path.parent}:{os.environ['PATH']}")
        return path

    def slot(self, owner="lab/a", generation="gen1", place="rack1 192.0.2.11", **more):
        return {"name": "chat", "owner": owner, "generation": generation, "place": place, **more}


class AgentTest(unittest.TestCase):
    """A folder with a blank and a quote in its name, the agent packed in it, and no systemd unless asked for."""

    maxDiff = None
    with_systemd = False

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="agent-test-")
        self.addCleanup(holder.cleanup)
        self.top = Path(holder.name) / "it's a disk"
        self.root = self.top / "sglang"
        self.program = self.root / "agent/0123abcd/agent.pyz"
        self.program.parent.mkdir(parents=True)
        self.program.write_bytes(archive.content())
        self.system = self.top / "system"
        (self.system / "etc/systemd/system").mkdir(parents=True)
        if self.with_systemd:
            (self.system / "run/systemd/system").mkdir(parents=True)
        self.environment = {
            "HOME": str(self.top),
            # of this interpreter itself: a version manager's shim in its place takes longer than most commands here
            "PATH": f"{STANDINS}:{os.path.dirname(sys.executable)}:{os.environ['PATH']}",
            "PIP_NO_CACHE_DIR": "1",
            "SGLANG_AGENT_SYSTEM_ROOT": str(self.system),
        }

    def desired(self, name="blackwell", generation="aaaa1111", **fields):
        document = {"contract": contract.version(), "root": str(self.root), "owner": OWNER, "name": name}
        return {**document, "generation": generation, **fields}

    def run_agent(self, verb, document, *arguments, **environment):
        """`(exit status, answer, stderr)`. The answer must be one line of JSON within the limit."""
        raw = document if isinstance(document, bytes) else json.dumps(document).encode()
        done = subprocess.run(
            [sys.executable, "-I", str(self.program), verb, *arguments],
            input=raw,
            capture_output=True,
            env={**self.environment, **environment},
            cwd="/",
        )
        out = done.stdout.decode()
        self.assertTrue(out.endswith("\n") and out.count("\n") == 1, f"not one line: {out!r} {done.stderr.decode()}")
        self.assertLessEqual(len(done.stdout), 32768 if verb == "facts" else 8192)
        return done.returncode, json.loads(out), done.stderr.decode()

    def succeed(self, verb, document, *arguments, **environment):
        status, answer, said = self.run_agent(verb, document, *arguments, **environment)
        self.assertEqual((status, said), (0, ""), answer)
        if verb != "facts":  # of a host without cards they are not whole
            self.assert_answer(verb, answer)
        return answer

    def fail_with(self, code, verb, document, *arguments, **environment):
        """The error of a verb that must fail with this code; its message must be on stderr too, without a trace."""
        status, answer, said = self.run_agent(verb, document, *arguments, **environment)
        self.assertEqual(status, 1, answer)
        self.assert_answer("error", answer)
        self.assertEqual(answer["error"]["code"], code, answer)
        self.assertIn(answer["error"]["message"], said)
        self.assertNotIn("Traceback", said)
        return answer["error"]

    def assert_answer(self, verb, answer):
        """The answer is what the contract says that this verb answers."""
        self.assertEqual(contract.mistakes_in(ANSWERS[verb], answer), [])

    def tree(self):
        """Every path below the root but logs, for "nothing was left behind"."""
        found = sorted(str(path.relative_to(self.root)) for path in self.root.rglob("*"))
        return [path for path in found if not path.startswith(("log", "agent", "locks", "receipts"))]


class Index:
    """A package index in a folder, as pip reads one through a file address."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.lock = []

    @property
    def url(self):
        return self.folder.as_uri()

    def add_file(self, name, version, wheel):
        place = self.folder / name
        place.mkdir(exist_ok=True)
        shutil.copy(str(wheel), str(place))
        links = "".join(f'<a href="{path.name}">{path.name}</a>\n' for path in sorted(place.glob("*.whl")))
        (place / "index.html").write_text(f"<!DOCTYPE html><html><body>\n{links}</body></html>\n")
        digest = hashlib.sha256(Path(wheel).read_bytes()).hexdigest()
        self.lock = [entry for entry in self.lock if entry["name"] != name]
        self.lock.append({"name": name, "version": version, "hashes": [f"sha256:{digest}"]})

    def add(self, name, version, files):
        """A wheel of these files."""
        info = f"{name.replace('-', '_')}-{version}.dist-info"
        files = dict(files)
        files[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        files[f"{info}/WHEEL"] = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        record = []
        for path, text in files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(text.encode())}\n")
        files[f"{info}/RECORD"] = "".join(record) + f"{info}/RECORD,,\n"
        wheel = self.folder / f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
        with zipfile.ZipFile(wheel, "w") as packed:
            for path, text in files.items():
                packed.writestr(path, text)
        self.add_file(name, version, wheel)
        wheel.unlink()

    def add_standin_server(self, version):
        done = subprocess.run(
            [sys.executable, str(STANDIN_SERVER / "make-wheel.py"), str(self.folder), version],
            capture_output=True,
            check=True,
        )
        wheel = Path(done.stdout.decode().strip())
        self.add_file("sglang", version, wheel)
        wheel.unlink()


def own_python():
    """This very interpreter, by path, so that tests need no other."""
    return os.path.realpath(sys.executable)


_prepared: dict = {}


def quick_python():
    """A program that is this interpreter, but copies one prepared virtual environment instead of making each anew."""
    if not _prepared:
        holder = tempfile.TemporaryDirectory(prefix="agent-venv-")
        _prepared["holder"] = holder
        subprocess.run([own_python(), "-m", "venv", f"{holder.name}/venv"], check=True)
        path = Path(holder.name, "python")
        path.write_text(
            f'#!/bin/sh\ncase "$1 $2" in "-m venv") exec cp -a {holder.name}/venv "$3";; esac\n'
            f'exec {own_python()} "$@"\n'
        )
        path.chmod(0o755)
        _prepared["path"] = str(path)
    return _prepared["path"]


def patch(name, text, base="site-packages", strip=1, sha256=None):
    digest = sha256 or hashlib.sha256(text.encode()).hexdigest()
    return {"name": name, "sha256": digest, "stripLevel": strip, "base": base, "text": text}


def ended(pid):
    """Whether a process is gone, or one that nobody has waited for yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


def until(condition, seconds=10.0):
    """Waits for what another process does; says whether it came in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def example(place):
    """A document of the contract as the unit tier has recorded it, such as `host/prepare`."""
    folder = Path(__file__).parents[1] / "fixtures" / "documents"
    return json.loads((folder / f"{place}.json").read_text("utf-8"))
