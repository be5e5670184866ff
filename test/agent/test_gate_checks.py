"""Every question stands up to each of its checks: an answer that only one of them refuses is a no."""

import unittest

from test.agent import support  # noqa: F401  (puts the agent on the path)

from sglang_agent.documents import Gate
from sglang_agent.gate import checks, questions

GATE: Gate = {
    "greedy": [{"prompt": "What is 17 plus 25?", "expect": "42", "maxTokens": 100}],
    "sampled": {"requests": 2, "temperature": 0.7, "maxTokens": 32},
    "concurrency": {"requests": 2, "maxTokens": 16},
    "toolCall": True,
    "reasoning": True,
    "servedModelName": "tiny",
    "timeoutSeconds": 20,
}

NUMBERS = {"output_ids": [5, 6, 7, 8], "meta_info": {"output_token_logprobs": [[-0.1, 5, None]] * 4}}
CALL = {"function": {"name": "get_weather", "arguments": '{"city": "Paris"}'}}


def chat(content="It is 42.", tokens=9, stop=None, **message):
    choice = {"message": {"content": content, **message}, "matched_stop": stop}
    return {"choices": [choice], "usage": {"completion_tokens": tokens}}


def numbers(ids=(5, 6, 7, 8), logprob=-0.1, finish=None):
    meta = {"output_token_logprobs": [[logprob, 5, None]] * len(ids), "finish_reason": finish}
    return {"output_ids": list(ids), "meta_info": meta}


WRONG_NUMBERS = {
    "NaN, by the server's own sign": numbers(finish={"type": "stop", "matched": "NaN happened"}),
    "the same in an abort": numbers(finish={"type": "abort", "message": "NaN happened"}),
    "one token again and again": numbers(ids=(3, 3, 3, 3)),
    "an id below zero": numbers(ids=(5, -1)),
    "an id that is no number": {**NUMBERS, "output_ids": ["5", "6"]},
    "no ids": {**NUMBERS, "output_ids": []},
    "a log-probability that is NaN": numbers(logprob=float("nan")),
    "one that is none": numbers(logprob=None),
    "one that is true": numbers(logprob=True),
    "one above zero": numbers(logprob=0.5),
    "no log-probabilities": {"output_ids": [5, 6], "meta_info": {}},
}
THOUGHT = {"reasoning_content": "17 and 25 are 42."}
WRONG_TEXT = {
    "NaN, by the server's own sign": chat(stop="NaN happened", **THOUGHT),
    "nothing said": chat("", tokens=16),
    "one token": chat("42", tokens=1, **THOUGHT),
    "a row of exclamation marks": chat("42" + "!" * 12, **THOUGHT),
    "one character": chat("4 4444444"),
}
ASKED = {question.check: question for question in questions.series(GATE) + questions.crowd(GATE)}


def judged(check, document):
    """Whether an answer passes all checks of a question."""
    return not any(check(document) for check in ASKED[check].checks)


class EveryCheck(unittest.TestCase):
    def refuses(self, check, table):
        for name, document in table.items():
            with self.subTest(f"{check}: {name}"):
                self.assertFalse(judged(check, document))

    def test_numbers_are_looked_at_greedily_sampled_and_in_a_crowd(self):
        for check in ("greedy[0].numbers", "sampled[0].numbers", "concurrent[1].numbers"):
            self.assertTrue(judged(check, numbers()))
            self.refuses(check, WRONG_NUMBERS)

    def test_a_known_answer_is_looked_at_alone_and_in_a_crowd(self):
        for check in ("greedy[0].answer", "concurrent[0].answer"):
            self.assertTrue(judged(check, chat()))
            self.refuses(check, {**WRONG_TEXT, "another answer": chat("It is 43, I think.")})

    def test_a_sampled_text_is_looked_at(self):
        self.assertTrue(judged("sampled[1].text", chat("Anything at all.")))
        self.refuses("sampled[1].text", WRONG_TEXT)

    def test_reasoning_is_apart_from_the_content(self):
        self.assertTrue(judged("reasoning", chat(**THOUGHT)))
        tags = {"none": chat(), "tags left": chat("<think>so</think> 42", **THOUGHT)}
        self.refuses("reasoning", {**WRONG_TEXT, **tags})

    def test_a_tool_call_is_of_the_tool_with_an_object(self):
        self.assertTrue(judged("toolCall", chat(None, tool_calls=[CALL])))
        wrong = {
            "NaN": chat(None, stop="NaN happened", tool_calls=[CALL]),
            "none": chat("get_weather(Paris)"),
            "of another tool": chat(None, tool_calls=[{"function": {"name": "other", "arguments": "{}"}}]),
            "with a list": chat(None, tool_calls=[{"function": {"name": "get_weather", "arguments": "[]"}}]),
            "with half a text": chat(None, tool_calls=[{"function": {"name": "get_weather", "arguments": "{"}}]),
        }
        self.refuses("toolCall", wrong)


class Borders(unittest.TestCase):
    """The last answer that passes, and the first that does not."""

    def test_of_one_token_again_and_again(self):
        self.assertIsNone(checks.token_ids({"output_ids": [3, 3, 3]}))
        self.assertIsNotNone(checks.token_ids({"output_ids": [3, 3, 3, 3]}))
        self.assertIsNone(checks.token_ids({"output_ids": [3, 3, 3, 4]}))
        self.assertIsNone(checks.token_ids({"output_ids": [0]}))

    def test_of_a_row_of_exclamation_marks(self):
        self.assertIsNone(checks.something_said(chat("Well" + "!" * 11)))
        self.assertIsNotNone(checks.something_said(chat("Well" + "!" * 12)))

    def test_of_one_character(self):
        self.assertIsNone(checks.something_said(chat("a" * 7)))
        self.assertIsNotNone(checks.something_said(chat("a" * 8)))

    def test_of_one_token(self):
        self.assertIsNotNone(checks.something_said(chat("42", tokens=1)))
        self.assertIsNone(checks.something_said(chat("42", tokens=2)))

    def test_of_a_log_probability_that_was_rounded(self):
        self.assertIsNone(checks.log_probabilities(numbers(logprob=0.0)))
        self.assertIsNone(checks.log_probabilities(numbers(logprob=1e-4)))
        self.assertIsNotNone(checks.log_probabilities(numbers(logprob=2e-3)))


class WhatIsAsked(unittest.TestCase):
    def test_a_question_asks_for_numbers_of_the_tokens_and_for_the_served_model(self):
        greedy = ASKED["greedy[0].numbers"]
        self.assertEqual((greedy.path, greedy.body["return_logprob"]), ("/generate", True))
        self.assertEqual(greedy.body["sampling_params"], {"max_new_tokens": 64, "temperature": 0.0})
        answer = ASKED["greedy[0].answer"]
        self.assertEqual(answer.path, "/v1/chat/completions")
        self.assertEqual((answer.body["model"], answer.body["max_tokens"]), ("tiny", 100))
        self.assertEqual(answer.body["temperature"], 0)

    def test_a_sampled_question_is_sampled(self):
        self.assertEqual(ASKED["sampled[0].numbers"].body["sampling_params"]["temperature"], 0.7)
        self.assertEqual(ASKED["sampled[1].text"].body["temperature"], 0.7)
        self.assertEqual(ASKED["concurrent[1].numbers"].body["sampling_params"]["temperature"], 0.7)

    def test_tools_and_reasoning_are_asked_for_only_where_there_are_parsers(self):
        plain = {**GATE, "toolCall": False, "reasoning": False}
        names = [question.check for question in questions.series(plain)]
        self.assertNotIn("toolCall", names)
        self.assertNotIn("reasoning", names)
        [tool] = ASKED["toolCall"].body["tools"]
        self.assertEqual((tool["function"]["name"], ASKED["toolCall"].body["tool_choice"]), ("get_weather", "auto"))

    def test_a_gate_without_questions_asks_none(self):
        self.assertEqual(questions.series({"servedModelName": "tiny"}), [])
        self.assertEqual(questions.crowd({"servedModelName": "tiny"}), [])
