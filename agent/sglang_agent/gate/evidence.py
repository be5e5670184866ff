"""What a "no" shows of a question and its answer: a few lines that a person reads."""

from __future__ import annotations

from typing import Any

from sglang_agent.answer import canonical, shorten
from sglang_agent.gate.client import Reply
from sglang_agent.gate.questions import Question

RESPONSE_EXCERPT = 1500
# Fewer of the same are as quickly read as counted.
REPEATS = 3


def asked(question: Question) -> dict[str, Any]:
    return {"path": question.path, "request": shorten(question.body, 800)}


def of(question: Question, reply: Reply) -> dict[str, Any]:
    found = {"seconds": round(reply.seconds, 3), "status": reply.status, **asked(question)}
    if reply.error:
        found["error"] = reply.error
    if reply.body:
        document = reply.json
        text = reply.body if document is None else canonical(_squeezed(document))
        found["response"] = text[:RESPONSE_EXCERPT]
    return found


def _squeezed(value: Any) -> Any:
    """The same with a row of equal items told as one and its count."""
    if isinstance(value, dict):
        return {key: _squeezed(item) for key, item in value.items()}
    if isinstance(value, str):
        return _squeezed_text(value)
    if not isinstance(value, list):
        return value
    found: list[Any] = []
    start = 0
    while start < len(value):
        end = start
        while end < len(value) and repr(value[end]) == repr(value[start]):
            end += 1
        item, count = _squeezed(value[start]), end - start
        found += [f"{count} times {canonical(item)}"] if count > REPEATS else [item] * count
        start = end
    return found


def _squeezed_text(text: str) -> str:
    """A text of one character over and over as that."""
    return f"{len(text)} times {text[0]!r}" if len(text) > 24 and len(set(text)) == 1 else text
