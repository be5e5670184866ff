"""Verb, stdin, answer. Exit status 0: converged; 1: a failure that was told."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any, Callable, Optional

from sglang_agent import answer, desired
from sglang_agent.answer import AgentError
from sglang_agent.layout import Layout
from sglang_agent.receipts import Kind

Answer = Mapping[str, object]
Verb = Callable[[list[str], bytes], Optional[Answer]]


def main(argv: list[str] | None = None) -> int:
    """Run one verb. All of stdin is read before anything else, so that the sender never meets a closed pipe."""
    arguments = sys.argv[1:] if argv is None else argv
    os.umask(0o022)
    if arguments[:1] and arguments[0] in SERVING:
        return SERVING[arguments[0]](arguments[1:])
    raw = b"" if sys.stdin is None or sys.stdin.isatty() else sys.stdin.buffer.read()
    verb = arguments[0] if arguments else ""
    try:
        if verb not in VERBS:
            raise AgentError("usage", f"unknown verb {verb!r}; the verbs are: {', '.join(sorted([*VERBS, *SERVING]))}")
        document = VERBS[verb](arguments[1:], raw) or {}
    except AgentError as error:
        return tell(error)
    except Exception as error:
        return tell(answer.internal(verb, error))
    answer.emit(document, answer.FACTS_LIMIT_BYTES if verb == "facts" else answer.LIMIT_BYTES)
    return 0


def tell(error: AgentError) -> int:
    answer.emit(answer.failure(error))
    print(error.message + (f"\nlog: {error.log}" if error.log else ""), file=sys.stderr)
    return 1


def _in_a_slot(kind: Kind, make: Callable[[Any], Answer], wanted: Any, words: list[str]) -> Answer:
    """A verb that makes what `remove` takes away again."""
    from sglang_agent import replaced

    layout = Layout(wanted["root"])
    if kind != "agent":
        replaced.agent_is_known(layout, wanted)
    made = make(wanted)
    if answer.heard():
        replaced.told(layout, kind, wanted, words)
    return made


# Modules are imported by the verb that needs them: the answer of a converged verb is a matter of milliseconds.


def _activate(arguments: list[str], raw: bytes) -> Answer:
    from sglang_agent import activate, prepared, replaced

    wanted = desired.parse("activate", raw)
    service = prepared.complete(wanted)
    replaced.service_is_known(Layout(wanted["root"]), wanted)
    return activate.activate(service)


def _build(arguments: list[str], raw: bytes) -> Answer:
    from sglang_agent import build

    return _in_a_slot("build", build.build, desired.parse("build", raw), arguments)


def _check_arguments(arguments: list[str], raw: bytes) -> Answer:
    from sglang_agent import arguments as argv_of
    from sglang_agent import prepared

    return argv_of.check(prepared.complete(desired.parse("activate", raw)))


def _facts(arguments: list[str], raw: bytes) -> Answer:
    from sglang_agent import facts

    desired.parse("facts", raw)
    return facts.host_facts()


def _fetch(arguments: list[str], raw: bytes) -> Answer:
    from sglang_agent import fetch

    return _in_a_slot("model", fetch.fetch, desired.parse("fetch", raw), arguments)


def _install(arguments: list[str], raw: bytes) -> Answer:
    from sglang_agent import install

    return _in_a_slot("agent", install.install, desired.parse("install", raw), arguments)


def _intend(arguments: list[str], raw: bytes) -> Answer:
    from sglang_agent import intend

    return _in_a_slot("service", intend.intend, desired.parse("intend", raw), arguments)


def _job(arguments: list[str], raw: bytes) -> Answer:
    from sglang_agent import jobs

    return jobs.run_inside(arguments)


def _prepare(arguments: list[str], raw: bytes) -> Answer:
    from sglang_agent import prepare

    return prepare.prepare(desired.parse("prepare", raw))


def _remove(arguments: list[str], raw: bytes) -> Answer:
    from sglang_agent import remove

    return remove.remove(*desired.parse_removal(raw, arguments[0] if arguments else ""))


def _secret(arguments: list[str], raw: bytes) -> Answer:
    from sglang_agent import secret_files

    return secret_files.install(arguments, raw)


def _remove_secret(arguments: list[str], raw: bytes) -> Answer:
    from sglang_agent import secret_files

    return secret_files.remove(arguments)


def _status(arguments: list[str], raw: bytes) -> Answer:
    from sglang_agent import status

    return status.status(desired.parse("status", raw))


def _launch(arguments: list[str]) -> int:
    from sglang_agent import launcher

    return launcher.launch(arguments)


def _serve(arguments: list[str]) -> int:
    from sglang_agent import serve

    return serve.serve(arguments)


VERBS: dict[str, Verb] = {
    "activate": _activate,
    "build": _build,
    "check-arguments": _check_arguments,
    "facts": _facts,
    "fetch": _fetch,
    "install": _install,
    "intend": _intend,
    "job": _job,
    "prepare": _prepare,
    "remove": _remove,
    "remove-secret": _remove_secret,
    "secret": _secret,
    "status": _status,
}

# These stay until they are told to stop, and write a log rather than an answer.
SERVING: dict[str, Callable[[list[str]], int]] = {"launch": _launch, "serve": _serve}
