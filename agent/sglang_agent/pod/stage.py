"""A patched copy of the image's SGLang, and what its parser says of the arguments: in a server's pod, and before it."""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

from sglang_agent import archive, contract, files, kept, patches, tree
from sglang_agent.answer import AgentError
from sglang_agent.arguments import as_list
from sglang_agent.documents import Pod, Stage, Verdict
from sglang_agent.pod import revisions

FIND = """
import importlib.metadata, importlib.util, json
spec = importlib.util.find_spec("sglang")
try:
    version = importlib.metadata.version("sglang")
except importlib.metadata.PackageNotFoundError:
    version = None
print(json.dumps([list(spec.submodule_search_locations)[0] if spec else None, version]))
"""
PARSER_SECONDS = 600


def main(words: list[str]) -> int:
    """`stage --plan FILE --desired FILE --build FOLDER --run FOLDER [--ahead]`.

    `--ahead`: before anything is stopped, in a pod without a GPU. Arguments that the parser refuses end it; of a parser
    that cannot be run there, the server's pod will tell.
    """
    usage = argparse.ArgumentParser(prog="serve stage", allow_abbrev=False)
    for name in ("plan", "desired", "build", "run"):
        usage.add_argument(f"--{name}", required=True)
    usage.add_argument("--ahead", action="store_true")
    given = usage.parse_args(words)
    plan: Stage = revisions.read("stage", given.plan)
    desired: Pod = revisions.read("pod", given.desired)
    build = Path(given.build)
    package = _copy(plan, build)
    patches.apply_all(plan["patches"], {"site-packages": build})
    found = tree.python_digest(package)
    print(f"{len(plan['patches'])} patches; tree hash {found}", flush=True)
    expected = plan.get("treeSha256")
    if expected and found != expected:
        told = f"the image's patched sglang has the tree hash {found}, the lock says {expected}"
        raise AgentError("tree", f"{told}: image and release differ")
    if given.ahead:
        _foresee(desired, build, Path(given.run))
    else:
        _judge(desired, build, Path(given.run))
    return 0


def _copy(plan: Stage, build: Path) -> Path:
    folder, version = _installed()
    if folder is None:
        raise AgentError("image", f"{sys.executable} of this image has no package sglang")
    if plan["release"] and version and version.split("+")[0] != plan["release"]:
        told = f"this image has SGLang {version}, the build says {plan['release']}"
        raise AgentError("image", f"{told}: give an image of that release")
    package = build / "sglang"
    files.remove(package)  # of a run that was interrupted
    shutil.copytree(folder, package, ignore=shutil.ignore_patterns("__pycache__"))
    return package


def _installed() -> tuple[str | None, str | None]:
    done = subprocess.run([sys.executable, "-I", "-c", FIND], capture_output=True, check=True)
    folder, version = json.loads(done.stdout)
    return folder, version


def _foresee(desired: Pod, build: Path, run: Path) -> None:
    try:
        refused = _refused(desired, build, run)
    except AgentError as error:
        if error.code != "parser":
            raise
        print(error.message, flush=True)
        return
    if refused:
        raise AgentError("arguments", refused)


def _judge(desired: Pod, build: Path, run: Path) -> None:
    """An argument that the parser refuses is a "no" like any other: the server's container goes back from it."""
    reason = _refused(desired, build, run)
    if reason:
        verdict: Verdict = {
            "check": "arguments",
            "contract": contract.version(),
            "generation": desired["generation"],
            "passed": 0,
            "reason": reason,
            "verdict": "no",
        }
        kept.write(run / revisions.VERDICT, verdict)


def _refused(desired: Pod, build: Path, run: Path) -> str | None:
    """What the image's own parser has against the arguments; AgentError where it cannot be run."""
    harness = run / "parser_harness.py"
    files.write(harness, archive.resource(harness.name))
    done = subprocess.run(
        [sys.executable, "-I", str(harness), "check", "--package", str(build)],
        capture_output=True,
        input=json.dumps([as_list(desired["arguments"])]).encode(),
        timeout=PARSER_SECONDS,
    )
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip()[-800:]
        raise AgentError("parser", f"the parser of this image cannot be run: {said}")
    problems = json.loads(done.stdout)[0]["problems"]
    told = "; ".join(f"{problem['argument']}: {problem['message']}" for problem in problems)
    return f"the release's own parser refuses: {told}" if told else None
