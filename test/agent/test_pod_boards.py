"""What a pod answers to probes, to its other nodes, and to whoever waits for its verdict."""

import urllib.error
import urllib.request
from unittest import mock

from test.agent.support import Scratch

from sglang_agent.pod import ask, verdict
from sglang_agent.pod.board import Board


class Boards(Scratch):
    def setUp(self):
        super().setUp()
        self.board = Board("chat", "gen2", 1)
        server = self.board.open(0)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.url = f"http://127.0.0.1:{server.server_address[1]}"

    def status(self, path):
        try:
            return urllib.request.urlopen(self.url + path, timeout=10).status
        except urllib.error.HTTPError as error:
            return error.code

    def test_says_ready_by_the_status_that_a_probe_goes_by(self):
        self.assertEqual(self.status("/ready"), 503)
        self.board.ready = lambda: True
        self.assertEqual((self.status("/ready"), ask.board(self.url + "/ready")), (200, {"ready": True}))

    def test_has_nothing_elsewhere(self):
        for path in ("/verdict", "/serving", "/", "/other"):
            self.assertEqual((self.status(path), ask.board(self.url + path)), (404, None))

    def state(self):
        return ask.board(self.url + "/state")

    def test_says_what_it_was_made_for_before_anything_is_started(self):
        nothing = {"meeting": None, "serving": None, "start": None, "verdict": None}
        self.assertEqual(self.state(), {"name": "chat", "desired": "gen2", "rank": 1, **nothing})

    def test_tells_its_verdict_and_what_serves(self):
        self.board.verdict = {"verdict": "no", "reason": "Röm"}
        self.board.begin("gen1", 20001)
        told = self.state()
        self.assertEqual(told["verdict"], {"verdict": "no", "reason": "Röm"})
        self.assertEqual((told["serving"], told["desired"], told["meeting"]), ("gen1", "gen2", 20001))

    def test_each_start_is_another_and_its_end_leaves_none(self):
        starts = set()
        for _ in range(3):
            self.board.begin("gen1", None)
            starts.add(self.state()["start"])
        self.assertEqual(len(starts), 3)
        self.board.end()
        told = self.state()
        self.assertEqual((told["serving"], told["start"], told["meeting"]), (None, None, None))

    def test_is_asked_directly_whatever_the_proxy(self):
        self.set(http_proxy="http://127.0.0.1:9", HTTP_PROXY="http://127.0.0.1:9")
        self.assertEqual(self.state()["name"], "chat")

    def test_where_nobody_answers_is_none(self):
        self.assertIsNone(ask.board("http://127.0.0.1:9/serving"))
        with mock.patch.object(ask.urllib.request, "build_opener") as opener:
            opener.return_value.open.return_value.__enter__.return_value.read.return_value = b"<html>"
            self.assertIsNone(ask.board(self.url))

    def test_of_a_pod_is_at_its_address_of_either_kind(self):
        for status, url in (
            ({"podIP": "10.0.0.7"}, "http://10.0.0.7:30080"),
            ({"podIP": "fd00::7"}, "http://[fd00::7]:30080"),
            ({}, "http://127.0.0.1:30080"),
        ):
            watching = mock.Mock(given=mock.Mock(port="30080"))
            self.assertEqual(verdict.Rollout._address(watching, {"status": status}), url)
