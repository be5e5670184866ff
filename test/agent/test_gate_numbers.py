"""A server's numbers, held against itself and against an oracle: what is asked, and which distance is told."""

import base64
import gzip
import hashlib
import json
import unittest
from unittest import mock

from test.agent import support  # noqa: F401  (puts the agent on the path)

from sglang_agent.gate import figures, itself, numbers, oracle
from sglang_agent.gate.client import Reply
from sglang_agent.gate.no import No

LIMITS = {**dict.fromkeys(dict(figures.WORDS), 0.3), "topAgreement": 0.5, "topOverlap": 0.5}


def said(body, off):
    """Numbers that the prompt decides, all of them `off` by so much."""
    prompt = body.get("input_ids") or [ord(letter) for letter in body["text"]]
    rows = [[None, prompt[0]]] + [[-1.0 - off, token] for token in prompt[1:]]
    answer = [[-0.5 - off, token] for token in range(body["sampling_params"]["max_new_tokens"])]
    meta = {
        "input_token_logprobs": rows if "logprob_start_len" in body else [],
        "output_token_logprobs": answer,
        "output_top_logprobs": [[row] for row in answer],
    }
    return Reply(200, json.dumps({"meta_info": meta}), 0.1)


class Server:
    """As much of a gate as proofs use; `off`: by how much its numbers are off, by how many are asked at once."""

    def __init__(self, off):
        self.off = off
        self.client = mock.Mock()
        self.own_distance = None
        self.oracle_figures = None
        self.asked = []

    def one(self, question, deadline):
        self.asked.append(question)
        return said(question.body, self.off.get(1, 0.0))

    def at_once(self, questions, deadline):
        self.asked.extend(questions)
        return [said(question.body, self.off.get(len(questions), 0.0)) for question in questions]


class Itself(unittest.TestCase):
    def prove(self, off, crowds=(8, 64)):
        server = Server(off)
        itself.prove(server, {"crowds": list(crowds), "limits": LIMITS}, 0.0)
        return server

    def test_the_largest_distance_of_any_crowd_is_the_servers_own(self):
        for off in ({8: 0.05, 64: 0.01}, {8: 0.01, 64: 0.05}):
            self.assertAlmostEqual(self.prove(off).own_distance, 0.05)
        self.assertEqual(self.prove({}).own_distance, 0.0)

    def test_a_crowd_beyond_the_limits_is_named_by_its_size(self):
        for size in (8, 64):
            with self.assertRaises(No) as raised:
                self.prove({size: 0.4})
            self.assertEqual(raised.exception.check, f"itself.crowd[{size}]")
            self.assertIn(f"asked {size} at once", raised.exception.reason)

    def test_a_distance_at_its_limit_is_sound(self):
        self.prove({8: 0.2999})


class Oracle(unittest.TestCase):
    def prove(self, entries, off=0.0, together=None):
        document = {
            "schema": 1,
            "asked": {"server": "sglang", "model": "tiny"},
            "promptSet": "1",
            "entries": entries,
            "spread": {},
        }
        text = json.dumps(document).encode()
        asked = {
            "sha256": hashlib.sha256(text).hexdigest(),
            "packed": base64.b64encode(gzip.compress(text)).decode(),
            "limits": LIMITS,
        }
        server = Server({1: off, len(entries): off if together is None else together})
        oracle.prove(server, asked, 0.0)
        return server

    def entry(self, text, kind="text", **changes):
        question = numbers.question("record", text, 4)
        found = numbers.entry(question, said(question.body, 0.0).json, text)
        return {**found, "kind": kind, "text": text, **changes}

    def test_a_text_that_makes_other_token_ids_is_another_tokenizer_of_every_kind_but_long(self):
        other = [ord(letter) + 1 for letter in "river"]
        for kind in ("text", "code", "numbers", "languages", "tools"):
            with self.assertRaises(No) as raised:
                self.prove([self.entry("hills"), self.entry("river", kind, ids=other, logprobs=[None] + [-1.0] * 4)])
            self.assertEqual(raised.exception.check, "oracle.tokenizer")
            self.assertIn("token ids differ at place 0", raised.exception.reason)
        server = self.prove([self.entry("hills"), self.entry("river", "long", ids=other, logprobs=[None] + [-1.0] * 4)])
        self.assertEqual([one.body["text"] for one in server.asked if "text" in one.body], ["hills"])

    def test_the_distance_is_that_of_one_question_after_the_other(self):
        server = self.prove([self.entry("hills"), self.entry("river")], 0.1, 0.2)
        self.assertAlmostEqual(server.oracle_figures["promptMean"], 0.1)

    def test_a_crowd_alone_can_be_wrong(self):
        for off, together, check in ((0.4, 0.0, "oracle.alone"), (0.0, 0.4, "oracle.together")):
            with self.assertRaises(No) as raised:
                self.prove([self.entry("hills"), self.entry("river")], off, together)
            self.assertEqual(raised.exception.check, check)

    def test_an_answer_is_asked_for_as_long_as_the_reference_has_it(self):
        server = self.prove([self.entry("hills"), self.entry("river")])
        replayed = [one.body for one in server.asked if "input_ids" in one.body]
        self.assertEqual(len(replayed), 4)
        self.assertEqual({body["sampling_params"]["max_new_tokens"] for body in replayed}, {4})
        self.assertEqual({body["logprob_start_len"] for body in replayed}, {0})
