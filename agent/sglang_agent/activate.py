"""From one generation of a service to the next: keep it when the gate says yes, go back when it says no."""

from __future__ import annotations

from pathlib import Path
from typing import TypedDict

from sglang_agent import (
    arguments,
    build,
    claims,
    files,
    foreign,
    generation,
    jobs,
    locks,
    manifest,
    prepare,
    receipts,
    secret_files,
    starting,
    systemd,
    users,
)
from sglang_agent.answer import AgentError
from sglang_agent.documents import ActivateAnswer, Service, Verdict
from sglang_agent.layout import Layout, unit_name
from sglang_agent.standin import refuse_real_server
from sglang_agent.tools import Log

# What a change is about, on disk for as long as it is under way: generations.
Switch = TypedDict("Switch", {"from": "str | None", "older": "str | None", "to": str})


def activate(desired: Service) -> ActivateAnswer:
    """Bring the generation to serve. The work runs as a job that outlives the session."""
    layout = Layout(desired["root"])
    name, wanted = desired["name"], desired["generation"]
    settled = receipts.settled(layout, "service", desired) and _switch(layout, name) is None
    if settled and generation.current(layout, name) == wanted and generation.up_to_date(layout, desired):
        if starting.serving(layout, name, wanted):
            claims.settle(layout, name, desired["owner"])
            return {"changed": False, "generation": wanted, "restarted": False}
    answer: ActivateAnswer = jobs.run(layout, "activate", desired)
    return answer


def make(desired: Service, log: Log) -> ActivateAnswer:
    """The work itself, inside the job."""
    layout = Layout(desired["root"])
    name = desired["name"]
    with locks.held(layout, f"service-{name}"):
        problem = foreign.problem(layout, name, bool(desired.get("adopt")))
        if problem:
            raise AgentError("foreign-unit", problem)
        before = receipts.read(layout, "service", name)
        taken = receipts.taken_by_another(layout, "service", desired)
        if taken:
            raise AgentError("owned-by-another", taken)
        claims.take(layout, name, desired["owner"], desired["generation"], desired)
        receipts.claim(layout, "service", desired, user=desired["user"])
        try:
            restarted = _converge(layout, desired, log)
        except AgentError:
            claims.settle(layout, name, desired["owner"])
            settled = before.get("settled") if before else None
            if before and settled and generation.current(layout, name) == settled:
                # What serves is still the generation of before: so says the receipt.
                receipts.write(layout, before)
            raise
        receipts.settle(layout, "service", desired)
        claims.settle(layout, name, desired["owner"])
        generation.prune(layout, name)
        return {"changed": True, "generation": desired["generation"], "restarted": restarted}


def _converge(layout: Layout, desired: Service, log: Log) -> bool:
    """Says whether the server was started."""
    name, wanted = desired["name"], desired["generation"]
    switch = _switch(layout, name)
    adopted = foreign.found(layout, name) is not None
    if switch is None and generation.current(layout, name) == wanted and not adopted:
        generation.refresh(layout, desired)
        if starting.serving(layout, name, wanted):
            return False
        _check(layout, desired)
        found = starting.start(layout, name, wanted)
        if found["verdict"] == "no":
            raise _failure(
                found,
                f"{name} does not serve: generation {wanted}, which was to serve already, was started again "
                "and failed; it is stopped and nothing else was started",
                log,
            )
        _enable(name)
        return True
    _check(layout, desired)
    users.ensure(layout, desired["user"], log)
    _make_caches(layout, desired)
    _check_reachable(layout, desired)
    generation.stage(layout, desired)
    return _change(layout, desired, switch, log)


def _change(layout: Layout, desired: Service, switch: Switch | None, log: Log) -> bool:
    """The switch. What it is about is on disk before anything is stopped, so that a run that dies can be made good."""
    name, wanted = desired["name"], desired["generation"]
    good = switch["from"] if switch else generation.current(layout, name)
    older = switch["older"] if switch else generation.previous(layout, name)
    under_way = switch is not None and switch["to"] == wanted and generation.current(layout, name) == wanted
    back: str | None = good if good != wanted else None
    files.write_json(layout.service(name) / generation.SWITCH, {"from": good, "older": older, "to": wanted})
    if not (under_way and systemd.alive(unit_name(name))):
        generation.point(layout, name, generation.PREVIOUS, back or older)
        foreign.adopt(layout, name)
        starting.stop(name)
        generation.install(layout, name, wanted)
    log.say(f"starting generation {wanted}; before it: {good}")
    found = starting.start(layout, name, wanted)
    if found["verdict"] == "yes":
        _enable(name)
        files.remove(layout.service(name) / generation.SWITCH)
        return True
    if back is None:
        if good is None:
            systemd.control("disable", unit_name(name))
            generation.point(layout, name, generation.CURRENT, None)
        files.remove(layout.service(name) / generation.SWITCH)
        unit = foreign.give_back(layout, name, start=True) if good is None else None
        outcome = f"{unit} is as it was before" if unit else "there is none before it to go back to"
        raise _failure(found, f"{name} does not serve: generation {wanted} failed and is stopped; {outcome}", log)
    raise _failure(
        found, f"generation {wanted} of {name} failed and is stopped; {_go_back(layout, name, back, older)}", log
    )


def _go_back(layout: Layout, name: str, back: str, older: str | None) -> str:
    """Start the generation that served before; says how that went."""
    generation.install(layout, name, back)
    generation.point(layout, name, generation.PREVIOUS, older if older != back else None)
    found = starting.start(layout, name, back)
    files.remove(layout.service(name) / generation.SWITCH)
    if found["verdict"] == "yes":
        return f"the previous generation {back} serves again and has passed its gate"
    why = f"{found['check']}: {found['reason']}"
    return f"the previous generation {back} was started and failed too ({why}): NOTHING SERVES NOW"


def _check(layout: Layout, desired: Service) -> None:
    """Everything that can be known to be wrong before anything is stopped."""
    receipt = build.receipt_of(layout, desired["build"])
    model = Path(desired["model"]["path"])
    if not manifest.holds(model, None):
        raise AgentError("model", f"there is no complete, verified snapshot in {model}: run `fetch` first")
    _check_key(desired.get("apiKeyFile"))
    refuse_real_server(layout, desired["build"], receipt)
    arguments.check(desired)
    _check_free(layout, desired)


def _check_free(layout: Layout, desired: Service) -> None:
    """Processes that are not of the service, whatever claims they have not."""
    name, place = desired["name"], desired["endpoint"]
    current = generation.current(layout, name)
    serves = generation.desired_of(layout, name, current) if current and systemd.alive(unit_name(name)) else None
    port = None if serves and serves["endpoint"]["port"] == place["port"] else place["port"]  # its own server has it
    problems = prepare.occupied(claims.gpus_of(desired["environment"]), place["host"], port, unit_name(name))
    if problems:
        raise AgentError(
            "occupied", f"{name} cannot start; nothing was stopped or changed:\n  " + "\n  ".join(problems)
        )


def _check_key(path: str | None) -> None:
    if not path:
        return
    key = secret_files.read(path, "API key")
    problems = []
    if len(key) < 8:
        problems.append("is shorter than 8 characters, so that it could not be kept out of the journal")
    if key.startswith("-"):
        problems.append("begins with a dash, which SGLang's parser takes for an option")
    if not key.isprintable() or not key.isascii() or " " in key:
        problems.append("has blanks or characters that an HTTP header cannot carry")
    if problems:
        raise AgentError("secret", "the API key " + " and ".join(problems))


def _make_caches(layout: Layout, desired: Service) -> None:
    """The build's cache folder, the only one that the server writes to, and those in it that its environment names."""
    cache = layout.build_cache(desired["build"])
    users.own_directory(cache, desired["user"])
    for value in (desired.get("environment") or {}).values():
        if Path(value).parent == cache:
            users.own_directory(Path(value), desired["user"])


def _check_reachable(layout: Layout, desired: Service) -> None:
    paths: list[Path] = [layout.build(desired["build"]), Path(desired["model"]["path"]), layout.services]
    files.make_directory(layout.services)
    closed = sorted({folder for path in paths for folder in users.unreachable(path, desired["user"])})
    if closed:
        raise AgentError(
            "reach", f"user {desired['user']} cannot enter {', '.join(closed)}: give it the right to (chmod o+x)"
        )


def _switch(layout: Layout, name: str) -> Switch | None:
    found: Switch | None = files.read_json(layout.service(name) / generation.SWITCH)
    return found


def _enable(name: str) -> None:
    if systemd.show(unit_name(name))["UnitFileState"] != "enabled":
        systemd.control("enable", unit_name(name))


def _failure(found: Verdict, outcome: str, log: Log) -> AgentError:
    told = f"{found['check']}: {found['reason']}"
    return AgentError(
        "gate-failed",
        f"{outcome}\n  {told}",
        str(log.path),
        {"check": found["check"], "reason": found["reason"], **found.get("evidence", {})},
    )
