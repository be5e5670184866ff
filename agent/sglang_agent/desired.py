"""The desired state of each verb, from stdin. One error names every mistake in it."""

from __future__ import annotations

import json
from typing import Any, cast, get_args

from sglang_agent import contract
from sglang_agent.answer import AgentError
from sglang_agent.documents import Owned
from sglang_agent.receipts import Kind

KINDS = get_args(Kind)


def parse(verb: str, raw: bytes) -> Any:
    """The document of a verb; raises AgentError `contract` for one of another version, `desired-state` for mistakes."""
    return contract.sent(verb, document(verb, raw), verb)


def parse_removal(raw: bytes, kind: str) -> tuple[Owned, Kind]:
    """The document of any verb, of which a removal needs only who, what and at which generation."""
    if kind not in KINDS:
        raise AgentError("usage", f"remove: expected {' or '.join(KINDS)}, got {kind!r}")
    value = document("remove", raw)
    named = {name: value[name] for name in contract.fields("remove") if value.get(name) is not None}
    return cast(Owned, contract.kept("remove", named, "remove: the document")), cast(Kind, kind)


def document(what: str, raw: bytes) -> dict[str, Any]:
    """The JSON object of a verb's stdin, or of the file of that name."""
    try:
        value = json.loads(raw.decode("utf-8"))
    except ValueError as error:
        raise AgentError("desired-state", f"{what}: not a JSON document: {error}") from None
    if not isinstance(value, dict):
        raise AgentError("desired-state", f"{what}: must be one JSON object")
    return value
