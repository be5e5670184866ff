"""What a host must have, need by need: at the border, and what already belongs to the service."""

import os
import socket
from pathlib import Path
from unittest import mock

from test.agent.support import Scratch

from sglang_agent import files, prepare, prepared
from sglang_agent.answer import AgentError

UNIT = "sglang-chat.service"


class Needs(Scratch):
    def test_cards_that_the_services_own_unit_holds_are_free_for_it(self):
        self.put(
            prepare.gpus, "cards", lambda: [{"index": 0, "usedBy": [7]}, {"index": 1, "usedBy": [8]}, {"index": 2}]
        )
        self.put(prepare.gpus, "unit_of", lambda pid: f"0::/system.slice/{UNIT}" if pid == 7 else "")
        self.put(prepare.gpus, "holder", lambda pid: f"python (pid {pid})")
        self.assertEqual(prepare._cards([0, 2], UNIT), [])
        self.assertEqual(prepare._cards([], UNIT), [])
        self.assertEqual(
            prepare._cards([0, 1, 3], UNIT),
            [
                "GPU 1: held by python (pid 8); stop it or give the service other GPUs",
                "GPU 3: not there; nvidia-smi lists 0, 1, 2",
            ],
        )

    def test_where_no_card_is_there_that_is_said(self):
        self.put(prepare.gpus, "cards", list)
        self.assertEqual(prepare._cards([0], UNIT), ["GPU 0: not there; nvidia-smi lists none"])

    def test_memory_and_disk_are_enough_at_the_very_byte(self):
        self.put(prepare.facts, "memory", lambda: {"MemAvailable": 1000})
        self.put(prepare, "_used_by", lambda unit: 24 if unit == UNIT else 0)
        self.assertEqual(prepare._memory(1024, UNIT), [])
        self.assertEqual(prepare._memory(1025, UNIT), ["memory: 1.0 KiB needed, 1.0 KiB available"])
        with mock.patch.object(prepare.files, "free_bytes", return_value=1024):
            self.assertEqual(prepare._disk(Path("/opt/sglang"), 1024), [])
            [told] = prepare._disk(Path("/opt/sglang"), 2048)
        self.assertEqual(told, "disk: 2.0 KiB needed on the file system of /opt/sglang, 1.0 KiB free")

    def test_a_unit_that_does_not_run_uses_nothing(self):
        self.assertEqual(prepare._used_by("sglang-no-such.service"), 0)

    def test_a_driver_that_says_nothing_is_not_enough(self):
        with mock.patch.object(prepare.gpus, "driver", return_value=None):
            self.assertEqual(prepare._driver("580"), ["driver: nvidia-smi names no driver; 580 or later is needed"])
            self.assertEqual(prepare._driver(None), [])

    def test_a_python_is_looked_for_only_where_there_is_no_build_yet_and_one_is_named(self):
        find = self.put(prepare.pythons, "find", mock.Mock(side_effect=AgentError("no-interpreter", "no Python 3.99")))
        built = self.folder / "python"
        self.assertEqual(prepare._interpreter("3.99", built), ["no Python 3.99"])
        for wanted in (None, "3"):
            self.assertEqual(prepare._interpreter(wanted, built), [])
        built.touch()
        self.assertEqual(prepare._interpreter("3.99", built), [])
        find.assert_called_once_with("3.99")

    def test_a_build_may_bring_ninja_along_and_nothing_else(self):
        self.put(prepare, "which", lambda program: None)
        for tool in ("ninja", "cc"):
            files.write(self.folder / "venv/bin" / tool, "")
        [told] = prepare._tools(["ninja", "cc"], None, self.folder)
        self.assertTrue(told.startswith("cc: not found on PATH; install it"))
        [_, told] = prepare._tools(["cc", "ninja"], None, self.folder / "other")
        self.assertTrue(told.startswith("ninja: not found"))

    def test_a_toolkit_is_of_the_version_that_is_named(self):
        toolkits = {None: {"version": "12.8", "path": "/usr/local/cuda"}, "12.8": {"version": "12.8", "path": "/c"}}
        self.put(prepare.toolkit, "cuda", lambda wanted=None: toolkits.get(wanted))
        self.assertEqual(prepare._tools(["nvcc"], None, self.folder), [])
        self.assertEqual(prepare._tools(["nvcc"], "12.8", self.folder), [])
        [told] = prepare._tools(["nvcc"], "13.0", self.folder)
        self.assertTrue(told.endswith("needs CUDA toolkit 13.0: found 12.8 in /usr/local/cuda"))
        toolkits.clear()
        [told] = prepare._tools(["nvcc"], None, self.folder)
        self.assertTrue(told.endswith("needs a CUDA toolkit: no nvcc in /usr/local/cuda*, CUDA_HOME or PATH"))

    def test_a_user_must_be_there_or_be_made(self):
        self.assertEqual(prepare._user(None), [])
        self.assertEqual(prepare._user("root"), [])
        self.put(prepare, "which", lambda program: "/usr/sbin/useradd")
        for uid, fine in ((0, True), (1000, False)):
            with mock.patch.object(prepare.os, "geteuid", return_value=uid):
                self.assertEqual(prepare._user("no-such-user") == [], fine)
        with (
            mock.patch.object(prepare.os, "geteuid", return_value=0),
            mock.patch.object(prepare, "which", lambda _: None),
        ):
            self.assertEqual(len(prepare._user("no-such-user")), 1)


class Ports(Scratch):
    def listen(self, address="127.0.0.1"):
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        other = socket.socket(family)
        self.addCleanup(other.close)
        other.bind((address, 0))
        other.listen()
        return other.getsockname()[1]

    def test_a_port_that_the_services_own_unit_holds_is_free_for_it(self):
        port = self.listen()
        with mock.patch.object(prepare.gpus, "unit_of", return_value=f"0::/system.slice/{UNIT}"):
            self.assertEqual(prepare._port("127.0.0.1", port, UNIT), [])
        with mock.patch.object(prepare.gpus, "unit_of", return_value="0::/system.slice/other.service"):
            self.assertEqual(len(prepare._port("127.0.0.1", port, UNIT)), 1)

    def test_no_port_is_none_and_none_is_above_65535(self):
        self.assertEqual(prepare._port("127.0.0.1", None, UNIT), [])
        self.assertEqual(prepare._port("127.0.0.1", 65536, UNIT), ["port 65536: a port is at most 65535"])

    def test_an_address_that_is_not_the_hosts_cannot_be_bound(self):
        [told] = prepare._port("192.0.2.1", 65535, UNIT)
        self.assertIn("port 65535: cannot bind 192.0.2.1: Cannot assign requested address", told)

    def test_the_listener_is_found_by_its_port(self):
        self.assertEqual(prepare.listener(self.listen()), os.getpid())
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))
            self.assertIsNone(prepare.listener(closed.getsockname()[1]))  # bound, and nobody listens


class Prepare(Scratch):
    def prepare(self, **more):
        for name in ("_tools", "_driver", "_cards", "_disk", "_memory", "_port"):
            self.put(prepare, name, lambda *words: [])
        self.put(prepare.foreign, "problem", lambda layout, name, adopt: None if adopt else self.foreign)
        document = {
            **self.slot(root=str(self.layout.root), generation="aa11"),
            "build": {"digest": "bbbb0001"},
            "needs": {},
            "service": {"unit": "x"},
        }
        return prepare.prepare({**document, **more})

    foreign = None

    def test_a_host_that_is_ready_keeps_the_document_under_its_digest(self):
        self.assertEqual(self.prepare(), {"ready": True})
        self.assertEqual(files.read_json(prepared._path(self.layout, "chat", "aa11"))["unit"], "x")

    def test_one_that_is_not_keeps_nothing_and_counts_its_problems(self):
        for more, many in (({}, "1 problem"), ({"user": "no-such-user"}, "2 problems")):
            self.foreign = "a unit of theirs"
            with (
                mock.patch.object(prepare.os, "geteuid", return_value=1000),
                self.assertRaisesRegex(AgentError, rf"not ready for chat \({many}\).*\n  a unit of theirs") as told,
            ):
                self.prepare(**more)
            self.assertEqual(told.exception.code, "not-ready")
        self.assertFalse(self.layout.service("chat").exists())

    def test_a_foreign_unit_may_be_there_where_the_service_adopts_it(self):
        self.foreign = "a unit of theirs"
        self.assertEqual(self.prepare(service={"unit": "x", "adopt": True}), {"ready": True})

    def test_the_python_that_the_service_needs_comes_before_that_of_its_build(self):
        with mock.patch.object(prepare, "_interpreter", return_value=[]) as asked:
            self.prepare(needs={"python": "3.11"}, build={"digest": "bbbb0001", "python": "3.12"})
            self.prepare(build={"digest": "bbbb0001", "python": "3.12"})
        self.assertEqual([call.args[0] for call in asked.call_args_list], ["3.11", "3.12"])
