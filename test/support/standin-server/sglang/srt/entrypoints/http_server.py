"""The HTTP side of the stand-in: start, health, authorization, drain."""

import json
import signal
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import sglang
from sglang.standin import faults, nodes, replies
from sglang.standin.engine import Engine, log

LOAD_SECONDS = 1.0
"""Connections are refused for the first half of the load, and answered with 503 for the second."""

HEALTH_SECONDS = 1.0
"""A health check of a server that is up takes a second by itself."""

DRAIN_SECONDS = 0.5
"""From the last answer of a drain to the end of the process tree."""

OPEN_PATHS = ("/health", "/health_generate", "/ready", "/metrics", "/ping")
"""Answered without the API key."""

POSTS = {"/generate": replies.generate, "/v1/completions": replies.completions, "/v1/chat/completions": replies.chat}


class State:
    """What the request handlers share."""

    def __init__(self, server_args, found):
        self.args = server_args
        fault, parameter = faults.active(server_args, found)
        self.engine = Engine(fault, float(found.get("STANDIN_CRASH_SECONDS", 5)), parameter)
        self.pace = float(found.get("STANDIN_PACE", 1))
        self.load_seconds = float(parameter or 30) if fault == "slow-load" else LOAD_SECONDS * self.pace
        self.has_ready = at_least(found.get("STANDIN_RELEASE", sglang.__version__), (0, 5, 20))
        self.up = False
        self.draining = False
        self.worker = server_args.nnodes > 1 and server_args.node_rank > 0
        self.requests = 0

    def count(self, change):
        """Keeps the number of requests in flight, which a drain waits for."""
        with self.engine.lock:
            self.requests += change


def at_least(version, wanted):
    """Whether the release is that one or a later one."""
    numbers = [int("".join(filter(str.isdigit, part)) or 0) for part in version.split(".")[:3]]
    return tuple(numbers) >= wanted


def launch_server(server_args):
    """Serves on the given address until SIGTERM drains it or a fault ends it. Always ends by SIGKILL."""
    state = State(server_args, faults.settings())
    log("server_args=%r" % server_args)
    if state.engine.fault == "die-at-start":
        state.engine.die("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.")
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=drain, args=(state,)).start())
    if server_args.nnodes > 1:
        nodes.join(server_args, lambda: state.draining or state.engine.die("A peer closed its connection."))
    log("Load weight begin. avail mem=94.10 GB")
    time.sleep(state.load_seconds / 2)
    threading.Thread(target=bring_up, args=(state,), daemon=True).start()
    server = ThreadingHTTPServer((server_args.host, server_args.port), handler_of(state), bind_and_activate=False)
    server.daemon_threads = True
    server.request_queue_size = 512
    server.server_bind()
    server.server_activate()
    log("Uvicorn running on http://%s:%d (Press CTRL+C to quit)" % (server_args.host, server_args.port))
    server.serve_forever()


def bring_up(state):
    """Ends the load, warms up, and says so."""
    time.sleep(state.load_seconds / 2)
    log("Load weight end. type=StandIn, avail mem=40.02 GB")
    if state.engine.fault == "never-ready":
        return
    if not state.args.skip_server_warmup and not state.worker:
        warm_up = {"text": "The capital city of France is", "standin_warm_up": True}
        replies.generate(
            state.engine, state.args, dict(warm_up, sampling_params={"max_new_tokens": 8, "temperature": 0})
        )
    state.up = True
    log("The server is fired up and ready to roll!")


def drain(state):
    """Refuses health, lets running requests finish without a limit, then kills its own tree."""
    state.draining = True
    while state.requests:
        time.sleep(0.1)
    log("Gracefully exiting... Remaining number of requests 0. Remaining requests remaining_rids=[].")
    time.sleep(DRAIN_SECONDS * state.pace)
    state.engine.kill_tree()


def handler_of(state):
    """The request handler class over one server's state."""

    class Handler(BaseHTTPRequestHandler):
        """One request."""

        protocol_version = "HTTP/1.1"

        def log_message(self, format, *args):
            """Access lines in the real server's form."""
            log("INFO:     %s:%d - %s" % (*self.client_address[:2], format % args))

        def reply(self, status, body=None, kind="application/json"):
            """Sends one whole answer."""
            data = body.encode() if isinstance(body, str) else b"" if body is None else json.dumps(body).encode()
            self.send_response(status)
            if data:
                self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def allowed(self, path):
            """Whether the request carries the key, or needs none."""
            key = state.args.api_key
            return not key or path in OPEN_PATHS or self.headers.get("Authorization") == "Bearer %s" % key

        def do_GET(self):
            """Health and descriptions."""
            path = self.path.split("?")[0].rstrip("/") or "/"
            if not self.allowed(path):
                return self.reply(401, {"error": "Unauthorized"})
            if path in ("/health", "/health_generate"):
                return self.health()
            if path == "/ping":
                return self.reply(200)
            if path == "/ready" and state.has_ready and not state.worker:
                return self.reply(200 if state.up and not state.draining else 503)
            described = None if state.worker else describe(state, path)
            if described is None:
                return self.reply(404, {"detail": "Not Found"})
            return self.reply(200, described, "text/plain" if isinstance(described, str) else "application/json")

        def health(self):
            """503 while it starts, drains or dies; else 200 after a second. A worker node always says 200."""
            if state.worker:
                return self.reply(200)
            if not state.up or state.draining or state.engine.dead.is_set():
                return self.reply(503)
            time.sleep(HEALTH_SECONDS * state.pace)
            return self.reply(200)

        def do_POST(self):
            """The generating endpoints."""
            length = int(self.headers.get("Content-Length") or 0)
            raw = self.rfile.read(length)
            make = None if state.worker else POSTS.get(self.path.split("?")[0])
            if not self.allowed(self.path):
                return self.reply(401, {"error": "Unauthorized"})
            if self.path == "/flush_cache":
                state.engine.prefixes.clear()
                return self.reply(200, "Cache flushed.", "text/plain")
            if make is None:
                return self.reply(404, {"detail": "Not Found"})
            state.count(1)
            try:
                body = json.loads(raw or b"{}")
                made = make(state.engine, state.args, body)
                return self.stream(made) if body.get("stream") and make is replies.chat else self.reply(200, made)
            except (replies.BadRequest, ValueError) as error:
                wrong = {
                    "object": "error",
                    "message": str(error),
                    "type": "BadRequestError",
                    "param": None,
                    "code": 400,
                }
                return self.reply(400, wrong)
            finally:
                state.count(-1)

        def stream(self, made):
            """The answer as server-sent events, then the end of the connection."""
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream; charset=utf-8")
            self.send_header("Connection", "close")
            self.end_headers()
            for chunk in replies.chunks(made):
                self.wfile.write(b"data: %s\n\n" % json.dumps(chunk).encode())
            self.wfile.write(b"data: [DONE]\n\n")
            self.close_connection = True

    return Handler


def describe(state, path):
    """The body of a describing endpoint, or None. Like the real one, `/server_info` shows the API key."""
    args = state.args
    if path == "/v1/models":
        card = {"id": args.served_model_name, "object": "model", "created": int(time.time()), "owned_by": "sglang"}
        card.update(root=args.served_model_name, parent=None, max_model_len=int(args.context_length or 4096))
        return {"object": "list", "data": [card]}
    if path in ("/model_info", "/get_model_info"):
        return {"model_path": args.model_path, "tokenizer_path": args.model_path, "is_generation": True,
                "preferred_sampling_params": None, "weight_version": "default", "has_image_understanding": False,
                "has_audio_understanding": False, "model_type": "stand-in", "architectures": ["StandIn"]}  # fmt: skip
    if path in ("/server_info", "/get_server_info"):
        return dict(vars(args), version=sglang.__version__, internal_states=[{"last_gen_throughput": 500.0}])
    if path == "/metrics" and args.enable_metrics:
        counts = [("prompt_tokens_total", state.engine.prompted), ("generation_tokens_total", state.engine.generated),
                  ("num_running_reqs", state.engine.running)]  # fmt: skip
        label = '{engine_type="unified",model_name="%s"}' % args.served_model_name
        return "".join("sglang:%s%s %.1f\n" % (name, label, value) for name, value in counts)
    return None
