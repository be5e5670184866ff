"""Waiting for the server, asking the questions, and the verdict."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable

from sglang_agent import contract, documents
from sglang_agent.answer import EVIDENCE_LIMIT_BYTES, shorten
from sglang_agent.documents import Verdict
from sglang_agent.gate import checks
from sglang_agent.gate.client import Client, Reply
from sglang_agent.gate.questions import Question, crowd, series

POLL_SECONDS = 0.2
# /health takes a second by itself and up to 20 s when the server is busy (SGLANG_HEALTH_CHECK_TIMEOUT).
HEALTH_SECONDS = 30.0
# A server that was just killed may hold its port a moment longer.
STRANGER_SECONDS = 3.0
RESPONSE_EXCERPT = 1500


class Stopped(Exception):
    """Somebody asked the service to stop while it was being waited for or asked."""


class No(Exception):
    """The server is wrong, dead or too late: the check that found out, why, and the evidence."""

    def __init__(self, check: str, reason: str, evidence: dict[str, Any] | None = None):
        super().__init__(reason)
        self.check = check
        self.reason = reason
        self.evidence = evidence or {}


class Gate:
    """One run of the questions against one server."""

    def __init__(self, spec: documents.Gate, client: Client, alive: Callable[[], bool], tell: Callable[[str], None]):
        self.spec = spec
        self.client = client
        self.alive = alive  # False once the server's process has ended; raises Stopped when a stop was asked for
        self.tell = tell
        self.passed: list[str] = []
        self.rate: float | None = None

    def refuse_stranger(self) -> None:
        """Before the start: whoever answers on the port now would be asked, and judged, in the server's place."""
        deadline = time.monotonic() + STRANGER_SECONDS
        while self.client.listens():
            if time.monotonic() > deadline:
                raise No("port", f"something else listens on port {self.client.port} already")
            time.sleep(POLL_SECONDS)

    def wait(self, budget: float) -> float:
        """Until /health says 200; refused and 503 mean "not yet". Raises No when process or budget ends."""
        started = time.monotonic()
        while True:
            if not self.alive():
                raise No("start", "the server ended before it was up")
            reply = self.client.get("/health", HEALTH_SECONDS)
            spent = time.monotonic() - started
            if reply.status == 200:
                return spent
            if spent > budget:
                last = reply.error or f"status {reply.status}"
                raise No(
                    "start", f"the server was not up within the startup budget of {budget:.0f} s (/health: {last})"
                )
            time.sleep(POLL_SECONDS)

    def ask(self) -> None:
        """All questions; raises No at the first wrong answer."""
        deadline = time.monotonic() + self.spec["timeoutSeconds"]
        asked = series(self.spec)
        for number, question in enumerate(asked):
            self.tell(f"gate: question {number + 1} of {len(asked)} ({question.check})")
            self._judge(question, self._reply(question, deadline))
        together = crowd(self.spec)
        if together:
            self.tell(f"gate: {len(together)} questions at once")
            self._ask_together(together, deadline)
        if not self.alive():
            raise No("end", "the server ended after the last question")

    def _ask_together(self, asked: list[Question], deadline: float) -> None:
        started = time.monotonic()
        with ThreadPoolExecutor(len(asked)) as pool:
            replies = list(pool.map(lambda question: self._outcome(question, deadline), asked))
        seconds = time.monotonic() - started
        wrong = [reply for reply in replies if isinstance(reply, No)]
        # A wrong answer says more than the death of the server that may come after it.
        told = [no for no in wrong if no.check != "death"] or wrong
        if told:
            raise told[0]
        tokens = sum(checks.made_tokens(reply.json) for reply in replies if isinstance(reply, Reply))
        self.rate = round(tokens / max(seconds, 1e-6), 1)
        least = self.spec.get("minimumTokensPerSecond")
        if least and self.rate < least:
            raise No(
                "throughput",
                f"{self.rate} tokens/s over {len(asked)} requests at once, at least {least} were asked for",
            )

    def _outcome(self, question: Question, deadline: float) -> Reply | No:
        try:
            reply = self._reply(question, deadline)
            self._judge(question, reply)
            return reply
        except No as wrong:
            return wrong

    def _reply(self, question: Question, deadline: float) -> Reply:
        """The answer, asked for again while the server says 503; a server that was up and is gone is a No."""
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise No(
                    "time",
                    f"no answer to {question.check} within the gate's {self.spec['timeoutSeconds']} s",
                    _asked(question),
                )
            reply = self.client.post(question.path, question.body, left)
            if reply.status is not None and reply.status != 503:
                return reply
            if reply.error and reply.error != "timeout":
                self.alive()
                raise No(
                    "death",
                    f"the server was up and is gone after {question.check}: {reply.error}",
                    _evidence(question, reply),
                )
            if reply.status == 503:
                if not self.alive():
                    raise No("death", f"the server ended at {question.check}", _evidence(question, reply))
                time.sleep(POLL_SECONDS)

    def _judge(self, question: Question, reply: Reply) -> None:
        if reply.status != 200:
            raise No(question.check, f"HTTP status {reply.status}", _evidence(question, reply))
        document = reply.json
        if document is None:
            raise No(question.check, "the answer is not JSON", _evidence(question, reply))
        for check in question.checks:
            reason = check(document)
            if reason:
                raise No(question.check, reason, _evidence(question, reply))
        self.passed.append(question.check)


def _asked(question: Question) -> dict[str, Any]:
    return {"path": question.path, "request": shorten(question.body, 800)}


def _evidence(question: Question, reply: Reply) -> dict[str, Any]:
    found = {"seconds": round(reply.seconds, 3), "status": reply.status, **_asked(question)}
    if reply.error:
        found["error"] = reply.error
    if reply.body:
        found["response"] = reply.body[:RESPONSE_EXCERPT]
    return found


def verdict(generation: str, gate: Gate, wrong: No | None, log: list[str], up_after: float | None) -> Verdict:
    """The document that is written beside a generation; within the evidence limit."""
    found: Verdict = {
        "contract": contract.version(),
        "generation": generation,
        "passed": len(gate.passed),
        "verdict": "no" if wrong else "yes",
    }
    if up_after is not None:
        found["upAfterSeconds"] = round(up_after, 1)
    if gate.rate is not None:
        found["tokensPerSecond"] = gate.rate
    if wrong:
        evidence = dict(wrong.evidence)
        if wrong.check in ("start", "death", "end"):
            evidence["log"] = log
        found["check"], found["evidence"], found["reason"] = wrong.check, evidence, wrong.reason
    short: Verdict = shorten(found, EVIDENCE_LIMIT_BYTES)
    return short
