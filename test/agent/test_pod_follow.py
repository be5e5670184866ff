"""A rank after the first: which head it follows, with what it starts, and when it starts anew."""

import contextlib
import io
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from test.agent import support

from sglang_agent import kept
from sglang_agent.pod import follow
from sglang_agent.pod.board import Board


class Stop:
    """Says that a stop was asked for, once the tale is told; nothing waits."""

    def __init__(self, tale):
        self.tale = tale

    def is_set(self):
        return not self.tale

    def set(self):
        self.tale.clear()

    def wait(self, _seconds):
        return self.is_set()


class Following(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.good = self.folder / "last-good.json"
        self.log = []

    def revision(self, generation):
        nodes = {"head": "chat-0.chat-pods", "port": 20000, "boardPort": 30080, "count": 2}
        example = {key: value for key, value in support.example("pool/pod").items() if key != "apiKeyFile"}
        return {**example, "name": "chat", "generation": generation, "nodes": nodes, "stopGraceSeconds": 60}

    def head(self, desired="gen2", serving="gen2", start="s1", meeting=20032, **more):
        state = {"desired": desired, "serving": serving, "start": start, "meeting": meeting}
        return {"name": "chat", "rank": 0, **state, **more}

    def follow(self, *tale, dies_at=()):
        """What the head's board says at each look, and the looks before which the server has died."""
        tale = list(tale)
        looks = [0]

        def look(_url):
            looks[0] += 1
            return tale.pop(0) if tale else None

        def made(revision, rank, meeting, _key, _scratch):
            server = mock.Mock()
            server.start.side_effect = lambda _: self.log.append(f"start {revision['generation']} {rank} {meeting}")
            server.stop.side_effect = lambda grace: self.log.append(f"stop {grace:.0f}")
            server.last_lines.return_value = []
            type(server).status = property(lambda _: 1 if looks[0] in dies_at else None)
            return server

        self.said = []
        board = Board("chat", "gen2", 1)
        follower = follow.Follower(self.revision("gen2"), self.good, board, "/build", self.folder)
        follower.stop = Stop(tale)
        with (
            mock.patch.object(follow.signal, "signal"),
            mock.patch.object(follow.ask, "board", look),
            mock.patch.object(follow.start, "server", made),
            mock.patch.object(follow.start, "key", return_value=None),
            mock.patch.object(follow.start, "environment", return_value={}),
            mock.patch.object(follow.termination, "tell", self.said.append),
            contextlib.redirect_stdout(io.StringIO()),
        ):
            return follower.follow()

    def test_a_head_of_the_set_before_is_not_followed_whatever_it_serves(self):
        kept.write(self.good, self.revision("gen1"))
        before = self.head(desired="gen1", serving="gen1")
        self.assertEqual(
            self.follow(before, before, None, self.head(start=None, serving=None), self.head(), self.head(), None), 0
        )
        self.assertEqual(self.log, ["start gen2 1 20032", "stop 60"])

    def test_another_service_that_has_the_heads_old_address_is_not_followed(self):
        self.follow(self.head(name="other"), self.head(rank=2), None)
        self.assertEqual(self.log, [])

    def test_a_head_that_goes_back_is_followed_back(self):
        kept.write(self.good, self.revision("gen1"))
        back = self.head(serving="gen1", start="s2", meeting=20064)
        self.follow(self.head(), self.head(), None, back, back, back, None)
        self.assertEqual(self.log, ["start gen2 1 20032", "stop 5", "start gen1 1 20064", "stop 60"])

    def test_a_head_that_starts_the_same_anew_is_met_at_its_new_port(self):
        again = self.head(start="s2", meeting=20064)
        self.follow(self.head(), self.head(), again, again, again, None)
        self.assertEqual(self.log, ["start gen2 1 20032", "stop 5", "start gen2 1 20064", "stop 60"])

    def test_a_server_that_dies_of_its_heads_end_is_started_again_beside_the_next(self):
        again = self.head(start="s2", meeting=20064)
        status = self.follow(self.head(), self.head(), self.head(), again, again, again, None, dies_at=(2,))
        self.assertEqual((status, self.said), (0, []))
        self.assertEqual(self.log[-2:], ["start gen2 1 20064", "stop 60"])

    def test_a_server_that_dies_beside_a_head_that_stays_is_1_and_said(self):
        with mock.patch.object(follow, "HEAD_GONE_SECONDS", 0):
            self.assertEqual(self.follow(*[self.head()] * 5, dies_at=(2,)), 1)
        self.assertIn("the server ended by itself with status 1", self.said[0])
