"""A streamed answer: it comes in pieces, says something and ends; and how long its first token takes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sglang_agent.gate import evidence
from sglang_agent.gate.client import Reply
from sglang_agent.gate.no import No
from sglang_agent.gate.questions import streamed

if TYPE_CHECKING:
    from sglang_agent.gate.run import Gate

BEGINNING = "data: "
END = "[DONE]"


def prove(gate: Gate, deadline: float) -> float:
    """Seconds to the first token of a server that has answered the same before; raises No for a bad stream."""
    question = streamed(gate.spec)
    reply = gate.reply(question, deadline)
    told = _problem(reply)
    if told:
        raise No(question.check, told, evidence.of(question, reply))
    gate.passed.append(question.check)
    return round(reply.first or reply.seconds, 3)


def _problem(reply: Reply) -> str | None:
    if reply.error:
        return f"the stream did not end: {reply.error}"
    if reply.status != 200:
        return f"HTTP status {reply.status}"
    lines = [line[len(BEGINNING) :] for line in reply.body.splitlines() if line.startswith(BEGINNING)]
    if not lines or lines[-1] != END:
        return f"the stream does not end with {END}"
    try:
        said = "".join(_piece(json.loads(line)) for line in lines[:-1])
    except (KeyError, TypeError, ValueError):
        return "a piece of the stream is no chat completion chunk"
    return None if said.strip() else f"the stream of {len(lines) - 1} pieces says nothing"


def _piece(document: dict[str, Any]) -> str:
    """What one event adds; the last may have a count of tokens and no choice."""
    choices = document["choices"]
    delta = choices[0]["delta"] if choices else {}
    return "".join(part for part in (delta.get("reasoning_content"), delta.get("content")) if part)
