"""What is wrong with an answer. Each check is a function of one answer and returns a reason, or None.

The faults are those that real servers show (recorded with SGLang 0.5.16; test/fixtures/sglang-http): HTTP 200 and a
green health check with `matched_stop: "NaN happened"`, with one token over and over, with text that is empty although
tokens were made, or with log-probabilities that are no numbers.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

# SGLang ends a request so when a sampled token id is outside the vocabulary (srt/managers/schedule_batch.py).
NAN_MARKER = "NaN happened"
# One token again and again is no answer; a shorter one may be, such as "no no no".
SAME_TOKENS = 4
BANGS = re.compile(r"!{12,}")


def nan_marker(document: Any) -> str | None:
    """The server's own sign, in a chat completion or in an answer of /generate."""
    for choice in _choices(document):
        if _is_marker(choice.get("matched_stop")) or _is_marker(choice.get("finish_reason")):
            return f"the server reports {NAN_MARKER!r}"
    finish = _meta(document).get("finish_reason")
    if isinstance(finish, dict) and (_is_marker(finish.get("matched")) or _is_marker(finish.get("message"))):
        return f"the server reports {NAN_MARKER!r}"
    return None


def _is_marker(value: Any) -> bool:
    return isinstance(value, str) and "nan happened" in value.lower()


def token_ids(document: Any) -> str | None:
    """/generate: ids that can be ids, and not one and the same each time (argmax over NaN is always index 0)."""
    ids = document.get("output_ids") if isinstance(document, dict) else None
    if not isinstance(ids, list) or not ids:
        return "the answer has no token ids"
    if any(not isinstance(one, int) or one < 0 for one in ids):
        return f"token ids outside the vocabulary: {ids[:8]}"
    if len(ids) >= SAME_TOKENS and len(set(ids)) == 1:
        return f"all {len(ids)} token ids are {ids[0]}"
    return None


def log_probabilities(document: Any) -> str | None:
    """/generate with return_logprob: a finite number for every token."""
    rows = _meta(document).get("output_token_logprobs")
    if not isinstance(rows, list) or not rows:
        return "the answer has no log-probabilities"
    for place, row in enumerate(rows):
        value = row[0] if isinstance(row, list) and row else None
        if not isinstance(value, (int, float)) or isinstance(value, bool) or not math.isfinite(value):
            return f"log-probability {place} is {value!r}"
        if value > 1e-3:
            return f"log-probability {place} is {value}, above zero"
    return None


def something_said(document: Any) -> str | None:
    """A chat completion with text (content or reasoning) or a tool call, of more than one token, not all the same."""
    choices = _choices(document)
    if not choices:
        return "the answer has no choices"
    said = text_of(document)
    usage = document.get("usage")
    made = usage.get("completion_tokens") if isinstance(usage, dict) else None
    if not said.strip() and not tool_calls(document):
        return f"the answer is empty ({made} tokens were made)"
    if isinstance(made, int) and made <= 1:
        return f"the answer is a single token ({said!r})"
    if BANGS.search(said):
        return f"the answer is a row of exclamation marks ({said[:24]!r})"
    squeezed = re.sub(r"\s", "", said)
    if len(squeezed) >= 8 and len(set(squeezed)) == 1:
        return f"the answer repeats one character ({said[:24]!r})"
    return None


def expected_answer(document: Any, expect: str) -> str | None:
    """`expect`, a regular expression or a text, occurs in the content, in either case of letters.

    Where the tokens ended while the model still reasoned, in the reasoning: more were not asked for.
    """
    said = text_of(document) if ended_early(document) else content_of(document)
    if not said and text_of(document):
        return f"the content is empty, all was said in reasoning_content: {text_of(document)[-160:]!r}"
    if expect.lower() in said.lower():
        return None
    try:
        if re.search(expect, said, re.IGNORECASE | re.DOTALL):
            return None
    except re.error:
        pass
    return f"expected {expect!r} in the answer, got {said[:160]!r}"


def ended_early(document: Any) -> bool:
    """Whether the answer ended because its tokens did, before any content."""
    choices = _choices(document)
    return bool(choices) and choices[0].get("finish_reason") == "length" and not content_of(document)


def structured(document: Any, keys: tuple[str, ...]) -> str | None:
    """The content is a JSON object with just these keys; of an answer that ended early nobody can say."""
    said = content_of(document)
    if ended_early(document):
        return None
    try:
        found = json.loads(said)
    except ValueError:
        return f"the content is not the JSON that was asked for: {said[:160]!r}"
    if not isinstance(found, dict) or sorted(found) != sorted(keys):
        return f"the content is not an object with {' and '.join(keys)}: {said[:160]!r}"
    return None


def tool_call(document: Any, name: str) -> str | None:
    """A call of the tool `name`, parsed into the message, whose arguments are a JSON object."""
    calls = tool_calls(document)
    if not calls:
        return f"no parsed tool call; the text was {text_of(document)[:160]!r}"
    for call in calls:
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict) and function.get("name") == name:
            try:
                if isinstance(json.loads(function.get("arguments") or ""), dict):
                    return None
            except (TypeError, ValueError):
                pass
            return f"the arguments of the tool call are no JSON object: {str(function.get('arguments'))[:160]!r}"
    return f"the tool call is not of {name!r}"


def reasoning(document: Any) -> str | None:
    """Where a reasoning parser is set: reasoning apart from the content, and no thinking tags left in it."""
    message = _message(document)
    if not (message.get("reasoning_content") or "").strip():
        content = (message.get("content") or "")[:160]
        return f"the reasoning is not parsed: reasoning_content is empty, content is {content!r}"
    if "<think>" in (message.get("content") or ""):
        return "the content still has thinking tags in it"
    return None


def tool_calls(document: Any) -> list[Any]:
    return _message(document).get("tool_calls") or []


def text_of(document: Any) -> str:
    """What was said: reasoning and content, for neither alone is always there."""
    message = _message(document)
    return "\n".join(
        part for part in (message.get("reasoning_content"), message.get("content")) if isinstance(part, str) and part
    )


def content_of(document: Any) -> str:
    """What a client shows: the content alone."""
    content = _message(document).get("content")
    return content.strip() if isinstance(content, str) else ""


def made_tokens(document: Any) -> int:
    usage = document.get("usage") if isinstance(document, dict) else None
    count = (usage or {}).get("completion_tokens") or _meta(document).get("completion_tokens")
    return count if isinstance(count, int) else 0


def _message(document: Any) -> dict[str, Any]:
    choices = _choices(document)
    message = choices[0].get("message") if choices else None
    return message if isinstance(message, dict) else {}


def _choices(document: Any) -> list[dict[str, Any]]:
    choices = document.get("choices") if isinstance(document, dict) else None
    return [choice for choice in choices or [] if isinstance(choice, dict)]


def _meta(document: Any) -> dict[str, Any]:
    meta = document.get("meta_info") if isinstance(document, dict) else None
    return meta if isinstance(meta, dict) else {}
