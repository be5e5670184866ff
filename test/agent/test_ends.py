"""How a launcher, a rollout and a pod end: by the status that systemd, Kubernetes and Pulumi act on."""

import json
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from test.agent import support

from sglang_agent import files, kept, launcher
from sglang_agent.answer import AgentError
from sglang_agent.gate.run import Stopped
from sglang_agent.pod import ranks, revisions

YES = {"verdict": "yes", "passed": 3, "generation": "gen1"}
NO = {"verdict": "no", "passed": 1, "generation": "gen1", "check": "greedy[0].answer", "reason": "Rome", "evidence": {}}


class Launcher(unittest.TestCase):
    def launch(self, found, stay=None):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.runtime = Path(holder.name)
        activate, prepare = support.example("host/activate"), support.example("host/prepare")
        shown = {key: value for key, value in activate.items() if key != "prepared"}
        kept.write(self.runtime / "desired.json", {**prepare["service"], **shown, "stopGraceSeconds": 30})
        kept.write(self.runtime / "verdict.json", {**YES, "generation": "of-the-last-start"})
        self.server = mock.Mock()
        with (
            mock.patch.dict(os.environ, {"RUNTIME_DIRECTORY": str(self.runtime)}),
            mock.patch.object(launcher.build, "python_of", return_value="python"),
            mock.patch.object(launcher, "Server", return_value=self.server),
            mock.patch.object(launcher.Supervisor, "listen"),
            mock.patch.object(launcher.Supervisor, "prove", side_effect=[found]),
            mock.patch.object(launcher.Supervisor, "stay", return_value=stay),
            mock.patch.object(launcher.notify, "ready") as self.ready,
        ):
            return launcher.launch([str(self.runtime)])

    def verdict(self):
        found = files.read_json(self.runtime / "verdict.json")
        return found and {key: value for key, value in found.items() if key != "contract"}

    def test_a_no_is_78_which_systemd_does_not_answer_with_a_restart(self):
        self.assertEqual(self.launch(NO), 78)
        self.assertEqual(self.verdict(), NO)
        self.server.stop.assert_called_once_with(launcher.BROKEN_GRACE_SECONDS)
        self.ready.assert_not_called()

    def test_a_server_that_did_not_come_up_is_1_and_tried_again(self):
        self.assertEqual(self.launch({**NO, "check": "start"}), 1)

    def test_a_server_that_ends_by_itself_is_1_whatever_its_status(self):
        for status in (0, 1, -9):
            self.assertEqual(self.launch(YES, status), 1)
            self.server.stop.assert_called_once_with(0)

    def test_a_stop_that_was_asked_for_is_0_after_the_drain(self):
        self.assertEqual(self.launch(YES, None), 0)
        self.server.stop.assert_called_once_with(30)
        self.ready.assert_called_once()
        self.assertEqual(self.verdict(), YES)

    def test_a_stop_during_the_gate_is_0_too_and_leaves_no_verdict_of_another_start(self):
        self.assertEqual(self.launch(Stopped()), 0)
        self.assertIsNone(self.verdict())
        self.server.stop.assert_called_once_with(30)


class Ranks(unittest.TestCase):
    def rank(self, host, **environment):
        with (
            mock.patch.dict(os.environ, environment, clear=True),
            mock.patch.object(ranks.socket, "gethostname", return_value=host),
        ):
            return ranks.rank()

    def test_are_the_host_names_last_number_or_the_index_in_the_group(self):
        self.assertEqual(self.rank("chat-3"), 3)
        self.assertEqual(self.rank("chat-12"), 12)
        self.assertEqual(self.rank("chat"), 0)
        self.assertEqual(self.rank("chat-2-x"), 0)
        self.assertEqual(self.rank("chat-group-0-1", LWS_WORKER_INDEX="0"), 0)
        self.assertEqual(self.rank("chat-group-0", LWS_WORKER_INDEX="2"), 2)

    def test_the_head_waits_until_its_name_leads_to_it(self):
        told = iter([OSError, ["10.0.0.1"], ["10.0.0.2"]])
        asked = []

        def look(name, _port):
            if name == "chat-0":
                return [(0, 0, 0, "", ("10.0.0.2", 0))]
            asked.append(name)
            found = next(told)
            if found is OSError:
                raise OSError
            return [(0, 0, 0, "", (address, 0)) for address in found]

        with (
            mock.patch.object(ranks.socket, "getaddrinfo", look),
            mock.patch.object(ranks.socket, "gethostname", return_value="chat-0"),
            mock.patch.object(ranks.time, "sleep"),
        ):
            ranks.await_name({"nodes": {"head": "chat-0.chat-pods"}})
            ranks.await_name({})
        self.assertEqual(asked, ["chat-0.chat-pods"] * 3)

    def test_a_mounted_document_that_is_none_is_a_failure(self):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(json.dumps({"a": 1})[:-1])
            file.flush()
            with self.assertRaisesRegex(AgentError, "not a JSON document"):
                revisions.read("pod", file.name)
