"""The stand-in server answers as a real one was recorded to, sound and with each fault."""

import concurrent.futures
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

PACKAGE = pathlib.Path(__file__).resolve().parents[1] / "support" / "standin-server"
RECORDED = PACKAGE.parents[1] / "fixtures" / "sglang-http" / "sound-model.json"
FRANCE = {"text": "The capital of France is", "return_logprob": True}
GREEDY = {"max_new_tokens": 16, "temperature": 0}
SAMPLED = {"max_new_tokens": 16, "temperature": 1.0}
WEATHER = {"type": "function", "function": {"name": "weather", "parameters": {
    "type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}}  # fmt: skip


def free_port():
    """A loopback port nobody has."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def keys_of(value):
    """Every key anywhere in a JSON value."""
    if isinstance(value, dict):
        return set(value).union(*map(keys_of, value.values()))
    return set().union(*map(keys_of, value)) if isinstance(value, list) else set()


class Server:
    """One stand-in process on a loopback port."""

    def __init__(self, *argv, **environment):
        self.port = free_port()
        self.log = tempfile.TemporaryFile(mode="w+")
        clean = dict(os.environ, PYTHONPATH=str(PACKAGE), STANDIN_CRASH_SECONDS="0.3", STANDIN_FILE="/nonexistent")
        words = [sys.executable, "-m", "sglang.launch_server", "--port", str(self.port), "--model-path", "/m", *argv]
        self.process = subprocess.Popen(words, env=dict(clean, **environment), stderr=self.log, stdout=self.log)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.log.close()

    def ask(self, path, body=None, key=None):
        """`(status, parsed body or text)`; status None where the connection is refused or breaks."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request("http://127.0.0.1:%d%s" % (self.port, path), data)
        if key:
            request.add_header("Authorization", "Bearer " + key)
        try:
            with urllib.request.urlopen(request, timeout=30) as reply:
                status, text = reply.status, reply.read().decode()
        except urllib.error.HTTPError as error:
            status, text = error.code, error.read().decode()
        except (OSError, EOFError) as error:
            return None, str(error)
        try:
            return status, json.loads(text)
        except ValueError:
            return status, text

    def until(self, wanted, path="/health", seconds=15):
        """Waits for a status and gives back all that were seen on the way, each once."""
        seen = []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            status, _ = self.ask(path)
            if status not in seen:
                seen.append(status)
            if status == wanted:
                return seen
            time.sleep(0.05)
        raise AssertionError("%s never said %s, only %s" % (path, wanted, seen))

    def chat(self, question="What is the capital of France?", **more):
        """One chat completion: `(status, first choice or error)`."""
        body = dict({"messages": [{"role": "user", "content": question}], "max_tokens": 64, "temperature": 0}, **more)
        status, reply = self.ask("/v1/chat/completions", body)
        return status, reply["choices"][0] if status == 200 else reply

    def output(self):
        """All it has logged."""
        self.log.seek(0)
        return self.log.read()


class SoundServer(unittest.TestCase):
    """A server with no fault."""

    def test_start_answer_and_drain(self):
        """Refused, 503, 200; right answers; SIGTERM finishes the running request and ends by SIGKILL."""
        with Server("--served-model-name", "tiny") as server:
            self.assertEqual(server.until(200), [None, 503, 200])
            self.assertIn("The server is fired up and ready to roll!", server.output())
            self.assertEqual(server.ask("/v1/models")[1]["data"][0]["id"], "tiny")
            self.assertIn("Paris", server.chat()[1]["message"]["content"])
            self.assertIn("56", server.chat("What is 7 * 8?")[1]["message"]["content"])
            status, reply = server.ask("/generate", dict(FRANCE, sampling_params=GREEDY))
            self.assertEqual(len(reply["meta_info"]["output_token_logprobs"]), len(reply["output_ids"]))
            self.assertGreater(len(set(reply["output_ids"])), 3)
            self.assertEqual(server.ask("/v1/chat/completions", {"messages": []})[0], 400)
            self.assertEqual(server.ask("/ready")[0], 404)
            with concurrent.futures.ThreadPoolExecutor() as pool:
                running = pool.submit(server.chat, "Tell me a story", max_tokens=400)
                time.sleep(0.3)
                server.process.send_signal(signal.SIGTERM)
                time.sleep(0.1)
                self.assertEqual(server.ask("/health")[0], 503)
                self.assertEqual(running.result()[0], 200)
            self.assertEqual(server.process.wait(10), -signal.SIGKILL)

    def test_same_shapes_as_recorded(self):
        """Every recorded call is answered with the recorded status and the recorded keys."""
        optional = {"length", "request_received_ts", "api_server_dispatch_finish_ts", "decode_throughput",
                    "request_finished_ts", "response_sent_to_client_ts"}  # fmt: skip
        calls = json.loads(RECORDED.read_text())["calls"]
        with Server("--served-model-name", "tiny", "--enable-metrics") as server:
            server.until(200)
            for call in calls:
                status, reply = server.ask(call["path"], call["request"])
                self.assertEqual(status, call["status"], call["path"])
                if call["content_type"] == "application/json" and "server_info" not in call["path"]:
                    wanted = keys_of(json.loads(call["body"])) if call["body"].endswith("}") else set()
                    self.assertEqual(wanted - keys_of(reply) - optional, set(), call["path"])

    def test_key_and_config_file(self):
        """The key may come from a file; it closes all but health and metrics, and is shown where the real one does."""
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write("# settings\napi-key: 'S3CRET'\nenable-metrics: true\ncuda-graph-bs: [1, 2]\n")
            file.flush()
            with Server("--config", file.name) as server:
                server.until(200)
                self.assertEqual(server.ask("/v1/models")[0], 401)
                self.assertEqual(server.ask("/metrics")[0], 200)
                status, info = server.ask("/server_info", key="S3CRET")
                self.assertEqual((status, info["api_key"], info["cuda_graph_bs"]), (200, "S3CRET", ["1", "2"]))
                self.assertIn("api_key='S3CRET'", server.output())

    def test_parsers_and_ready(self):
        """Reasoning and tool calls are parsed where a parser is set, and stay text where not."""
        with Server(
            "--reasoning-parser", "qwen3", "--tool-call-parser", "qwen3_coder", STANDIN_RELEASE="0.5.20"
        ) as server:
            server.until(200, "/ready")
            message = server.chat("2+2?")[1]["message"]
            self.assertIn("4", message["content"])
            self.assertTrue(message["reasoning_content"])
            choice = server.chat("What is the weather in Oslo?", tools=[WEATHER])[1]
            self.assertEqual(choice["finish_reason"], "tool_calls")
            call = choice["message"]["tool_calls"][0]["function"]
            self.assertEqual((call["name"], json.loads(call["arguments"])), ("weather", {"city": "Oslo"}))
        with Server() as server:
            server.until(200)
            choice = server.chat("What is the weather in Oslo?", tools=[WEATHER])[1]
            self.assertIsNone(choice["message"]["tool_calls"])
            self.assertIn("<tool_call>", choice["message"]["content"])

    def test_two_nodes(self):
        """Rank 0 waits for the others, which serve health only, and goes when one of them goes."""
        address = "127.0.0.1:%d" % free_port()
        several = ("--nnodes", "2", "--dist-init-addr", address, "--node-rank")
        with Server(*several, "0") as first:
            time.sleep(1.5)
            self.assertIsNone(first.ask("/health")[0])
            with Server(*several, "1") as second:
                first.until(200)
                self.assertEqual(second.until(200)[-1], 200)
                self.assertEqual(second.ask("/v1/models")[0], 404)
            self.assertEqual(first.process.wait(10), -signal.SIGKILL)


class FaultyServer(unittest.TestCase):
    """Each fault, as a client sees it."""

    def test_nan_weights(self):
        """Health and a greedy request say nothing; the first sampled request takes the server down."""
        with Server(STANDIN_FAULT="nan-weights") as server:
            server.until(200)
            status, reply = server.ask("/generate", dict(FRANCE, sampling_params=GREEDY))
            self.assertEqual((status, reply["text"], reply["output_ids"]), (200, "", [0] * 16))
            self.assertIsNone(server.ask("/generate", dict(FRANCE, sampling_params=SAMPLED))[0])
            self.assertEqual(server.process.wait(10), -signal.SIGKILL)
            self.assertIn("probability tensor contains either `inf`, `nan`", server.output())

    def test_crash_in_decode(self):
        """Ready, and dead of the first question."""
        with Server(STANDIN_FAULT="crash-in-decode") as server:
            server.until(200)
            self.assertIsNone(server.chat()[0])
            self.assertEqual(server.process.wait(10), -signal.SIGKILL)

    def test_wrong_content(self):
        """Faults that answer 200 with something wrong."""
        expected = {
            "bang": lambda choice: choice["message"]["content"] == "!" * 64,
            "nan-marker": lambda choice: choice["matched_stop"] == "NaN happened",
            "wrong-answer": lambda choice: "Paris" not in choice["message"]["content"],
            "empty": lambda choice: choice["message"]["content"] == "",
        }
        for fault, holds in expected.items():
            with self.subTest(fault), Server(STANDIN_FAULT=fault) as server:
                server.until(200)
                status, choice = server.chat()
                self.assertEqual(status, 200)
                self.assertTrue(holds(choice), choice)

    def test_garbage_under_load(self):
        """Alone it is right; sixteen at once it is not."""
        with Server(STANDIN_FAULT="garbage-under-load") as server:
            server.until(200)
            self.assertIn("Paris", server.chat()[1]["message"]["content"])
            with concurrent.futures.ThreadPoolExecutor(16) as pool:
                replies = list(pool.map(lambda _: server.chat()[1]["message"]["content"], range(16)))
            self.assertGreater(sum("Paris" not in text for text in replies), 8)

    def test_no_tool_call(self):
        """Prose where a call was asked for."""
        with Server("--tool-call-parser", "qwen3_coder", STANDIN_FAULT="no-tool-call") as server:
            server.until(200)
            self.assertIsNone(server.chat("What is the weather in Oslo?", tools=[WEATHER])[1]["message"]["tool_calls"])

    def test_start_faults(self):
        """One dies, one never gets ready, one takes its time."""
        with Server(STANDIN_FAULT="die-at-start") as server:
            self.assertEqual(server.process.wait(10), -signal.SIGKILL)
        with Server(STANDIN_FAULT="never-ready") as server:
            server.until(503)
            time.sleep(2)
            self.assertEqual(server.ask("/health")[0], 503)
        with Server(STANDIN_FAULT="slow-load:3") as server:
            begun = time.monotonic()
            server.until(200)
            self.assertGreater(time.monotonic() - begun, 3)

    def test_fault_of_one_argument(self):
        """Only the bad backend is bad, also when a file says so."""
        rule = "fp4-gemm-backend=flashinfer_cutlass:bang"
        with Server("--fp4-gemm-backend", "flashinfer_cudnn", STANDIN_FAULT_WHEN=rule) as server:
            server.until(200)
            self.assertIn("Paris", server.chat()[1]["message"]["content"])
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("STANDIN_FAULT_WHEN=%s\n" % rule)
            file.flush()
            with Server("--fp4-gemm-backend", "flashinfer_cutlass", STANDIN_FILE=file.name) as server:
                server.until(200)
                self.assertIn("!!!!", server.chat()[1]["message"]["content"])


if __name__ == "__main__":
    unittest.main()
