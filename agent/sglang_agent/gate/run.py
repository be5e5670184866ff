"""Waiting for the server, asking the questions, and the verdict."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Callable

from sglang_agent import contract, documents
from sglang_agent.answer import EVIDENCE_LIMIT_BYTES, shorten
from sglang_agent.documents import Figures, Verdict
from sglang_agent.gate import checks, evidence, figures, itself, oracle, stream
from sglang_agent.gate.client import Client, Reply
from sglang_agent.gate.no import No
from sglang_agent.gate.questions import Question, crowd, series

POLL_SECONDS = 0.2
# /health takes a second by itself and up to 20 s when the server is busy (SGLANG_HEALTH_CHECK_TIMEOUT).
HEALTH_SECONDS = 30.0
# A server that was just killed may hold its port a moment longer.
STRANGER_SECONDS = 3.0


class Stopped(Exception):
    """Somebody asked the service to stop while it was being waited for or asked."""


class Gate:
    """One run of the questions against one server."""

    def __init__(self, spec: documents.Gate, client: Client, alive: Callable[[], bool], tell: Callable[[str], None]):
        self.spec = spec
        self.client = client
        self.alive = alive  # False once the server's process has ended; raises Stopped when a stop was asked for
        self.tell = tell
        self.passed: list[str] = []
        self.rate: float | None = None
        self.first_token: float | None = None
        self.oracle_figures: Figures | None = None
        self.own_distance: float | None = None

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
            self.one(question, deadline)
        together = crowd(self.spec)
        if together:
            self.tell(f"gate: {len(together)} questions at once")
            self.at_once(together, deadline)  # a server that was never asked so compiles kernels and captures graphs
            self._speed(together, deadline)
        self.tell("gate: a stream")
        self._first_token(deadline)
        if "itself" in self.spec:
            self.tell("gate: held against itself")
            itself.prove(self, self.spec["itself"], deadline)
        if "oracle" in self.spec:
            self.tell("gate: held against the oracle")
            oracle.prove(self, self.spec["oracle"], deadline)
        if not self.alive():
            raise No("end", "the server ended after the last question")

    def one(self, question: Question, deadline: float) -> Reply:
        """The right answer to one question; raises No for any other."""
        reply = self.reply(question, deadline)
        self._judge(question, reply)
        return reply

    def at_once(self, asked: list[Question], deadline: float) -> list[Reply]:
        """The right answers to questions that are asked at the same time; raises No at the first wrong one."""
        with ThreadPoolExecutor(len(asked)) as pool:
            replies = list(pool.map(lambda question: self._outcome(question, deadline), asked))
        wrong = [reply for reply in replies if isinstance(reply, No)]
        # A wrong answer says more than the death of the server that may come after it.
        told = [no for no in wrong if no.check != "death"] or wrong
        if told:
            raise told[0]
        return [reply for reply in replies if isinstance(reply, Reply)]

    def _speed(self, asked: list[Question], deadline: float) -> None:
        """Tokens per second of a crowd that was asked before."""
        started = time.monotonic()
        replies = self.at_once(asked, deadline)
        seconds = time.monotonic() - started
        self.rate = round(sum(checks.made_tokens(reply.json) for reply in replies) / max(seconds, 1e-6), 1)
        least = self.spec.get("minimumTokensPerSecond")
        if least and self.rate < least:
            raise No(
                "throughput",
                f"{self.rate} tokens/s over {len(asked)} requests at once, warm; at least {least} were asked for",
            )

    def _first_token(self, deadline: float) -> None:
        """Seconds to the first token of a question that was asked before."""
        self.first_token = stream.prove(self, deadline)
        most = self.spec.get("maximumSecondsToFirstToken")
        if most and self.first_token > most:
            raise No("firstToken", f"{self.first_token} s to the first token, warm; at most {most} were asked for")

    def _outcome(self, question: Question, deadline: float) -> Reply | No:
        try:
            return self.one(question, deadline)
        except No as wrong:
            return wrong

    def reply(self, question: Question, deadline: float) -> Reply:
        """The answer, asked for again while the server says 503; a server that was up and is gone is a No."""
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise No(
                    "time",
                    f"no answer to {question.check} within the gate's {self.spec['timeoutSeconds']} s",
                    evidence.asked(question),
                )
            reply = self.client.post(question.path, question.body, left)
            if reply.status is not None and reply.status != 503:
                return reply
            if reply.error and reply.error != "timeout":
                self.alive()
                raise No(
                    "death",
                    f"the server was up and is gone after {question.check}: {reply.error}",
                    evidence.of(question, reply),
                )
            if reply.status == 503:
                if not self.alive():
                    raise No("death", f"the server ended at {question.check}", evidence.of(question, reply))
                time.sleep(POLL_SECONDS)

    def _judge(self, question: Question, reply: Reply) -> None:
        if reply.status != 200:
            raise No(question.check, f"HTTP status {reply.status}", evidence.of(question, reply))
        document = reply.json
        if document is None:
            raise No(question.check, "the answer is not JSON", evidence.of(question, reply))
        for check in question.checks:
            reason = check(document)
            if reason:
                raise No(question.check, reason, evidence.of(question, reply))
        self.passed.append(question.check)


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
    if gate.first_token is not None:
        found["secondsToFirstToken"] = gate.first_token
    if gate.oracle_figures is not None:
        found["oracleDistance"] = round(gate.oracle_figures["promptMean"], 6)
        found["oracleFigures"] = figures.rounded(gate.oracle_figures)
    if gate.own_distance is not None:
        found["ownDistance"] = round(gate.own_distance, 6)
    if wrong:
        shown = dict(wrong.evidence)
        if wrong.check in ("start", "death", "end"):
            shown["log"] = log
        found["check"], found["evidence"], found["reason"] = wrong.check, shown, wrong.reason
    short: Verdict = shorten(found, EVIDENCE_LIMIT_BYTES)
    return short
