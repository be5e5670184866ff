"""The gate in front of a server that is wrong in one way: its own check finds it; a sound one passes all."""

import base64
import gzip
import hashlib
import json
import os
import subprocess
import sys
import unittest

from test.agent.support import STANDIN_SERVER, free_port

from sglang_agent.gate import figures, numbers
from sglang_agent.gate.client import Client
from sglang_agent.gate.no import No
from sglang_agent.gate.run import Gate

GATE = {
    "greedy": [{"prompt": "What is the capital of France?", "expect": "Paris", "maxTokens": 64}],
    "sampled": {"requests": 2, "temperature": 1.0, "maxTokens": 16},
    "concurrency": {"requests": 8, "maxTokens": 16},
    "servedModelName": "tiny",
    "timeoutSeconds": 60,
    "longCharacters": 12000,
    "itself": {
        "crowds": [8, 40],
        "limits": {
            **dict.fromkeys(dict(figures.WORDS), 0.3),
            "promptLargest": 12,
            "answerLargest": 12,
            "topAgreement": 0.5,
            "topOverlap": 0.5,
        },
    },
}
TIGHT = {**dict.fromkeys(dict(figures.WORDS), 0.02), "promptLargest": 1, "topAgreement": 0.9, "topOverlap": 0.9}
TEXTS = {"text": "The river comes down from the hills.", "numbers": "1 1 2 3 5 8 13 21", "long": "word " * 3000}


class Faults(unittest.TestCase):
    def judge(self, fault="", gate=None, words=()):
        """The check that said no and its reason, None for a yes; the run itself."""
        port = free_port()
        environment = {**os.environ, "PYTHONPATH": str(STANDIN_SERVER), "STANDIN_FAULT": fault}
        command = [sys.executable, "-m", "sglang.launch_server", "--model-path", "/none", "--port", str(port), *words]
        server = subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        run = Gate({**GATE, **(gate or {})}, Client("127.0.0.1", port), lambda: server.poll() is None, lambda _: None)
        run.wait(30)
        try:
            run.ask()
        except No as no:
            return no, run
        return None, run

    def oracle(self, change=lambda entry: entry):
        """What a sound stand-in says of the texts, as the gate gets it."""
        with_path = subprocess.run(
            [sys.executable, "-c", RECORD, json.dumps(TEXTS)],
            env={**os.environ, "PYTHONPATH": str(STANDIN_SERVER)},
            capture_output=True,
            check=True,
        )
        entries = []
        for (kind, text), said in zip(TEXTS.items(), json.loads(with_path.stdout)):
            question = numbers.question("record", text, 16)
            found = numbers.entry(question, {"meta_info": said}, kind)
            entries.append(change({**found, "kind": kind, "text": text}))
        document = {
            "schema": 1,
            "asked": {"server": "sglang", "model": "tiny"},
            "promptSet": "1",
            "entries": entries,
            "spread": {},
        }
        text = json.dumps(document).encode()
        packed = base64.b64encode(gzip.compress(text)).decode()
        return {"oracle": {"sha256": hashlib.sha256(text).hexdigest(), "limits": TIGHT, "packed": packed}}

    def test_a_sound_server_passes_everything(self):
        no, run = self.judge(gate={**self.oracle(), "structured": True}, words=("--reasoning-parser", "qwen3"))
        self.assertIsNone(no)
        checks = {
            "structured",
            "long.answer",
            "stream",
            "itself.again",
            "itself.crowd[40]",
            "oracle.tokenizer",
            "oracle.together",
        }
        self.assertLessEqual(checks, set(run.passed))
        self.assertEqual((run.oracle_figures["promptMean"], run.oracle_figures["topAgreement"]), (0.0, 1.0))
        self.assertEqual(run.own_distance, 0.0)
        self.assertGreater(run.rate, 0)
        self.assertGreater(run.first_token, 0)

    def test_numbers_of_noisy_weights(self):
        no, run = self.judge("noise", self.oracle())
        self.assertEqual(no.check, "oracle.alone")
        self.assertIn("the numbers are not those of the oracle", no.reason)
        self.assertAlmostEqual(no.evidence["figures"]["promptMean"], 0.068, delta=0.02)

    def test_wrong_only_in_large_batches(self):
        no, _ = self.judge("wrong-in-batch:33")
        self.assertEqual(no.check, "itself.crowd[40]")
        self.assertIn("differs from itself", no.reason)
        self.assertIn("batch size", no.reason)

    def test_wrong_only_on_a_prefix_hit(self):
        no, _ = self.judge("wrong-on-prefix-hit")
        self.assertEqual(no.check, "itself.again")
        self.assertIn("prefix cache", no.reason)

    def test_wrong_only_when_long(self):
        no, _ = self.judge("wrong-when-long:8000")
        self.assertEqual(no.check, "long.answer")

    def test_a_long_prompt_of_the_oracle(self):
        no, _ = self.judge("wrong-when-long:2500", {**self.oracle(), "longCharacters": 100})
        self.assertEqual(no.check, "oracle.alone")
        self.assertIn("long: long", no.evidence["worst"])

    def test_everything_in_the_reasoning(self):
        no, _ = self.judge("empty-content", words=("--reasoning-parser", "qwen3"))
        self.assertEqual(no.check, "greedy[0].answer")
        self.assertIn("the content is empty, all was said in reasoning_content", no.reason)

    def test_slow_only_when_cold_is_not_slow(self):
        floors = {"minimumTokensPerSecond": 100, "maximumSecondsToFirstToken": 1.5}
        no, run = self.judge("slow-when-cold:2", floors)
        self.assertIsNone(no)
        self.assertLess(run.first_token, 1.5)

    def test_slow_when_warm_is_a_no(self):
        no, _ = self.judge("", {"maximumSecondsToFirstToken": 0.0001})
        self.assertEqual(no.check, "firstToken")

    def test_another_tokenizer_is_told_as_that(self):
        no, _ = self.judge("", self.oracle(lambda entry: {**entry, "ids": [entry["ids"][0], 77, *entry["ids"][2:]]}))
        self.assertEqual(no.check, "oracle.tokenizer")
        self.assertIn("tokenizer or template changed: token ids differ at place 1 of prompt 0", no.reason)

    def test_an_oracle_that_is_not_the_planned_one(self):
        gate = self.oracle()
        gate["oracle"]["sha256"] = "0" * 64
        no, _ = self.judge("", gate)
        self.assertEqual(no.check, "oracle")


RECORD = """
import json, sys
from sglang.standin import answers
from sglang.standin.numbers import Numbers
found = []
for text in json.loads(sys.argv[1]).values():
    made = Numbers([answers.token_id(piece) for piece in answers.pieces(text)], 16, 5)
    rows = {"input_token_logprobs": made.prompt, "output_token_logprobs": made.answer}
    found.append({**rows, "output_top_logprobs": made.best})
print(json.dumps(found))
"""

if __name__ == "__main__":
    unittest.main()
