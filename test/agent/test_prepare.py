"""Whether a host is ready, said whole and before anything is changed; and whether it is the host that was recorded."""

import os
import socket

from test.agent.support import AgentTest

SMI = r"""#!/bin/sh
case "$*" in
*query-compute-apps*) echo '%s, GPU-b' ;;
*driver_version*) echo 570.10 ;;
*query-gpu=*) for n in 0:a 1:b; do
  echo "${n%%%%:*}, NVIDIA RTX PRO 6000, GPU-${n#*:}, 0000:01:00.0, 97887, 12.0, 600.00, [N/A], 600.00"; done ;;
*) exit 1 ;;
esac
"""


class Prepare(AgentTest):
    def setUp(self):
        super().setUp()
        self.tools = self.top / "tools"
        self.tools.mkdir()
        (self.tools / "nvidia-smi").write_text(SMI % os.getpid())
        (self.tools / "nvidia-smi").chmod(0o755)
        self.environment["PATH"] = f"{self.tools}:{self.environment['PATH']}"

    def needs(self, build=None, user="root", **needs):
        return self.desired(name="chat", build=build or {"digest": "bbbb0001"}, needs=needs, user=user)

    def problems(self, document):
        before = self.tree()
        message = self.fail_with("not-ready", "prepare", document)["message"]
        self.assertEqual(self.tree(), before)
        return message

    def test_a_host_that_has_all(self):
        answer = self.succeed(
            "prepare", self.needs(gpus=[0], driverAtLeast="570", diskBytes=1, memoryBytes=1, tools=["sh"])
        )
        self.assertEqual(answer, {"ready": True})

    def test_every_problem_at_once(self):
        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            other.listen()
            port = other.getsockname()[1]
            message = self.problems(
                self.needs(
                    build={"digest": "bbbb0001", "python": "3.99", "cuda": "99.9"},
                    gpus=[0, 1, 7],
                    driverAtLeast="580.65",
                    diskBytes=10**18,
                    memoryBytes=10**18,
                    tools=["nvcc", "no-such-tool"],
                    host="127.0.0.1",
                    port=port,
                )
            )
        for expected in (
            "this host is not ready for chat (9 problems); nothing was stopped or changed",
            "this host has no Python 3.99 (found: ",
            "nvcc: the server compiles kernels while it runs and needs CUDA toolkit 99.9: ",
            "no-such-tool: not found on PATH",
            "driver: 570.10 is installed; 580.65 or later is needed",
            f"GPU 1: held by {self.own_name()} (pid {os.getpid()}",
            "GPU 7: not there; nvidia-smi lists 0, 1",
            "disk: 931322574.6 GiB needed on the file system of ",
            "memory: 931322574.6 GiB needed, ",
            f"port {port}: cannot bind 127.0.0.1: Address already in use; ",
            f"; {self.own_name()} (pid {os.getpid()}",
        ):
            self.assertIn(expected, message)

    def own_name(self):
        with open("/proc/self/comm") as name:
            return name.read().strip()

    def test_a_port_of_another_address_is_free(self):
        with socket.socket() as other:
            other.bind(("127.0.0.2", 0))
            other.listen()
            self.succeed("prepare", self.needs(host="127.0.0.1", port=other.getsockname()[1]))

    def test_the_host_that_was_recorded(self):
        card = {"index": 0, "name": "NVIDIA RTX PRO 6000", "computeCapability": "12.0", "memoryMiB": 97887}
        self.succeed("install", self.desired(generation="0123abcd", expect={"driver": "570.10", "gpus": [card]}))
        expect = {"driver": "595.58.03", "gpus": [{**card, "memoryMiB": 1}, {**card, "index": 4}]}
        message = self.fail_with("facts", "install", self.desired(generation="0123abcd", expect=expect))["message"]
        for expected in (
            "driver: recorded 595.58.03, the host has 570.10",
            "GPU 0: memoryMiB: recorded 1, the host has 97887",
            "GPU 4: recorded NVIDIA RTX PRO 6000, the host has none of this index",
        ):
            self.assertIn(expected, message)

    def test_the_last_stack_takes_the_agent_along(self):
        one = self.desired(generation="0123abcd")
        two = {**one, "owner": "other/stack"}
        self.succeed("install", one)
        self.succeed("install", two)
        self.succeed("remove", one, "agent")
        self.assertTrue(self.program.exists())
        self.succeed("remove", two, "agent")
        self.assertFalse(self.root.exists())

    def test_what_was_claimed_by_a_host_of_another_name_stays_when_the_old_name_goes(self):
        one = self.desired(generation="0123abcd", place="node1 192.0.2.1")
        renamed = {**one, "place": "node1 node1.example"}
        self.succeed("install", one)
        self.succeed("install", renamed, "anew")
        self.assertFalse(self.succeed("remove", one, "agent")["removed"])
        self.assertTrue(self.program.exists())
        self.assertTrue(self.succeed("remove", renamed, "agent")["removed"])
