"""The server's process: what of its output is kept, and how it ends, within bounds."""

import os
import signal
import subprocess
import sys
from unittest import mock

from test.agent.support import Scratch, ended, until

from sglang_agent import launcher, server
from sglang_agent.gate.no import No
from sglang_agent.gate.run import Stopped


class Process(Scratch):
    def start(self, text, key=None):
        """A server that is this Python text."""
        self.out = mock.Mock()
        self.put(server.sys, "stdout", self.out)
        script = self.folder / "python"
        script.write_text(f'#!/bin/sh\nexec \'{sys.executable}\' -c "$TEXT" "$@"\n')
        script.chmod(0o755)
        one = server.Server({"arguments": {}}, str(script), key, self.folder)
        one.start({**os.environ, "TEXT": text, "KEY": key or ""})
        self.addCleanup(one.stop, 0)
        return one

    def passed_on(self):
        return b"".join(call.args[0] for call in self.out.buffer.write.call_args_list)

    def test_has_no_status_until_it_is_started_and_has_ended(self):
        self.assertIsNone(server.Server({"arguments": {}}, "python", None, self.folder).status)
        one = self.start("input()")
        self.assertEqual((one.wait(10), one.status), (1, 1))  # it has nothing to read
        self.assertEqual(self.start("import os; os.kill(os.getpid(), 9)").wait(10), -9)

    def test_waiting_for_it_has_an_end(self):
        self.assertIsNone(self.start("import time; time.sleep(600)").wait(0.1))

    def test_its_last_lines_are_the_last_ones_and_not_long(self):
        one = self.start("for n in range(40): print(n)\nprint(); print('x' * 500); print('end', end='')")
        one.wait(10)
        lines = one.last_lines()
        self.assertEqual(len(lines), server.LOG_LINES)
        self.assertEqual(lines[-3:], ["39", "x" * server.LINE_LIMIT, "end"])

    def test_what_a_bar_wrote_over_is_a_line_of_its_own(self):
        one = self.start("print('10%\\r20%\\r')")
        one.wait(10)
        self.assertEqual(one.last_lines(), ["10%", "20%"])

    def test_all_it_says_is_passed_on_at_once_and_without_the_key(self):
        one = self.start("import os, sys; print('key', os.environ['KEY'], file=sys.stderr)", "secret-key")
        one.wait(10)
        one.last_lines()
        self.assertEqual(self.passed_on(), b"key ***\n")
        self.assertTrue(self.out.buffer.flush.called)

    def test_a_log_that_nobody_reads_any_more_ends_nothing(self):
        with mock.patch.object(server.sys, "stdout", mock.Mock()) as out:
            out.buffer.write.side_effect = BrokenPipeError
            server._write(b"x")

    def test_is_asked_to_drain_first(self):
        one = self.start(
            "import signal, sys, time\n"
            "signal.signal(signal.SIGTERM, lambda *_: (print('drained', flush=True), sys.exit(0)))\n"
            "print('up', flush=True); time.sleep(600)"
        )
        self.until_up(one)
        one.stop(60)
        self.assertEqual((one.status, one.last_lines()[-1]), (0, "drained"))

    def test_is_killed_with_all_that_it_started_when_its_time_is_over(self):
        one = self.start(
            "import os, signal, subprocess, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
            "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
            "print(child.pid, 'up', flush=True); time.sleep(600)"
        )
        child = int(self.until_up(one).split()[0])
        one.stop(0.05)
        self.assertEqual(one.status, -signal.SIGKILL)
        self.assertTrue(until(lambda: ended(child)))

    def until_up(self, one):
        self.assertTrue(until(lambda: one._lines and one._lines[-1].endswith("up")))
        return one._lines[-1]

    def test_what_is_left_of_one_that_ended_is_killed_too(self):
        one = self.start("pass")
        one.wait(10)
        with mock.patch.object(server.os, "killpg") as kill:
            one.stop(5)
        kill.assert_called_once_with(one._child.pid, signal.SIGKILL)

    def test_one_that_was_never_started_need_not_be_stopped(self):
        server.Server({"arguments": {}}, "python", None, self.folder).stop(5)

    def test_reads_nothing_of_what_the_agent_was_sent_and_has_a_session_of_its_own(self):
        with mock.patch.object(server.subprocess, "Popen") as popen, mock.patch.object(server.threading, "Thread"):
            server.Server({"arguments": {"tp-size": 8}}, "/venv/python", None, self.folder).start({}, self.folder)
        words, given = popen.call_args
        self.assertEqual(words[0], ["/venv/python", "-m", "sglang.launch_server", "--tp-size", "8"])
        self.assertEqual((given["stdin"], given["stderr"]), (subprocess.DEVNULL, subprocess.STDOUT))
        self.assertEqual((given["start_new_session"], given["cwd"]), (True, self.folder))


class Supervised(Scratch):
    """A server's gate, with a server that is none."""

    def setUp(self):
        super().setUp()
        self.server = mock.Mock(key=None, status=None)
        self.server.last_lines.return_value = ["the last line"]
        self.server.desired = {
            "generation": "gen1",
            "gate": {"servedModelName": "tiny", "timeoutSeconds": 20},
            "endpoint": {"host": "0.0.0.0", "port": 30000},
            "startupBudgetSeconds": 120,
            "arguments": {},
            "build": "bbbb0001",
            "environment": {"HF_HUB_OFFLINE": "1"},
            "model": {"path": "/weights", "manifestDigest": "mmmm0001"},
            "release": "0.5.17",
            "settingsDigest": "dddd0001",
        }
        self.machine = {"driver": "590.1", "gpus": ["RTX PRO 6000"] * 2, "kernel": "6.8.0"}
        self.put(launcher.proved, "machine", lambda: self.machine)
        self.gate = mock.Mock(passed=["a"], rate=None, first_token=None, oracle_figures=None, own_distance=None)
        self.gate.wait.return_value = 12.34
        self.made = self.put(launcher, "Gate", mock.Mock(return_value=self.gate))
        self.client = self.put(launcher, "Client", mock.Mock())

    def prove(self):
        self.supervisor = launcher.Supervisor(self.server)
        return self.supervisor.prove({"A": "b"})

    def test_is_started_waited_for_and_asked_in_that_order(self):
        order = mock.Mock()
        order.attach_mock(self.gate, "gate")
        order.attach_mock(self.server, "server")
        found = self.prove()
        names = [name for name, _, _ in order.mock_calls]
        self.assertEqual(names, ["gate.refuse_stranger", "server.start", "gate.wait", "gate.ask", "server.last_lines"])
        self.gate.wait.assert_called_once_with(120)
        self.server.start.assert_called_once_with({"A": "b"})
        self.assertEqual((found["verdict"], found["generation"], found["upAfterSeconds"]), ("yes", "gen1", 12.3))

    def test_the_verdict_says_of_what_it_is(self):
        self.server.desired["gate"]["oracle"] = {"sha256": "0" * 64}
        self.gate.oracle_figures = {"promptMean": 0.123456789, "topAgreement": 1.0}
        found = self.prove()
        self.assertEqual((found["oracleDistance"], found["oracleFigures"]["promptMean"]), (0.123457, 0.1235))
        about = found["proved"]
        self.assertEqual(about["machine"], self.machine)
        self.assertEqual(
            (about["build"], about["manifestDigest"], about["release"]), ("bbbb0001", "mmmm0001", "0.5.17")
        )
        self.assertEqual((about["settingsDigest"], about["oracleSha256"]), ("dddd0001", "0" * 64))
        self.server.desired["environment"] = {"HF_HUB_OFFLINE": "0"}
        other = self.prove()["proved"]
        changed = [name for name, value in about.items() if other[name] != value]
        self.assertEqual(changed, ["environmentSha256"])
        self.server.desired["arguments"] = {"tp-size": 8}
        self.assertNotEqual(self.prove()["proved"]["argumentsSha256"], about["argumentsSha256"])

    def test_a_no_says_of_what_it_is_too(self):
        self.gate.ask.side_effect = No("greedy[0].answer", "Rome")
        self.assertEqual(self.prove()["proved"]["machine"], self.machine)

    def test_is_asked_where_it_listens_with_its_key(self):
        self.server.key = "secret-key"
        self.prove()
        self.client.assert_called_once_with("0.0.0.0", 30000, "secret-key")

    def test_a_stranger_on_the_port_is_a_no_and_nothing_is_started(self):
        self.gate.refuse_stranger.side_effect = No("port", "taken")
        self.assertEqual(self.prove()["check"], "port")
        self.server.start.assert_not_called()

    def test_a_wrong_answer_is_a_no_with_the_time_that_the_start_took(self):
        self.gate.ask.side_effect = No("greedy[0].answer", "Rome")
        found = self.prove()
        self.assertEqual((found["verdict"], found["reason"], found["upAfterSeconds"]), ("no", "Rome", 12.3))
        self.server.wait.assert_not_called()

    def test_a_dying_server_has_time_to_say_why(self):
        self.gate.ask.side_effect = No("death", "gone")
        self.assertEqual(self.prove()["evidence"]["log"], ["the last line"])
        self.server.wait.assert_called_once_with(6.0)

    def test_a_node_that_is_not_the_head_is_waited_for_and_not_asked(self):
        for rank, asked in ((0, True), (1, False)):
            self.gate.ask.reset_mock()
            self.server.desired["arguments"] = {"node-rank": rank}
            self.assertEqual(self.prove()["verdict"], "yes")
            self.assertEqual(self.gate.ask.called, asked)

    def test_is_alive_until_its_server_has_ended_and_stopped_when_somebody_asks(self):
        self.prove()
        alive = self.made.call_args.args[2]
        self.assertTrue(alive())
        self.server.status = 0
        self.assertFalse(alive())
        self.supervisor.stop_asked.set()
        with self.assertRaises(Stopped):
            alive()

    def test_stays_until_the_server_ends_or_a_stop_is_asked_for(self):
        self.prove()
        self.server.status = 0
        self.assertEqual(self.supervisor.stay(), 0)
        self.supervisor.stop_asked.set()
        self.assertIsNone(self.supervisor.stay())

    def test_is_stopped_by_both_signals(self):
        self.prove()
        handlers = {}
        with mock.patch.object(launcher.signal, "signal", handlers.__setitem__):
            self.supervisor.listen()
        self.assertEqual(set(handlers), {signal.SIGTERM, signal.SIGINT})
        handlers[signal.SIGTERM](signal.SIGTERM, None)
        self.assertTrue(self.supervisor.stop_asked.is_set())
