"""How the gate waits for a server that is slow, and how it tells one that is gone; and the verdict that it writes."""

import json
import unittest
from unittest import mock

from test.agent import support  # noqa: F401  (puts the agent on the path)

from sglang_agent import contract
from sglang_agent.gate import evidence, run
from sglang_agent.gate.client import Reply
from sglang_agent.gate.questions import CHAT, Question

SPEC = {"servedModelName": "tiny", "timeoutSeconds": 20}
QUESTION = Question("greedy[0].answer", CHAT, {"prompt": "17 plus 25?"}, ())
BUSY = Reply(503, "", 0.1)
LATE = Reply(None, "", 9.0, "timeout")
GONE = Reply(None, "", 0.1, "refused")
RIGHT = Reply(200, '{"choices": []}', 1.25)


class Clock:
    """Time that passes only where somebody sleeps or asks."""

    def __init__(self, test, *replies, step=1.0):
        self.now = 100.0
        self.step = step
        self.replies = list(replies)
        self.asked = []
        for name, value in (("monotonic", lambda: self.now), ("sleep", self.pass_by)):
            patched = mock.patch.object(run.time, name, value)
            patched.start()
            test.addCleanup(patched.stop)

    def pass_by(self, seconds):
        self.now += seconds

    def answer(self, path, *rest):
        self.now += self.step
        self.asked.append(rest[-1])
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


class Waiting(unittest.TestCase):
    def gate(self, *replies, alive=lambda: True, step=1.0, **client):
        self.clock = Clock(self, *replies, step=step)
        asked = mock.Mock(post=self.clock.answer, get=self.clock.answer, port=30000, **client)
        return run.Gate(SPEC, asked, alive, lambda text: None)

    def told(self, do):
        with self.assertRaises(run.No) as no:
            do()
        return no.exception

    def test_an_answer_that_is_late_or_busy_is_asked_for_again_with_the_time_that_is_left(self):
        gate = self.gate(BUSY, LATE, RIGHT)
        self.assertEqual(gate.reply(QUESTION, 110.0), RIGHT)
        self.assertEqual([round(left, 1) for left in self.clock.asked], [10.0, 8.8, 7.8])

    def test_time_ends_the_waiting_and_says_for_what(self):
        no = self.told(lambda: self.gate(BUSY).reply(QUESTION, 103.0))
        self.assertEqual((no.check, no.evidence["path"]), ("time", CHAT))
        self.assertIn("no answer to greedy[0].answer within the gate's 20 s", no.reason)
        self.assertEqual(no.evidence["request"], QUESTION.body)

    def test_no_time_at_all_asks_nothing(self):
        gate = self.gate(RIGHT)
        self.assertEqual(self.told(lambda: gate.reply(QUESTION, 100.0)).check, "time")
        self.assertEqual(self.clock.asked, [])

    def test_a_server_that_is_gone_is_a_death_and_one_that_is_stopped_is_not(self):
        no = self.told(lambda: self.gate(GONE).reply(QUESTION, 110.0))
        self.assertEqual((no.check, no.evidence["error"]), ("death", "refused"))
        with self.assertRaises(run.Stopped):
            self.gate(GONE, alive=mock.Mock(side_effect=run.Stopped)).reply(QUESTION, 110.0)

    def test_a_busy_server_whose_process_ended_is_a_death(self):
        no = self.told(lambda: self.gate(BUSY, alive=lambda: False).reply(QUESTION, 110.0))
        self.assertEqual((no.check, no.evidence["status"]), ("death", 503))

    def test_a_start_may_take_its_whole_budget_and_no_more(self):
        self.assertAlmostEqual(self.gate(BUSY, BUSY, RIGHT).wait(10), 3.4)
        no = self.told(lambda: self.gate(BUSY).wait(2))
        self.assertEqual(no.check, "start")
        self.assertIn("the startup budget of 2 s (/health: status 503)", no.reason)
        self.assertIn("(/health: refused)", self.told(lambda: self.gate(GONE).wait(2)).reason)
        # an answer that came with the last look counts, however late
        self.assertEqual(self.gate(RIGHT, step=5.0).wait(2), 5.0)

    def test_a_stranger_has_a_moment_to_go(self):
        self.gate(RIGHT, listens=mock.Mock(side_effect=[True, True, False])).refuse_stranger()
        no = self.told(self.gate(RIGHT, listens=lambda: True).refuse_stranger)
        self.assertEqual((no.check, no.reason), ("port", "something else listens on port 30000 already"))


class Evidence(unittest.TestCase):
    def test_has_what_was_asked_and_what_came(self):
        reply = Reply(500, "x" * 2000, 1.23456)
        gate = run.Gate(SPEC, mock.Mock(), lambda: True, lambda text: None)
        with self.assertRaises(run.No) as no:
            gate._judge(QUESTION, reply)
        found = no.exception.evidence
        self.assertEqual((found["seconds"], found["status"], found["path"]), (1.235, 500, CHAT))
        self.assertEqual(found["response"], "x" * evidence.RESPONSE_EXCERPT)
        self.assertNotIn("error", found)

    def test_an_answer_that_is_no_json_is_a_no_and_not_passed(self):
        gate = run.Gate(SPEC, mock.Mock(), lambda: True, lambda text: None)
        for body in ("", "<html>", "null"):
            with self.assertRaisesRegex(run.No, "not JSON"):
                gate._judge(QUESTION, Reply(200, body, 0.1))
        self.assertEqual(gate.passed, [])
        gate._judge(QUESTION, RIGHT)
        self.assertEqual(gate.passed, ["greedy[0].answer"])


class Verdicts(unittest.TestCase):
    def verdict(self, wrong=None, passed=(), rate=None, up=None):
        gate = run.Gate(SPEC, mock.Mock(), lambda: True, lambda text: None)
        gate.passed, gate.rate = list(passed), rate
        return run.verdict("gen1", gate, wrong, ["CUDA error: an illegal memory access"], up)

    def test_a_yes_has_its_figures(self):
        found = self.verdict(passed=["a", "b"], rate=12.5, up=61.26)
        self.assertEqual(
            found,
            {
                "contract": contract.version(),
                "generation": "gen1",
                "passed": 2,
                "tokensPerSecond": 12.5,
                "upAfterSeconds": 61.3,
                "verdict": "yes",
            },
        )

    def test_a_figure_of_zero_is_one_and_one_that_is_not_known_is_left_out(self):
        self.assertEqual(self.verdict(rate=0.0, up=0.0)["tokensPerSecond"], 0.0)
        self.assertEqual(self.verdict(rate=0.0, up=0.0)["upAfterSeconds"], 0.0)
        self.assertNotIn("tokensPerSecond", self.verdict())
        self.assertNotIn("upAfterSeconds", self.verdict())

    def test_a_server_that_did_not_start_died_or_ended_is_told_with_its_last_words(self):
        for check in ("start", "death", "end"):
            found = self.verdict(run.No(check, "gone", {"status": 503}))
            self.assertEqual((found["verdict"], found["check"], found["reason"]), ("no", check, "gone"))
            self.assertEqual(found["evidence"], {"status": 503, "log": ["CUDA error: an illegal memory access"]})

    def test_a_wrong_answer_is_told_with_what_was_asked_and_no_log(self):
        found = self.verdict(run.No("greedy[0].answer", "Rome", {"status": 200}), passed=["a"])
        self.assertEqual((found["evidence"], found["passed"]), ({"status": 200}, 1))

    def test_the_evidence_of_a_no_stays_its_own(self):
        no = run.No("death", "gone", {"status": 503})
        self.verdict(no)
        self.assertEqual(no.evidence, {"status": 503})
        self.assertIn('"evidence": {}', json.dumps(self.verdict(run.No("port", "taken"))))
