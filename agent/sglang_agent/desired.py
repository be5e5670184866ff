"""The desired state of each verb: what must be there and of which shape. One error names every mistake."""

from __future__ import annotations

import json
import re
from typing import Any, Callable

from sglang_agent.answer import AgentError

Problems = list[str]
Check = Callable[[str, Any, Problems], None]


def pattern(expression: str, expected: str) -> Check:
    def check(at: str, value: Any, problems: Problems) -> None:
        if not isinstance(value, str) or not re.fullmatch(expression, value, re.DOTALL):
            problems.append(f"{at}: expected {expected}, got {_shown(value)}")

    return check


def integer(least: int) -> Check:
    def check(at: str, value: Any, problems: Problems) -> None:
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            problems.append(f"{at}: expected a whole number of at least {least}, got {_shown(value)}")

    return check


def number(at: str, value: Any, problems: Problems) -> None:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        problems.append(f"{at}: expected a number, got {_shown(value)}")


def boolean(at: str, value: Any, problems: Problems) -> None:
    if not isinstance(value, bool):
        problems.append(f"{at}: expected true or false, got {_shown(value)}")


def one_of(*choices: str) -> Check:
    def check(at: str, value: Any, problems: Problems) -> None:
        if value not in choices:
            problems.append(f"{at}: expected {' or '.join(choices)}, got {_shown(value)}")

    return check


def listing(item: Check) -> Check:
    def check(at: str, value: Any, problems: Problems) -> None:
        if not isinstance(value, list):
            problems.append(f"{at}: expected a list, got {_shown(value)}")
            return
        for index, entry in enumerate(value):
            item(f"{at}[{index}]", entry, problems)

    return check


def mapping(key: str, item: Check) -> Check:
    def check(at: str, value: Any, problems: Problems) -> None:
        if not isinstance(value, dict):
            problems.append(f"{at}: expected a map, got {_shown(value)}")
            return
        for name, entry in value.items():
            if not re.fullmatch(key, name):
                problems.append(f"{at}: {name!r} is not a valid name here")
            else:
                item(f"{at}.{name}", entry, problems)

    return check


def shape(**fields: Check) -> Check:
    """A map with these fields; one whose name ends in `_` may be left out or null. Names are camelCase as sent."""

    def check(at: str, value: Any, problems: Problems) -> None:
        if not isinstance(value, dict):
            problems.append(f"{at or 'desired state'}: expected a map, got {_shown(value)}")
            return
        known = {name.rstrip("_"): (rule, name.endswith("_")) for name, rule in fields.items()}
        where = f"{at}." if at else ""
        for name in value:
            if name not in known:
                problems.append(f"{where}{name}: unknown key; known here: {', '.join(sorted(known))}")
        for name, (rule, optional) in known.items():
            if value.get(name) is None:
                if not optional:
                    problems.append(f"{where}{name}: missing")
            else:
                rule(where + name, value[name], problems)

    return check


def either(field: str, **shapes: Check) -> Check:
    """A map whose `field` says which of the shapes it has."""

    def check(at: str, value: Any, problems: Problems) -> None:
        kind = value.get(field) if isinstance(value, dict) else None
        if kind not in shapes:
            problems.append(f"{at}.{field}: expected {' or '.join(shapes)}, got {_shown(kind)}")
        else:
            shapes[kind](at, value, problems)

    return check


def scalar_or_list(at: str, value: Any, problems: Problems) -> None:
    items = value if isinstance(value, list) else [value]
    if any(not isinstance(item, (str, int, float)) for item in items):
        problems.append(f"{at}: expected a text, a number, true, or a list of these, got {_shown(value)}")


def anything(at: str, value: Any, problems: Problems) -> None:
    """What another verb's shape judges."""
    del at, value, problems


def unit(at: str, value: Any, problems: Problems) -> None:
    """The text of a systemd unit, or its lines."""
    lines = value if isinstance(value, list) else str(value).split("\n")
    if any(not isinstance(line, str) or "\n" in line for line in lines):
        problems.append(f"{at}: expected the text of a unit, or a list of its lines")
    elif "[Service]" not in lines or not any(line.startswith("ExecStart=") for line in lines):
        problems.append(f"{at}: expected a unit with [Service] and ExecStart=")


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "…"


text = pattern(r".*", "a text")
word = pattern(r".+", "a text that is not empty")
slot = pattern(r"[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?", "a name of lower-case letters, digits and dashes (at most 50)")
owner = pattern(r"[^/\s]+/[^/\s]+(/[^/\s]+)?", "<project>/<stack>")
digest = pattern(r"[0-9a-z][0-9a-z._-]{3,127}", "a digest")
absolute = pattern(r"/(?!.*(^|/)\.\.(/|$))[^\0\n]*", "an absolute path without ..")
relative = pattern(r"(?!/)(?!.*(^|/)\.\.(/|$))[^\0\n]+", "a relative path without ..")
sha256 = pattern(r"[0-9a-f]{64}", "a sha256 of 64 hexadecimal digits")
sha1 = pattern(r"[0-9a-f]{40}", "40 hexadecimal digits")
variable = r"[A-Za-z_][A-Za-z0-9_]*"
option = r"[a-z0-9][a-z0-9-]*"
account = pattern(r"[a-z_][a-z0-9_-]{0,30}", "a user name")
python = pattern(r"3\.[0-9]+|/.+", "a Python version such as 3.11, or an absolute path")
any_python = pattern(r"3(\.[0-9]+)?|/.+", "a Python version such as 3.11, 3 for any, or an absolute path")
environment = mapping(variable, pattern(r"[^\0\n]*", "a text on one line"))

locked = listing(
    shape(name=word, version=word, hashes=listing(pattern(r"sha256:[0-9a-f]{64}", "sha256:<64 hexadecimal digits>")))
)

gate = shape(
    concurrency_=shape(requests=integer(0), maxTokens=integer(2)),
    greedy_=listing(shape(prompt=word, expect=word, maxTokens=integer(2))),
    minimumTokensPerSecond_=number,
    reasoning_=boolean,
    sampled_=shape(requests=integer(0), temperature=number, maxTokens=integer(2)),
    servedModelName=word,
    timeoutSeconds=integer(1),
    toolCall_=boolean,
)

card = shape(computeCapability_=word, index=integer(0), memoryMiB_=integer(1), name_=word)
endpoint = shape(host=word, port=integer(1))

BASE: dict[str, Check] = {"name": slot, "owner": owner, "root": absolute}
OWNED: dict[str, Check] = {**BASE, "generation": digest, "place_": word}

SHAPES: dict[str, Check] = {
    "activate": shape(
        **OWNED,
        apiKeyFile_=absolute,
        arguments=mapping(option, scalar_or_list),
        build=digest,
        endpoint=endpoint,
        environment_=environment,
        gate=gate,
        model=shape(path=absolute, manifestDigest_=digest),
        release=word,
        settingsDigest_=digest,
        startupBudgetSeconds=integer(1),
        stopGraceSeconds=integer(0),
        unit=unit,
        user=account,
    ),
    "build": shape(
        **OWNED,
        dependencies=one_of("full", "parser-only"),
        diskBytes_=integer(0),
        environment_=environment,
        indexUrl_=word,
        keep_=integer(1),
        lock_=locked,
        patches_=listing(
            shape(
                base=one_of("site-packages", "repository"), name=word, sha256=sha256, stripLevel=integer(0), text=text
            )
        ),
        python=python,
        release=word,
        source=either(
            "kind",
            git=shape(kind=word, commit=sha1, repository=word, subdirectory_=relative),
            wheel=shape(kind=word, requirement=pattern(r"sglang==[0-9][0-9A-Za-z.+!]*", "sglang==<version>")),
        ),
        treeSha256_=sha256,
    ),
    "facts": shape(**BASE, generation_=digest),
    "fetch": shape(
        **OWNED,
        client=shape(build_=digest, lock_=locked, python_=python, version_=pattern(r"[0-9][0-9a-z.]*", "a version")),
        directory=absolute,
        endpoint_=pattern(r"https?://\S+", "an http(s) address"),
        files_=listing(shape(gitBlob_=sha1, path=relative, sha256_=sha256, size=integer(0))),
        repository=pattern(r"[\w.-]+/[\w.-]+", "<owner>/<name>"),
        retention=one_of("Retain", "Purge"),
        revision=sha1,
        tokenFile_=absolute,
    ),
    "install": shape(**OWNED, expect_=shape(driver_=word, gpus_=listing(card))),
    "prepare": shape(
        **OWNED,
        build=shape(cuda_=word, digest=digest, python_=any_python),
        needs=shape(
            diskBytes_=integer(0),
            driverAtLeast_=word,
            gpus_=listing(integer(0)),
            host_=word,
            memoryBytes_=integer(0),
            port_=integer(1),
            python_=python,
            tools_=listing(word),
        ),
        service_=anything,
        user_=account,
    ),
    "status": shape(name=slot, root=absolute, owner_=owner, generation_=digest),
}


def parse(verb: str, raw: bytes) -> dict:
    """The desired state of a verb from stdin; raises AgentError `desired-state` with every mistake in it."""
    return shaped(verb, document(verb, raw))


def shaped(verb: str, value: dict) -> dict:
    """The document, if it is of the verb's shape; raises AgentError `desired-state` with every mistake in it."""
    problems: Problems = []
    SHAPES[verb]("", value, problems)
    if problems:
        raise _wrong(verb, problems)
    return value


def parse_removal(raw: bytes, kind: str | None) -> tuple[dict, str]:
    """The document of any verb, of which a removal needs only who, what and at which generation."""
    value = document("remove", raw)
    kind = kind or value.get("kind")
    problems: Problems = []
    shape(**OWNED)("", {name: value.get(name) for name in ("name", "owner", "root", "generation", "place")}, problems)
    one_of("agent", "build", "model", "service")("kind", kind, problems)
    if problems:
        raise _wrong("remove", problems)
    return value, str(kind)


def document(verb: str, raw: bytes) -> dict:
    try:
        value = json.loads(raw.decode("utf-8"))
    except ValueError as error:
        raise AgentError("desired-state", f"{verb}: stdin is not a JSON document: {error}") from None
    if not isinstance(value, dict):
        raise AgentError("desired-state", f"{verb}: stdin must be one JSON object")
    return value


def _wrong(verb: str, problems: Problems) -> AgentError:
    many = "is 1 mistake" if len(problems) == 1 else f"are {len(problems)} mistakes"
    return AgentError("desired-state", f"{verb}: there {many} in the desired state:\n  " + "\n  ".join(problems))
