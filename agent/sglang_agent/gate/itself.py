"""A server held against itself: cold, again with its prefix cached, and in crowds: finds races, batches and caches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sglang_agent.documents import GateItself, OracleEntry
from sglang_agent.gate import figures, numbers
from sglang_agent.gate.no import No
from sglang_agent.gate.questions import Question

if TYPE_CHECKING:
    from sglang_agent.gate.run import Gate

FLUSH_SECONDS = 10.0
# Of unlike lengths and kinds; what they say does not matter, only that it is the same each time.
PROMPTS = (
    "The capital of France is",
    "def fibonacci(n):\n    if n < 2:\n        return n\n    return",
    "Der Fluss kommt im Frühling von den Bergen und trägt feinen Sand zum",
    "1 1 2 3 5 8 13 21 34 55 89",
    " ".join(f"{number} squared is {number * number}." for number in range(2, 90)) + " 90 squared is",
)


def prove(gate: Gate, asked: GateItself, deadline: float) -> None:
    """Raises No where the server differs from itself by more than batches and caches of a sound one do."""
    # Not every release has it, and none needs it.
    gate.client.post("/flush_cache", {}, FLUSH_SECONDS)
    first = [_entry(gate, "itself.first", index, True, deadline) for index in range(len(PROMPTS))]
    broken = figures.gap(first)
    if broken:
        raise No("itself.first", broken)
    again = [_entry(gate, "itself.again", index, False, deadline) for index in range(len(PROMPTS))]
    _judge(asked, "itself.again", "asked again with its prefix cached", first, again, "its prefix cache")
    for size in asked["crowds"]:
        check = f"itself.crowd[{size}]"
        # by turns with and without the cached prefix
        questions = [(index % len(PROMPTS), index // len(PROMPTS) % 2 == 0) for index in range(size)]
        replies = gate.at_once([_question(check, index, whole) for index, whole in questions], deadline)
        entries = [
            numbers.entry(_question(check, index, whole), reply.json, PROMPTS[index], whole)
            for (index, whole), reply in zip(questions, replies)
        ]
        apart = _judge(
            asked,
            check,
            f"asked {size} at once",
            [first[index] for index, _ in questions],
            entries,
            "a race, or a kernel or graph of that batch size",
        )
        gate.own_distance = max(gate.own_distance or 0.0, apart)


def _question(check: str, index: int, whole: bool) -> Question:
    return numbers.question(check, PROMPTS[index], numbers.ANSWER_TOKENS, whole)


def _entry(gate: Gate, check: str, index: int, whole: bool, deadline: float) -> OracleEntry:
    question = _question(check, index, whole)
    return numbers.entry(question, gate.one(question, deadline).json, PROMPTS[index], whole)


def _judge(
    asked: GateItself,
    check: str,
    how: str,
    first: list[OracleEntry],
    then: list[OracleEntry],
    suspect: str,
) -> float:
    """The mean distance of prompt tokens. Each prompt is looked at alone: a fault may be in one of a crowd."""
    broken = figures.gap(then)
    if broken:
        raise No(check, f"{how}: {broken}; alone it had numbers: {suspect}")
    for ours, theirs in zip(first, then):
        told = figures.beyond(figures.distance([ours], [theirs]), asked["limits"])
        if told:
            evidence = {"prompt": ours["name"][:80], "alone": _said(ours), "then": _said(theirs)}
            raise No(check, f"{how}, the server differs from itself: {told}. Suspect {suspect}", evidence)
    return figures.distance(first, then)["promptMean"]


def _said(entry: OracleEntry) -> str:
    pairs = list(zip(entry["answerIds"], entry["answerLogprobs"]))[:4]
    return " ".join(f"{token}:{value:.3f}" for token, value in pairs if value is not None)
