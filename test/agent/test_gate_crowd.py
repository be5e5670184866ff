"""Many questions at once: which of several wrong answers is told, what a crowd is asked, and what its speed is."""

import json
import unittest
from unittest import mock

from test.agent import support  # noqa: F401  (puts the agent on the path)

from sglang_agent.gate import questions, run
from sglang_agent.gate.client import Reply

SPEC = {
    "greedy": [{"prompt": "17 plus 25?", "expect": "42", "maxTokens": 100}],
    "concurrency": {"requests": 4, "maxTokens": 40},
    "servedModelName": "tiny",
    "timeoutSeconds": 20,
}
STREAM = Reply(200, 'data: {"choices": [{"delta": {"content": "It is 42."}}]}\n\ndata: [DONE]\n\n', 0.4, first=0.25)
GONE = Reply(None, "", 0.1, "disconnected (RemoteDisconnected)")


def chat(content, tokens=9):
    document = {"choices": [{"message": {"content": content}}], "usage": {"completion_tokens": tokens}}
    return Reply(200, json.dumps(document), 0.1)


def numbers(tokens=5):
    rows = {"output_token_logprobs": [[-0.1, 5, None]] * tokens, "completion_tokens": tokens}
    return Reply(200, json.dumps({"output_ids": list(range(tokens)), "meta_info": rows}), 0.1)


class Crowd(unittest.TestCase):
    def ask(self, answer, alive=lambda: True, **spec):
        """The gate after it was asked, and its No. `answer` gets the place in the crowd, None for one that is alone."""
        spec = {**SPEC, "concurrency": {"requests": 4, "maxTokens": 140}, **spec}
        crowd = questions.crowd(spec)

        def post(path, body, timeout):
            place = next((place for place, question in enumerate(crowd) if question.body == body), None)
            sound = STREAM if body.get("stream") else chat("It is 42.")
            return answer(place) or (numbers() if path == questions.GENERATE else sound)

        gate = run.Gate(spec, mock.Mock(post=post, port=1), alive, lambda text: None)
        try:
            gate.ask()
            return gate, None
        except run.No as no:
            return gate, no

    def test_a_wrong_answer_is_told_in_the_place_of_the_deaths_beside_it(self):
        for wrong in (0, 2):
            replies = {place: chat("It is 43, I think.") if place == wrong else GONE for place in range(4)}
            _, no = self.ask(replies.get)
            self.assertEqual(no.check, f"concurrent[{wrong}].answer")

    def test_a_death_is_told_where_every_other_answer_is_right(self):
        for dead in range(4):
            _, no = self.ask({dead: GONE}.get)
            self.assertEqual(no.check, "death")
            self.assertIn(f"concurrent[{dead}]", no.reason)

    def test_the_first_of_several_wrong_answers_is_told(self):
        _, no = self.ask({0: chat("Rome"), 2: chat("Oslo")}.get)
        self.assertEqual(no.check, "concurrent[0].answer")
        self.assertIn("Rome", no.evidence["response"])

    def test_every_answer_alone_and_in_the_crowd_is_counted(self):
        gate, no = self.ask(lambda place: None)
        self.assertIsNone(no)
        self.assertEqual(
            sorted(gate.passed),
            sorted(
                ["concurrent[0].answer", "concurrent[1].numbers", "concurrent[2].answer", "concurrent[3].numbers"] * 2
                + ["greedy[0].answer", "greedy[0].numbers", "stream"]
            ),
        )

    def test_a_server_that_is_asked_no_crowd_is_asked_for_a_stream_and_how_fast_it_begins(self):
        alone = {"concurrency": {"requests": 0, "maxTokens": 40}}
        gate, no = self.ask(lambda place: None, **alone, maximumSecondsToFirstToken=0.25)
        self.assertEqual((no, gate.first_token, gate.rate), (None, 0.25, None))
        _, no = self.ask(lambda place: None, **alone, maximumSecondsToFirstToken=0.24)
        self.assertEqual(no.check, "firstToken")

    def together(self, **spec):
        """A gate whose crowd of two has made fourteen tokens in two seconds."""
        gate = run.Gate({**SPEC, **spec}, mock.Mock(), lambda: True, lambda text: None)
        asked = [question for question in questions.crowd(SPEC) if question.path == questions.GENERATE]
        times = iter([10.0, 12.0])
        with (
            mock.patch.object(run.time, "monotonic", lambda: next(times)),
            mock.patch.object(gate, "reply", return_value=numbers(7)),
        ):
            gate._speed(asked, 99.0)
        return gate

    def test_speed_is_the_tokens_of_the_whole_crowd_by_its_time(self):
        self.assertEqual(self.together().rate, 7.0)

    def test_a_speed_at_the_floor_is_enough(self):
        self.together(minimumTokensPerSecond=7.0)
        with self.assertRaises(run.No) as no:
            self.together(minimumTokensPerSecond=7.1)
        self.assertEqual(no.exception.check, "throughput")

    def test_a_server_that_ended_after_its_last_answer_is_a_no(self):
        _, no = self.ask(lambda place: None, alive=lambda: False)
        self.assertEqual(no.check, "end")


class Asked(unittest.TestCase):
    """How many tokens a question of a crowd may use."""

    def most(self, **spec):
        return [
            question.body.get("max_tokens") or question.body["sampling_params"]["max_new_tokens"]
            for question in questions.crowd({**SPEC, **spec})
        ]

    def test_a_known_question_has_what_it_needs_alone_or_more(self):
        self.assertEqual(self.most()[0], 100)
        self.assertEqual(self.most(concurrency={"requests": 4, "maxTokens": 300})[0], 300)

    def test_sampled_texts_are_of_unlike_lengths_and_never_shorter_than_eight(self):
        lengths = self.most(concurrency={"requests": 12, "maxTokens": 40})
        self.assertEqual(lengths[1::2], [20, 40, 10, 20, 40, 10])
        self.assertEqual(set(self.most(concurrency={"requests": 6, "maxTokens": 9})[1::2]), {8, 9})

    def test_the_numbers_of_a_known_question_are_few_and_never_more_than_it_has(self):
        for most, expected in ((20, 20), (64, 64), (500, 64)):
            greedy = [{"prompt": "17 plus 25?", "expect": "42", "maxTokens": most}]
            [few, answer] = questions.series({**SPEC, "greedy": greedy})
            self.assertEqual(few.body["sampling_params"]["max_new_tokens"], expected)
            self.assertEqual(answer.body["max_tokens"], most)

    def test_every_known_question_has_its_turn_in_a_crowd(self):
        greedy = [{"prompt": f"question {n}", "expect": "x", "maxTokens": 9} for n in range(3)]
        asked = questions.crowd({**SPEC, "greedy": greedy, "concurrency": {"requests": 6, "maxTokens": 9}})
        known = [question.body["messages"][0]["content"][-10:] for question in asked if question.path == questions.CHAT]
        self.assertEqual(known, ["question 0", "question 1", "question 2"])

    def test_where_no_question_is_known_the_crowd_only_looks_at_numbers(self):
        asked = questions.crowd({**SPEC, "greedy": []})
        self.assertEqual([question.path for question in asked], [questions.GENERATE] * 4)
        self.assertEqual({question.body["sampling_params"]["temperature"] for question in asked}, {1.0})

    def test_reasoning_is_asked_for_where_no_question_is_known_too(self):
        [asked] = questions.series({**SPEC, "greedy": [], "reasoning": True})
        self.assertEqual((asked.check, asked.body["max_tokens"]), ("reasoning", 2048))
        self.assertIn("17 + 25", asked.body["messages"][0]["content"])
        [*_, asked] = questions.series({**SPEC, "reasoning": True})
        self.assertEqual(asked.body["messages"][0]["content"], "17 plus 25?")

    def test_a_filler_has_the_words_of_its_turn(self):
        lengths = [len(questions.filler(index).split()) for index in range(6)]
        rest = len("0. Do not mind these numbers:".split())
        self.assertEqual(lengths, [0, *(words + rest for words in questions.FILLER_WORDS[1:])])
        self.assertNotEqual(questions.filler(1)[:12], questions.filler(7)[:12])
