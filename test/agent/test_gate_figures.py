"""The distance between two servers: the program's own arithmetic, on the recordings of real ones."""

import copy
import json
import unittest

from test.agent.support import FIXTURES

from sglang_agent.gate import figures, numbers

SCALE = {**dict.fromkeys(dict(figures.WORDS), 0.01), "topAgreement": 0.9, "topOverlap": 0.9}


def entries(name):
    """The first run of a recording."""
    recording = json.loads((FIXTURES / "oracle" / f"{name}.json").read_text())
    question = numbers.question("recorded", "", 1)
    return [
        numbers.entry(question, {"meta_info": meta_of(said)}, text)
        for said, text in zip(recording["alone"][0], recording["prompts"])
    ]


def meta_of(said):
    return {
        "input_token_logprobs": said["input"],
        "output_token_logprobs": said["output"],
        "output_top_logprobs": said["top"],
    }


class Distances(unittest.TestCase):
    def test_the_program_finds_the_same(self):
        pairs = json.loads((FIXTURES / "oracle/distances.json").read_text())
        self.assertEqual(len(pairs), 4)
        for pair in pairs:
            found = figures.distance(entries(pair["reference"]), entries(pair["other"]))
            self.assertEqual(found.keys(), pair["figures"].keys())
            for name, value in pair["figures"].items():
                self.assertAlmostEqual(found[name], value, 9, f"{name} of {pair['other']}")

    def test_the_figure_that_is_farthest_beyond_its_limit_is_told(self):
        within = {**dict.fromkeys(dict(figures.WORDS), 0.01), "topAgreement": 1, "topOverlap": 1}
        self.assertIsNone(figures.beyond(within, SCALE))
        told = figures.beyond({**within, "promptMean": 0.02, "answerTail": 0.05}, SCALE)
        self.assertEqual(told, "the 95th percentile of answer tokens is 0.05, at most 0.01 is sound")
        told = figures.beyond({**within, "topAgreement": 0.5}, SCALE)
        self.assertEqual(told, "the share of places with the same best token is 0.5, at least 0.9 is sound")

    def test_a_gap_is_told_by_its_place(self):
        sound = entries("sound")
        self.assertIsNone(figures.gap(sound))
        for change, told in (
            (lambda one: one["logprobs"].__setitem__(3, None), "log-probability 3 of the prompt 2 is no number"),
            (
                lambda one: one["answerLogprobs"].__setitem__(1, float("nan")),
                "log-probability 1 of the answer 2 is nan",
            ),
            (lambda one: one["topLogprobs"][0].__setitem__(1, 0.5), "log-probability 1 among the best tokens 2 is 0.5"),
            (lambda one: one["answerIds"].clear(), "prompt 2 has no answer"),
        ):
            with self.subTest(told):
                broken = copy.deepcopy(sound)
                change(broken[2])
                self.assertEqual(figures.gap(broken), told)

    def test_token_ids_that_part_are_told_by_their_place(self):
        ours, theirs = entries("sound"), entries("sound")
        self.assertIsNone(figures.tokens_differ(ours, theirs))
        theirs[3]["ids"][2] += 1
        self.assertIn("place 2 of prompt 3", figures.tokens_differ(ours, theirs))
        theirs = entries("sound")
        theirs[1]["ids"].pop()
        self.assertIn(f"place {len(theirs[1]['ids'])} of prompt 1", figures.tokens_differ(ours, theirs))


if __name__ == "__main__":
    unittest.main()
