"""The contract with the program that sends documents: which version this agent speaks, and what each document must be.

contract.json is made from the program's own schemas. Of JSON Schema this knows only what is in there.
"""

from __future__ import annotations

import functools
import json
import re
from typing import Any

from sglang_agent import archive
from sglang_agent.answer import AgentError

Schema = dict[str, Any]
FIRST = 1  # of a document that names no version


@functools.lru_cache(maxsize=1)
def _contract() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(archive.resource("contract.json"))
    return found


def version() -> int:
    """The version that this agent speaks."""
    spoken: int = _contract()["version"]
    return spoken


def sent(kind: str, value: dict[str, Any], what: str) -> Any:
    """The document, if it is of this very version and of the kind's shape; AgentError with every mistake in it."""
    found, own = value.get("contract", FIRST), version()
    if found != own:
        newer = isinstance(found, int) and found > own
        advice = (
            "run `pulumi up` with the release of pulumi-sglang that sent it, which installs its own agent"
            if newer
            else "send it with the release of pulumi-sglang that this agent came with"
        )
        raise AgentError(
            "contract",
            f"{what}: this agent speaks version {own} of the contract, the document is of version "
            f"{shown(found)}: {advice}",
        )
    return checked(kind, value, what)


def kept(kind: str, value: dict[str, Any], what: str) -> Any:
    """A document that an agent of this version or one before it has written, as one of this; AgentError for others."""
    found, own, oldest = value.get("contract", FIRST), version(), _contract()["oldestKept"]
    if not isinstance(found, int) or not oldest <= found <= own:
        raise AgentError(
            "contract",
            f"{what} is of version {shown(found)} of the contract, this agent reads versions {oldest} to {own}: "
            "run `pulumi up` with the release of pulumi-sglang that wrote it, or a later one",
        )
    return checked(kind, {**value, "contract": own}, what)


def checked(kind: str, value: dict[str, Any], what: str) -> Any:
    """The document, if it is of the kind's shape; AgentError `desired-state` with every mistake in it."""
    mistakes = mistakes_in(_contract()["documents"][kind], value)
    if mistakes:
        many = "is 1 mistake" if len(mistakes) == 1 else f"are {len(mistakes)} mistakes"
        raise AgentError("desired-state", f"{what}: there {many} in the desired state:\n  " + "\n  ".join(mistakes))
    return value


def fields(kind: str) -> list[str]:
    """Names of a document's own fields."""
    return list(_contract()["documents"][kind]["properties"])


def shown(value: Any) -> str:
    """A value as a message quotes it."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "…"


def mistakes_in(schema: Schema, value: Any, at: str = "") -> list[str]:
    """What is wrong with a value, each mistake with its path."""
    if "oneOf" in schema:
        return _one_of(schema["oneOf"], value, at)
    if "anyOf" in schema:
        fits = any(not mistakes_in(choice, value) for choice in schema["anyOf"])
        return [] if fits else [_expected(schema, value, at)]
    if not _of_type(schema, value) or not _within(schema, value):
        return [_expected(schema, value, at)]
    if isinstance(value, dict):
        return _in_map(schema, value, at)
    if isinstance(value, list):
        items = schema.get("items", {})
        return [found for place, item in enumerate(value) for found in mistakes_in(items, item, f"{at}[{place}]")]
    return []


def _one_of(choices: list[Schema], value: Any, at: str) -> list[str]:
    """Maps of which one field says which it is."""
    field = next(name for name, rule in choices[0]["properties"].items() if "const" in rule)
    if not isinstance(value, dict):
        return [f"{at or 'desired state'}: expected a map, got {shown(value)}"]
    found = value.get(field)
    names = [choice["properties"][field]["const"] for choice in choices]
    if found not in names:
        return [f"{at}.{field}: expected {' or '.join(names)}, got {shown(found)}"]
    return mistakes_in(choices[names.index(found)], value, at)


def _of_type(schema: Schema, value: Any) -> bool:
    wanted = schema.get("type")
    names = wanted if isinstance(wanted, list) else [wanted]
    return wanted is None or any(_is(str(name), value) for name in names)


def _is(name: str, value: Any) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    kinds: dict[str, Any] = {
        "array": list,
        "integer": int,
        "null": type(None),
        "number": (int, float),
        "object": dict,
        "string": str,
    }
    return name in kinds and isinstance(value, kinds[name])


def _within(schema: Schema, value: Any) -> bool:
    """Whether a value of the right type is one of those that are meant."""
    if "const" in schema and value != schema["const"]:
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    if isinstance(value, str):
        return len(value) >= int(schema.get("minLength", 0)) and _matches(schema.get("pattern"), value)
    if isinstance(value, list):
        return len(value) >= int(schema.get("minItems", 0))
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        least, above = schema.get("minimum"), schema.get("exclusiveMinimum")
        return bool((least is None or value >= least) and (above is None or value > above))
    return True


def _matches(pattern: str | None, value: str) -> bool:
    """Every pattern goes from ^ to $; a `$` of Python would let a line end after it pass."""
    return pattern is None or re.fullmatch(pattern[1:-1], value) is not None


def _in_map(schema: Schema, value: dict[str, Any], at: str) -> list[str]:
    known: dict[str, Schema] = schema.get("properties", {})
    others = schema.get("additionalProperties", {})
    where = f"{at}." if at else ""
    found = []
    for name in value:
        if name in known:
            continue
        if others is False:
            found.append(f"{where}{name}: unknown key; known here: {', '.join(sorted(known))}")
        elif mistakes_in(schema.get("propertyNames", {}), name):
            found.append(f"{at}: {name!r} is not a valid name here")
        else:
            found += mistakes_in(others, value[name], where + name)
    for name, rule in known.items():
        if name in value:
            found += mistakes_in(rule, value[name], where + name)
        elif name in schema.get("required", []):
            found.append(f"{where}{name}: missing")
    return found


def _expected(schema: Schema, value: Any, at: str) -> str:
    return f"{at or 'desired state'}: expected {_words(schema)}, got {shown(value)}"


def _words(schema: Schema) -> str:
    """What a schema asks for, in the words that it brings along or in those of its type."""
    if "expected" in schema:
        return str(schema["expected"])
    if "enum" in schema:
        return " or ".join(schema["enum"])
    if "const" in schema:
        return str(schema["const"])
    if "minItems" in schema:
        return f"a list of at least {schema['minItems']}"
    wanted = schema.get("type")
    numbers = "a whole number" if wanted == "integer" else "a number"
    if "minimum" in schema:
        return f"{numbers} of at least {schema['minimum']}"
    if "exclusiveMinimum" in schema:
        return f"{numbers} above {schema['exclusiveMinimum']}"
    names = {
        "array": "a list",
        "boolean": "true or false",
        "integer": "a whole number",
        "null": "null",
        "number": "a number",
        "object": "a map",
        "string": "a text",
    }
    if "anyOf" in schema:
        return " or ".join(_words(choice) for choice in schema["anyOf"])
    return " or ".join(names[str(name)] for name in (wanted if isinstance(wanted, list) else [wanted]))
