"""One container's life: what it remembers of its verdict, what its board says, and what its server gets to see."""

import argparse
import os
import stat
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from test.agent import support

from sglang_agent import files, kept
from sglang_agent.answer import AgentError
from sglang_agent.gate.run import Stopped
from sglang_agent.pod import run, start
from sglang_agent.server import Server

YES = {"verdict": "yes", "passed": 3, "generation": "gen2"}
NO = {"verdict": "no", "passed": 1, "generation": "gen2", "check": "greedy[0].answer", "reason": "Rome", "evidence": {}}


class Container(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.model = files.make_directory(self.folder / "model")
        files.write_json(self.model / "manifest.json", {"files": []})
        files.write_json(self.model / ".complete", {"files": 0})
        files.make_directory(self.folder / "run")

    def revision(self, generation, **more):
        example = {
            key: value for key, value in support.example("pool/pod").items() if key not in ("apiKeyFile", "nodes")
        }
        return {
            **example,
            "name": "chat",
            "generation": generation,
            "arguments": {"tp-size": 8},
            "environment": {"HOME": str(self.folder / "home")},
            "model": {"path": str(self.model)},
            "endpoint": {"host": "0.0.0.0", "port": 1},
            "readyPath": "/ready",
            "stopGraceSeconds": 30,
            **more,
        }

    def pod(self, rank=0, **more):
        files.write_json(self.folder / "desired.json", self.revision("gen2", **more))
        paths = {"desired": self.folder / "desired.json", "state": self.folder / "state", "run": self.folder / "run"}
        given = argparse.Namespace(**{name: str(path) for name, path in paths.items()}, build="/build", port="0")
        with (
            mock.patch.object(run.Board, "open"),
            mock.patch.object(run.ranks, "rank", return_value=rank),
        ):
            return run.Pod(given)

    def serve(self, pod, found, stay=None):
        """The exit status; what the server was started with is in `self.server`, and the board's word at its stop."""
        self.at_stop, self.at_leaving = [], []
        server = mock.Mock()
        server.last_lines.return_value = []
        server.stop.side_effect = lambda grace: self.at_stop.append((pod.board.ready(), grace))
        self.said = []
        with (
            mock.patch.object(start, "Server", return_value=server) as self.server,
            mock.patch.object(run.ranks, "await_name"),
            mock.patch.object(run.Supervisor, "listen"),
            mock.patch.object(run.Supervisor, "prove", side_effect=[found]) as self.prove,
            mock.patch.object(run.Supervisor, "stay", return_value=stay),
            mock.patch.object(run.termination, "tell", self.said.append),
            mock.patch.object(run.time, "sleep", lambda _: self.at_leaving.append(pod.board.ready())),
            mock.patch.object(run.Client, "get", return_value=mock.Mock(status=200)),
        ):
            return pod.serve()

    def remembered(self):
        return files.read_json(self.folder / "run/verdict.json"), files.read_json(
            self.folder / "state/chat/last-good.json"
        )

    def test_a_yes_is_remembered_for_this_pod_and_the_revision_for_those_after_it(self):
        pod = self.pod()
        self.assertEqual(self.serve(pod, YES), 0)
        verdict, good = self.remembered()
        self.assertEqual((verdict["verdict"], good["generation"]), ("yes", "gen2"))
        self.assertEqual((pod.board.verdict["verdict"], pod.board.serving), ("yes", "gen2"))

    def test_a_no_is_78_and_remembered_for_this_pod_alone(self):
        self.assertEqual(self.serve(self.pod(), NO), 78)
        verdict, good = self.remembered()
        self.assertEqual((verdict["verdict"], good), ("no", None))
        self.assertIn("the gate said no to gen2", self.said[0])

    def test_after_a_no_the_last_good_revision_serves_and_the_no_stays_on_the_board(self):
        kept.write(self.folder / "state/chat/last-good.json", self.revision("gen1"))
        kept.write(self.folder / "run/verdict.json", NO)
        pod = self.pod()
        self.assertEqual(pod.board.verdict["back"], "gen1")
        self.assertEqual(self.serve(pod, {**YES, "generation": "gen1"}), 0)
        verdict, good = self.remembered()
        self.assertEqual((verdict["verdict"], good["generation"]), ("no", "gen1"))
        self.assertEqual((pod.board.verdict["verdict"], pod.board.serving), ("no", "gen1"))

    def test_the_ranks_of_each_start_meet_on_another_port_away_from_those_of_the_pod(self):
        nodes = {"head": "chat-0.chat-pods", "port": 20000, "boardPort": 20040, "count": 2}
        pod = self.pod(nodes=nodes, endpoint={"host": "0.0.0.0", "port": 20010})
        self.serve(pod, YES)
        state = pod.board.state()
        started = self.server.call_args.args[0]["arguments"]
        where = {"dist-init-addr": f"chat-0.chat-pods:{state['meeting']}", "nnodes": 2, "node-rank": 0}
        self.assertEqual(started, {"tp-size": 8, **where})
        first, ports = state["start"], {state["meeting"]}
        for _ in range(8):
            self.serve(pod, YES)
            ports.add(pod.board.state()["meeting"])
        self.assertNotEqual(pod.board.state()["start"], first)
        self.assertGreater(len(ports), 2)
        self.assertFalse(ports & {20000, 20032})

    def test_a_pod_is_not_ready_while_it_drains(self):
        self.serve(self.pod(), YES)
        self.assertEqual((self.at_leaving, self.at_stop), ([False], [(False, 30)]))

    def test_a_pod_is_not_ready_before_its_gate(self):
        self.assertFalse(self.pod().board.ready())
        self.assertEqual(self.serve(self.pod(), Stopped()), 0)
        self.assertEqual(self.at_stop, [(False, 30)])

    def test_a_server_that_ends_by_itself_is_1_and_said(self):
        self.assertEqual(self.serve(self.pod(), YES, stay=-9), 1)
        self.assertIn("the server ended by itself with status -9", self.said[0])

    def test_weights_that_are_not_complete_are_not_served(self):
        (self.model / ".complete").unlink()
        with self.assertRaisesRegex(AgentError, "are not complete"):
            self.serve(self.pod(), YES)

    def test_the_patched_build_comes_before_the_images_own(self):
        self.serve(self.pod(), YES)
        self.assertEqual(self.prove.call_args.args[0]["PYTHONPATH"], "/build")
        self.assertTrue((self.folder / "home").is_dir())


class ServerProcess(unittest.TestCase):
    """A child that writes down what it sees in the place of a server."""

    def start(self, key, environment=None):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        python = self.folder / "python"
        python.write_text('#!/bin/sh\necho "$@" > "$OUT/words"\nenv > "$OUT/environment"\necho "key=$SHOWN"\n')
        python.chmod(0o755)
        server = Server({"arguments": {"tp-size": 8}}, str(python), key, self.folder)
        with mock.patch.object(sys, "stdout", mock.Mock()):
            server.start({**os.environ, **(environment or {}), "OUT": str(self.folder), "SHOWN": key or ""})
            server.wait(10)
            self.lines = server.last_lines()
        self.addCleanup(server.stop, 1)
        return server

    def test_gets_its_key_by_a_file_for_its_user_alone_which_goes_with_it(self):
        server = self.start("secret-key")
        config = self.folder / "config.yaml"
        self.assertEqual(config.read_text(), 'api-key: "secret-key"\n')
        self.assertEqual(stat.S_IMODE(config.stat().st_mode), 0o600)
        words = (self.folder / "words").read_text()
        self.assertNotIn("secret-key", words)
        self.assertIn(f"--config {config} --tp-size 8", words)
        server.stop(1)
        self.assertFalse(config.exists())

    def test_gets_no_file_where_there_is_no_key(self):
        self.start(None)
        self.assertNotIn("--config", (self.folder / "words").read_text())

    def test_is_not_given_what_is_systemds_and_the_launchers(self):
        self.start(None, {"NOTIFY_SOCKET": "/run/x", "CREDENTIALS_DIRECTORY": "/run/y", "KEPT": "1"})
        environment = (self.folder / "environment").read_text()
        self.assertIn("KEPT=1", environment)
        self.assertNotRegex(environment, "NOTIFY_SOCKET|CREDENTIALS_DIRECTORY")

    def test_has_no_key_in_its_last_lines(self):
        self.start("secret-key")
        self.assertEqual(self.lines, ["key=***"])
