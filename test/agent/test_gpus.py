"""What `nvidia-smi` says, as the agent reads it, and processes in words."""

import os
import subprocess
import sys
from unittest import mock

from test.agent.support import Scratch

from sglang_agent import gpus

CARDS = """\
1, NVIDIA RTX PRO 6000, GPU-b, 00000000:02:00.0, 97887, 12.0, 600.00, 150.50, 600.00
0, NVIDIA RTX PRO 6000, GPU-a, 00000000:01:00.0, 97887, 12.0, 450.00, [N/A], 600.00
broken row
"""


class Smi(Scratch):
    """An nvidia-smi that answers each question with a text."""

    def answers(self, texts):
        self.asked = []

        def output_of(argv):
            self.asked.append(argv)
            words = " ".join(argv[1:])
            return next((text for part, text in texts.items() if part in words), None)

        self.put(gpus, "output_of", output_of)

    def test_cards_come_in_order_with_what_is_known_of_each(self):
        self.answers({"query-gpu": CARDS, "compute-apps": "12, GPU-b\n7, GPU-b\nx, GPU-b\n9, GPU-z\n"})
        first, second = gpus.cards()
        self.assertEqual(
            first,
            {
                "index": 0,
                "name": "NVIDIA RTX PRO 6000",
                "uuid": "GPU-a",
                "busId": "00000000:01:00.0",
                "memoryMiB": 97887,
                "computeCapability": "12.0",
                "powerLimitWatts": 450,
                "powerMaxWatts": 600,
            },
        )
        self.assertEqual((second["index"], second["powerMinWatts"], second["usedBy"]), (1, 150, [7, 12]))
        self.assertIn(
            "--query-gpu=index,name,uuid,pci.bus_id,memory.total,compute_cap,power.limit,power.min_limit,power.max_limit",
            self.asked[0],
        )

    def test_a_host_without_cards_has_none(self):
        self.answers({})
        self.assertEqual((gpus.cards(), gpus.processes(), gpus.driver(), gpus.driver_cuda()), ([], {}, None, None))
        self.assertEqual((gpus.topology(), gpus.peer_access()), ("", {}))

    def test_the_driver_is_that_of_the_first_card(self):
        self.answers({"driver_version": "595.58.03\n595.58.03\n"})
        self.assertEqual(gpus.driver(), "595.58.03")

    def test_the_newest_cuda_is_read_from_the_header(self):
        self.put(
            gpus, "output_of", lambda argv: "| Driver Version: 595.58  CUDA Version: 13.2 |" if len(argv) == 1 else None
        )
        self.assertEqual(gpus.driver_cuda(), "13.2")

    def test_a_topology_is_plain_text(self):
        self.answers({"topo -m": "\n\x1b[4m\tGPU0\tGPU1 \x1b[0m\nGPU0\t X \tNODE  \n"})
        self.assertEqual(gpus.topology(), "\tGPU0\tGPU1\nGPU0\t X \tNODE")
        self.assertEqual(self.asked, [["nvidia-smi", "topo", "-m"]])

    def test_peer_access_has_the_modes_that_are_known(self):
        self.answers({"p2p r": "OK\n"})
        self.assertEqual(gpus.peer_access(), {"r": "OK"})
        self.answers({"p2p r": "OK\n", "p2p w": "NS\n"})
        self.assertEqual(gpus.peer_access(), {"r": "OK", "w": "NS"})


class Processes(Scratch):
    def test_a_process_is_told_by_its_short_name_and_unit_and_never_by_its_arguments(self):
        words = [sys.executable, "-c", "input()", "--api-key", "secret-key"]
        with subprocess.Popen(words, stdin=subprocess.PIPE) as child:
            self.addCleanup(child.kill)
            with mock.patch.object(gpus, "unit_of", return_value="0::/system.slice/sglang-chat.service\n"):
                told = gpus.holder(child.pid)
            with open(f"/proc/{child.pid}/comm") as name:
                self.assertEqual(told, f"{name.read().strip()} (pid {child.pid} of sglang-chat.service)")
            with mock.patch.object(gpus, "unit_of", return_value="0::/user.slice/session-4.scope\n"):
                self.assertTrue(gpus.holder(child.pid).endswith(f" (pid {child.pid})"))
            child.communicate(b"\n")
        self.assertEqual(gpus.command_of(child.pid), "?")
        self.assertEqual(gpus.unit_of(child.pid), "")

    def test_the_unit_of_a_process_is_in_its_control_group(self):
        with open("/proc/self/cgroup") as text:
            self.assertEqual(gpus.unit_of(os.getpid()), text.read())
