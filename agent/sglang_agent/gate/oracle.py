"""A server held against the recorded log-probabilities of a trusted one, by token id."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from typing import TYPE_CHECKING

from sglang_agent import contract
from sglang_agent.answer import AgentError
from sglang_agent.documents import Figures, GateOracle, Oracle, OracleEntry
from sglang_agent.gate import figures, numbers
from sglang_agent.gate.no import No
from sglang_agent.gate.questions import Question

if TYPE_CHECKING:
    from sglang_agent.gate.run import Gate

# More requests at once than this wait in the server's queue anyway.
AT_ONCE = 64


def unpacked(asked: GateOracle) -> Oracle:
    """The oracle that travelled with the gate; AgentError where it is not the one that was planned."""
    try:
        text = gzip.decompress(base64.b64decode(asked["packed"]))
    except (OSError, ValueError, EOFError) as error:
        raise AgentError("oracle", f"the gate's oracle cannot be unpacked: {error}") from None
    found = hashlib.sha256(text).hexdigest()
    if found != asked["sha256"]:
        raise AgentError("oracle", f"the gate's oracle has the sha256 {found}, {asked['sha256']} was planned")
    oracle: Oracle = contract.checked("oracle", json.loads(text), "the gate's oracle")
    return oracle


def prove(gate: Gate, asked: GateOracle, deadline: float) -> None:
    """Raises No where the numbers are not those of the reference, alone or at once."""
    try:
        entries = unpacked(asked)["entries"]
    except AgentError as error:
        raise No("oracle", error.message) from None
    _tokenizer(gate, entries, deadline)
    questions = [_question("oracle.alone", entry) for entry in entries]
    alone = [gate.one(question, deadline) for question in questions]
    found = [numbers.entry(question, reply.json, "") for question, reply in zip(questions, alone)]
    gate.oracle_figures = _judge(asked, "oracle.alone", "", entries, found)
    for start in range(0, len(entries), AT_ONCE):
        some = entries[start : start + AT_ONCE]
        questions = [_question("oracle.together", entry) for entry in some]
        replies = gate.at_once(questions, deadline)
        found = [numbers.entry(question, reply.json, "") for question, reply in zip(questions, replies)]
        _judge(asked, "oracle.together", f"asked {len(some)} at once, ", some, found)


def _question(check: str, entry: OracleEntry) -> Question:
    return numbers.question(check, entry["ids"], max(1, len(entry["answerIds"])))


def _tokenizer(gate: Gate, entries: list[OracleEntry], deadline: float) -> None:
    """The texts that were asked make the same token ids: else numbers by token id say nothing of what a client gets."""
    for entry in entries:
        if "text" not in entry or entry["kind"] == "long":
            continue
        question = numbers.question("oracle.tokenizer", entry["text"], 1)
        found = numbers.entry(question, gate.one(question, deadline).json, entry["name"])
        told = figures.tokens_differ([entry], [found])
        if told:
            raise No("oracle.tokenizer", f"tokenizer or template changed: {told}")


def _judge(asked: GateOracle, check: str, how: str, ours: list[OracleEntry], theirs: list[OracleEntry]) -> Figures:
    broken = figures.gap(theirs)
    if broken:
        raise No(check, f"{how}{broken}")
    found = figures.distance(ours, theirs)
    told = figures.beyond(found, asked["limits"])
    if told:
        worst, apart = _worst(ours, theirs)
        evidence = {
            "figures": figures.rounded(found),
            "worst": f"{worst['kind']}: {worst['name'][:80]}: {apart:.4g}",
        }
        raise No(check, f"{how}the numbers are not those of the oracle: {told}", evidence)
    return found


def _worst(ours: list[OracleEntry], theirs: list[OracleEntry]) -> tuple[OracleEntry, float]:
    means = [figures.distance([one], [other])["promptMean"] for one, other in zip(ours, theirs)]
    at = max(range(len(means)), key=lambda index: means[index])
    return ours[at], means[at]
