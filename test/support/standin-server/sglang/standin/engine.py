"""Generation without a model: which tokens a request gets, and how a fault spoils them."""

import os
import random
import signal
import sys
import threading
import time

from sglang.standin import answers
from sglang.standin.numbers import NOISE, Numbers

PREFILL_SECONDS = 0.05
TOKEN_SECONDS = 0.002
"""Time before the first token and for each. A broken model is exactly as fast as a sound one."""

GATHER_SECONDS = 3
"""Longest that a request of several waits for the others of its batch."""

BUSY = 4
"""`garbage-under-load` shows from this many requests at once."""

END_TOKEN = 151645
"""The id that ends an answer, as `matched_stop` shows it."""

CRASH_LOG = """[stand-in] Scheduler hit an exception: Traceback (most recent call last):
  File "site-packages/sglang/srt/layers/sampler.py", line 720, in sampling_from_probs_torch
    sampled_index = torch.multinomial(probs, num_samples=1)
torch.AcceleratorError: CUDA error: device-side assert triggered
probability tensor contains either `inf`, `nan` or element < 0
SIGQUIT received. signum=None, frame=None. It usually means one child failed."""


def log(message):
    """One log line on stderr, as the real server writes them; a reader that is gone stops nothing."""
    try:
        sys.stderr.write(time.strftime("[%Y-%m-%d %H:%M:%S] ") + message + "\n")
        sys.stderr.flush()
    except BrokenPipeError:
        pass


class Generation:
    """The tokens of one answer: `texts`, `ids`, `logprobs` (None where the number is NaN), and why it ended."""

    def __init__(self, texts, limit, ended):
        self.texts = texts[:limit]
        self.ids = [answers.token_id(text) for text in self.texts]
        self.logprobs = [-0.01 - (token % 97) / 200 for token in self.ids]
        stopped = ended and len(texts) <= limit
        self.reason, self.matched = ("stop", END_TOKEN) if stopped else ("length", None)

    @property
    def text(self):
        """The answer as text."""
        return "".join(self.texts)


class Engine:
    """One server's scheduler: it counts running requests, applies the fault, and can die."""

    def __init__(self, fault, crash_seconds, parameter=""):
        self.fault = fault
        self.parameter = parameter
        self.prefixes = set()
        self.warm = set()
        self.crash_seconds = crash_seconds
        self.running = 0
        self.most = 0
        self.generated = 0
        self.prompted = 0
        self.dead = threading.Event()
        self.lock = threading.Lock()
        self.child = fork_child()

    def generate(self, prompt, limit, temperature, full=None, ignore_end=False, warm_up=False):
        """Tokens for a prompt; `full` is the answer where the caller already made one (reasoning, a tool call)."""
        with self.lock:
            self.running += 1
            busy = self.running
        try:
            if not warm_up:
                self.maybe_crash(temperature)
            known = full if full is not None else answers.answer(prompt)
            texts = answers.pieces(known or answers.FILLER * (1 + limit // 40))
            if ignore_end:
                texts = (texts + answers.pieces(" " + answers.FILLER) * (1 + limit // 40))[:limit]
            made = Generation(texts, limit, known is not None and not ignore_end)
            self.compile(busy)
            time.sleep(PREFILL_SECONDS + TOKEN_SECONDS * len(made.ids))
            with self.lock:
                self.spoil(made, limit, max(busy, self.running))
                if self.is_long(len(answers.pieces(prompt))):
                    self.wrong_answer(made)
                self.prompted += len(answers.pieces(prompt))
                self.generated += len(made.ids)
            return made
        finally:
            with self.lock:
                self.running -= 1

    def numbers(self, ids, limit, top, whole):
        """Log-probabilities of a prompt and of its greedy answer; `whole`: the prompt is computed anew."""
        with self.lock:
            self.running += 1
            busy = self.running
            hit = not whole and tuple(ids) in self.prefixes
            self.prefixes.add(tuple(ids))
        try:
            self.compile(busy)
            time.sleep(PREFILL_SECONDS)
            busy = max(busy, self.gather(busy))
            bad = self.in_batch(busy) or self.is_long(len(ids)) or (hit and self.fault == "wrong-on-prefix-hit")
            noise = NOISE * float(self.parameter or 1) if self.fault == "noise" else 0.0
            return Numbers(ids, limit, top, noise, busy if bad else 0, self.fault == "nan-weights")
        finally:
            with self.lock:
                self.running -= 1
                self.most = self.most if self.running else 0

    def gather(self, busy):
        """How many are asked at once. `wrong-in-batch:N` waits for them, so that on a slow machine too they meet."""
        until = time.monotonic() + (GATHER_SECONDS if self.fault == "wrong-in-batch" and busy > 1 else 0)
        while True:
            with self.lock:
                self.most = max(self.most, self.running)
                if self.in_batch(self.most) or time.monotonic() >= until:
                    return self.most
            time.sleep(0.01)

    def in_batch(self, busy):
        """`wrong-in-batch:N`: from N requests at once."""
        return self.fault == "wrong-in-batch" and busy >= int(self.parameter or 33)

    def is_long(self, tokens):
        """`wrong-when-long:K`: above K tokens."""
        return self.fault == "wrong-when-long" and tokens > int(self.parameter or 8000)

    def compile(self, busy):
        """`slow-when-cold:SECONDS`: the first batch of each size, in powers of two, waits for its kernels."""
        if self.fault == "slow-when-cold" and busy.bit_length() not in self.warm:
            time.sleep(float(self.parameter or 1))
            self.warm.add(busy.bit_length())

    def maybe_crash(self, temperature):
        """NaN weights kill the server at the first sampled request; a crash in decode kills it at any."""
        if self.fault == "crash-in-decode" or (self.fault == "nan-weights" and temperature > 0):
            self.die(CRASH_LOG)

    def die(self, why):
        """Logs, waits as the real one does before it ends, and takes the whole process tree down."""
        log(why)
        self.dead.set()
        time.sleep(self.crash_seconds)
        self.kill_tree()

    def kill_tree(self):
        """SIGKILL for the child and for itself: how a real server always ends."""
        log("kill_process_tree called: parent_pid=%d, include_parent=True" % os.getpid())
        if self.child:
            os.kill(self.child, signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)

    def spoil(self, made, limit, busy):
        """What the fault in force does to a finished answer that had `busy` requests beside it."""
        if self.fault == "nan-weights":
            repeat(made, limit, "", 0, None)
        elif self.fault == "bang":
            repeat(made, limit, "!", 3, 0.0)
        elif self.fault == "nan-marker":
            cut = max(1, len(made.ids) // 2)
            made.texts, made.ids, made.logprobs = made.texts[:cut], made.ids[:cut], made.logprobs[:cut]
            made.reason, made.matched = "stop", "NaN happened"
        elif self.fault == "empty":
            made.texts, made.ids, made.logprobs = [""], [END_TOKEN], [-0.01]
            made.reason, made.matched = "stop", END_TOKEN
        elif self.fault == "wrong-answer":
            self.wrong_answer(made)
        elif self.fault == "garbage-under-load" and busy >= BUSY:
            signs = random.Random(self.generated)
            made.texts = ["".join(signs.choice("êZ4�\x07#~Ж") for _ in range(3)) for _ in made.ids]
            made.ids = [signs.randrange(10, 150000) for _ in made.ids]
            made.logprobs = [-11.0 - signs.random() for _ in made.ids]

    def wrong_answer(self, made):
        """Sound words that answer nothing."""
        made.texts = answers.pieces("It is a large yellow bird of the northern forests.")[: max(2, len(made.ids))]
        made.ids = [answers.token_id(text) for text in made.texts]
        made.logprobs = [-0.5] * len(made.ids)


def repeat(made, limit, text, token, logprob):
    """The same token up to the limit, as argmax over broken logits gives it."""
    made.texts, made.ids, made.logprobs = [text] * limit, [token] * limit, [logprob] * limit
    made.reason, made.matched = "length", None


def fork_child():
    """A second process, so that there is a tree to kill; it ends by itself when its parent is gone."""
    parent = os.getpid()
    child = os.fork()
    if child:
        return child
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)
