"""The gate's judgement, against recordings of real servers and against answers made up around them."""

import copy
import json
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from test.agent.support import FIXTURES, free_port

from sglang_agent.gate import checks, questions
from sglang_agent.gate.client import Client, local
from sglang_agent.gate.no import No
from sglang_agent.gate.run import Gate, verdict

GATE = {
    "greedy": [{"prompt": "The capital of France is", "expect": "paris", "maxTokens": 16}],
    "sampled": {"requests": 2, "temperature": 1.0, "maxTokens": 8},
    "concurrency": {"requests": 4, "maxTokens": 16},
    "servedModelName": "tiny",
    "timeoutSeconds": 20,
}


def recorded(name):
    return json.loads((FIXTURES / "sglang-http" / f"{name}.json").read_text())


def bodies(name, path):
    """The bodies that a recorded server answered at `path` with status 200, those of streams left out."""
    calls = [call for call in recorded(name)["calls"] if call["path"] == path and call["status"] == 200]
    return [json.loads(call["body"]) for call in calls if call["body"].startswith("{")]


class Checks(unittest.TestCase):
    def test_a_sound_model_passes_every_check_of_its_numbers(self):
        for answer in bodies("sound-model", "/generate"):
            self.assertIsNone(checks.nan_marker(answer))
            self.assertIsNone(checks.token_ids(answer))
        self.assertIsNone(checks.log_probabilities(bodies("sound-model", "/generate")[0]))
        said = [answer for answer in bodies("sound-model", "/v1/chat/completions") if checks.text_of(answer)]
        self.assertEqual([checks.something_said(answer) for answer in said], [None] * len(said))

    def test_one_token_over_and_over(self):
        for answer in bodies("constant-bang-with-api-key", "/generate"):
            self.assertEqual(checks.token_ids(answer), "all 8 token ids are 3")
        chat = bodies("constant-bang-with-api-key", "/v1/chat/completions")[0]
        self.assertIn("row of exclamation marks", checks.something_said(chat))

    def test_the_greedy_answer_of_nan_weights_is_empty_though_it_has_sixteen_tokens(self):
        chat = bodies("nan-weights-torch-sampling", "/v1/chat/completions")[0]
        self.assertEqual(checks.something_said(chat), "the answer is empty (16 tokens were made)")

    def test_made_up_faults(self):
        generate = bodies("sound-model", "/generate")[0]
        chat = bodies("sound-model", "/v1/chat/completions")[0]

        def changed(document, **fields):
            document = copy.deepcopy(document)
            document.get("meta_info", document.get("choices", [{}])[0]).update(fields)
            return document

        nan_rows = [[float("nan"), 7, None]]
        table = [
            (
                checks.nan_marker,
                changed(generate, finish_reason={"type": "stop", "matched": "NaN happened"}),
                "the server reports",
            ),
            (checks.nan_marker, changed(chat, matched_stop="NaN happened"), "the server reports"),
            (checks.log_probabilities, changed(generate, output_token_logprobs=nan_rows), "log-probability 0 is nan"),
            (
                checks.log_probabilities,
                changed(generate, output_token_logprobs=[[None, 7, None]]),
                "log-probability 0 is None",
            ),
            (
                checks.log_probabilities,
                changed(generate, output_token_logprobs=[[float("-inf"), 7]]),
                "log-probability 0 is -inf",
            ),
            (checks.log_probabilities, changed(generate, output_token_logprobs=[[0.5, 7]]), "above zero"),
            (checks.log_probabilities, changed(generate, output_token_logprobs=[]), "no log-probabilities"),
            (checks.token_ids, {"output_ids": [-1, 5]}, "outside the vocabulary"),
            (checks.token_ids, {"output_ids": []}, "no token ids"),
            (checks.something_said, said("A", tokens=1), "single token"),
            (checks.something_said, said("aaaa aaaa aaaa"), "repeats one character"),
            (checks.something_said, {}, "no choices"),
            (checks.reasoning, said("<think>x</think> 42"), "not parsed"),
            (checks.reasoning, said("42", reasoning_content=" "), "not parsed"),
            (checks.reasoning, said("<think>42", reasoning_content="so"), "thinking tags"),
        ]
        for check, document, expected in table:
            with self.subTest(expected):
                self.assertIn(expected, str(check(document)))

    def test_a_known_answer_may_be_a_text_or_match_a_pattern(self):
        self.assertIsNone(checks.expected_answer(said("It is PARIS."), "Paris"))
        self.assertIsNone(checks.expected_answer(said("17+25 is 42", reasoning_content="so"), r"\b42\b"))
        self.assertIsNone(checks.expected_answer(said("f(x"), "f(x"))
        self.assertIn("expected 'Paris'", checks.expected_answer(said("Rome"), "Paris"))

    def test_a_known_answer_is_in_the_content_unless_the_tokens_ended_in_the_reasoning(self):
        inside = said("", reasoning_content="17+25 is 42")
        self.assertIn("the content is empty", checks.expected_answer(inside, "42"))
        inside["choices"][0]["finish_reason"] = "length"
        self.assertIsNone(checks.expected_answer(inside, "42"))
        self.assertIn("expected '43'", checks.expected_answer(inside, "43"))

    def test_structured_content_is_the_object_that_was_asked_for(self):
        self.assertIsNone(checks.structured(said('{"city": "Paris"}'), ("city",)))
        self.assertIn("not the JSON", checks.structured(said("Paris"), ("city",)))
        self.assertIn("not an object with city", checks.structured(said('{"town": "Paris"}'), ("city",)))

    def test_a_tool_call_is_parsed_and_its_arguments_are_an_object(self):
        def call(name, arguments):
            return said(None, tool_calls=[{"type": "function", "function": {"name": name, "arguments": arguments}}])

        self.assertIsNone(checks.tool_call(call("get_weather", '{"city": "Paris"}'), "get_weather"))
        self.assertIn("no parsed tool call", checks.tool_call(said("<tool_call>get_weather"), "get_weather"))
        self.assertIn("no JSON object", checks.tool_call(call("get_weather", "{city"), "get_weather"))
        self.assertIn("not of 'get_weather'", checks.tool_call(call("other", "{}"), "get_weather"))


def said(content, tokens=9, **message):
    return {"choices": [{"message": {"content": content, **message}}], "usage": {"completion_tokens": tokens}}


class Questions(unittest.TestCase):
    def test_greedy_comes_before_sampled_and_both_look_at_numbers(self):
        asked = questions.series({**GATE, "toolCall": True, "reasoning": True})
        names = [question.check for question in asked]
        self.assertEqual(
            names,
            ["greedy[0].numbers", "greedy[0].answer", "sampled[0].numbers", "sampled[1].text", "toolCall", "reasoning"],
        )
        self.assertTrue(asked[0].body["return_logprob"])
        self.assertEqual([question.body.get("temperature") for question in asked[3:]], [1.0, 0, 0])

    def test_a_crowd_has_unlike_lengths_and_no_shared_beginning(self):
        asked = questions.crowd({**GATE, "concurrency": {"requests": 12, "maxTokens": 32}})
        texts = [question.body.get("text") or question.body["messages"][0]["content"] for question in asked]
        self.assertGreater(len({len(text) // 50 for text in texts}), 4)
        self.assertEqual(
            len({text[:24] for text in texts if text[:1].isdigit()}), sum(text[:1].isdigit() for text in texts)
        )
        self.assertTrue(any(question.path == questions.CHAT for question in asked))

    def test_where_a_bound_address_is_asked(self):
        self.assertEqual(
            [local(host) for host in ("0.0.0.0", "::", "[::1]", "10.0.0.7")], ["127.0.0.1", "::1", "::1", "10.0.0.7"]
        )


class Replay(unittest.TestCase):
    """A server that answers as a recorded one did: by path and by whether the request is sampled."""

    def serve(self, answer, health=(200,)):
        seen = []
        states = list(health)

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self.reply(states.pop(0) if len(states) > 1 else states[0], "")

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                seen.append((self.path, body, self.headers.get("Authorization")))
                found = answer(self.path, body)
                if found is None:
                    self.close_connection = True
                    self.connection.close()
                else:
                    self.reply(*found)

            def reply(self, status, text):
                self.send_response(status)
                self.send_header("Content-Length", str(len(text.encode())))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *words):
                pass

            def handle(self):
                try:
                    super().handle()
                except (OSError, ValueError):
                    pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server.server_address[1], seen

    def judge(self, answer, gate=None, key=None):
        port, seen = self.serve(answer)
        run = Gate({**GATE, **(gate or {})}, Client("127.0.0.1", port, key), lambda: True, lambda text: None)
        try:
            run.wait(5)
            run.ask()
            return None, run, seen
        except No as no:
            return no, run, seen

    def recording(self, name):
        calls = [call for call in recorded(name)["calls"] if call["request"] and not call["request"].get("stream")]

        def answer(path, body):
            sampled = (body.get("temperature") or (body.get("sampling_params") or {}).get("temperature") or 0) > 0
            for call in calls:
                request = call["request"]
                hot = (request.get("temperature") or (request.get("sampling_params") or {}).get("temperature") or 0) > 0
                if call["path"] == path and hot == sampled:
                    return (call["status"], call["body"]) if call["status"] else None
            raise AssertionError(path)

        return answer

    def test_nan_weights_are_a_no_at_the_first_greedy_answer(self):
        no, run, _ = self.judge(
            lambda path, body: self.recording("nan-weights-torch-sampling")("/v1/chat/completions", body)
        )
        self.assertEqual(no.check, "greedy[0].numbers")

    def test_a_server_that_dies_of_a_sampled_request_is_a_no(self):
        sound = self.sound()
        no, run, _ = self.judge(lambda path, body: None if is_sampled(body) else sound(path, body))
        self.assertEqual(no.check, "death")
        self.assertIn("sampled[0].numbers", no.reason)
        self.assertEqual(no.evidence["path"], "/generate")

    def test_the_constant_answer_is_a_no(self):
        no, _, _ = self.judge(self.recording("constant-bang-with-api-key"))
        self.assertEqual((no.check, no.reason), ("greedy[0].numbers", "all 8 token ids are 3"))
        self.assertIn("output_ids", no.evidence["response"])

    def sound(self):
        numbers = json.dumps(bodies("sound-model", "/generate")[0])
        return lambda path, body: (200, numbers if path == "/generate" else self.said(body))

    def said(self, body, text="It is Paris."):
        if not body.get("stream"):
            return json.dumps(said(text))
        piece = json.dumps({"choices": [{"delta": {"content": text}}]})
        return f"data: {piece}\n\ndata: [DONE]\n\n"

    def test_a_stream_that_says_nothing_or_does_not_end(self):
        sound = self.sound()
        for stream, told in (
            (self.said({"stream": True}, " "), "says nothing"),
            ("data: {}\n\n", "does not end with [DONE]"),
            ("data: {}\n\ndata: [DONE]\n\n", "no chat completion chunk"),
        ):
            with self.subTest(told):

                def answer(path, body, stream=stream):
                    return (200, stream) if body.get("stream") else sound(path, body)

                no, _, _ = self.judge(answer)
                self.assertEqual(no.check, "stream")
                self.assertIn(told, no.reason)

    def test_the_evidence_tells_equal_rows_once(self):
        no, _, _ = self.judge(self.recording("constant-bang-with-api-key"))
        self.assertIn("8 times 3", no.evidence["response"])

    def test_a_sound_server_passes_and_gets_the_key(self):
        no, run, seen = self.judge(self.sound(), key="k-123456789")
        self.assertIsNone(no)
        self.assertEqual(len(run.passed), len(seen))
        self.assertEqual({key for _, _, key in seen}, {"Bearer k-123456789"})
        self.assertGreater(run.rate, 0)

    def test_garbage_that_shows_only_under_load(self):
        sound = self.sound()
        busy = []

        def answer(path, body):
            text = json.dumps(body)
            if "Do not mind these numbers" in text and path == questions.CHAT:
                busy.append(1)
                return 200, json.dumps(said("êZ4 ~~ Ж"))
            return sound(path, body)

        no, _, _ = self.judge(answer)
        self.assertRegex(no.check, r"concurrent\[\d\]\.answer")
        self.assertTrue(busy)

    def test_throughput_below_the_floor(self):
        no, _, _ = self.judge(self.sound(), gate={"minimumTokensPerSecond": 10**9})
        self.assertEqual(no.check, "throughput")

    def test_503_is_not_yet_and_other_statuses_are_a_no(self):
        sound = self.sound()
        left = [503, 503]
        no, _, _ = self.judge(lambda path, body: (left.pop(), "") if left else sound(path, body))
        self.assertIsNone(no)
        no, _, _ = self.judge(lambda path, body: (401, '{"error":"Unauthorized"}'))
        self.assertEqual((no.check, no.reason), ("greedy[0].numbers", "HTTP status 401"))

    def test_a_server_that_never_answers_is_a_no_for_its_time(self):
        no, _, _ = self.judge(lambda path, body: (503, ""), gate={"timeoutSeconds": 1})
        self.assertEqual(no.check, "time")

    def test_waiting(self):
        port, _ = self.serve(self.sound(), health=(503, 503, 200))
        run = Gate(GATE, Client("127.0.0.1", port), lambda: True, lambda text: None)
        self.assertLess(run.wait(10), 10)
        gone = Gate(GATE, Client("127.0.0.1", free_port()), lambda: False, lambda text: None)
        with self.assertRaisesRegex(No, "ended before it was up"):
            gone.wait(10)
        slow = Gate(GATE, Client("127.0.0.1", free_port()), lambda: True, lambda text: None)
        with self.assertRaisesRegex(No, "not up within the startup budget of 0 s"):
            slow.wait(0)

    def test_a_verdict_is_small_whatever_the_server_said(self):
        long = {"choices": [{"message": {"content": "!" * 100000}}], "usage": {"completion_tokens": 9}}
        no, run, _ = self.judge(
            lambda path, body: (200, json.dumps(bodies("sound-model", "/generate")[0] if path == "/generate" else long))
        )
        found = verdict("g", run, no, ["x" * 400] * 25, 1.0)
        self.assertLessEqual(len(json.dumps(found)), 4096)
        self.assertEqual((found["verdict"], found["check"]), ("no", "greedy[0].answer"))


def is_sampled(body):
    return (body.get("temperature") or (body.get("sampling_params") or {}).get("temperature") or 0) > 0
