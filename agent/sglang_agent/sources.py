"""Where a build's sglang comes from: the package index or a git commit, full or for its argument parser only."""

from __future__ import annotations

import re
from pathlib import Path

from sglang_agent import archive, files, venvs
from sglang_agent.answer import AgentError
from sglang_agent.documents import Build, GitSource, LockedPackage, WheelSource
from sglang_agent.tools import Log, run

# What SGLang's argument parser imports for real (parser_harness.py), and what that needs in turn.
PARSER_PACKAGES = {
    "annotated-types", "msgspec", "packaging", "pydantic", "pydantic-core", "sglang", "typing-extensions",
    "typing-inspection",
}  # fmt: skip

PARSER_NEEDS = ["msgspec", "packaging", "pydantic"]


def locked(desired: Build) -> list[LockedPackage]:
    """The part of the lock that this build installs; raises AgentError `lock` when it cannot be the right one."""
    source = desired["source"]
    wheel = source["kind"] == "wheel"
    lock = [entry for entry in desired.get("lock") or [] if wheel or plain(entry["name"]) != "sglang"]
    if desired["dependencies"] == "parser-only":
        lock = [entry for entry in lock if plain(entry["name"]) in PARSER_PACKAGES]
    elif not lock:
        raise AgentError("lock", "a full build needs the lock's package versions and hashes: run pin")
    if lock and source["kind"] == "wheel":
        _require_release(source, lock)
    return lock


def bring(desired: Build, staging: Path, python: str, log: Log, environment: dict[str, str]) -> Path:
    """Put source and dependencies in place, unpatched; returns the site-packages folder."""
    source = desired["source"]
    if source["kind"] == "git":
        _clone(source, staging / "source", log, environment)
    lock = locked(desired)
    if lock:
        venvs.install_locked(python, lock, staging, log, environment)
    else:
        if source["kind"] == "wheel":
            only = ["--no-deps", "--only-binary", ":all:", source["requirement"]]
            venvs.install(python, only, log, environment, f"installing {source['requirement']} without dependencies")
        venvs.install(python, PARSER_NEEDS, log, environment, "installing what the parser imports")
    return venvs.site_packages(python)


def _require_release(source: WheelSource, lock: list[LockedPackage]) -> None:
    wanted = source["requirement"].split("==")[1]
    have = [entry["version"] for entry in lock if plain(entry["name"]) == "sglang"]
    if have != [wanted]:
        raise AgentError("lock", f"the lock has sglang {', '.join(have) or '(none)'}, the source is {wanted}: run pin")


def plain(name: str) -> str:
    """A package name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _clone(source: GitSource, folder: Path, log: Log, environment: dict[str, str]) -> None:
    """The commit and no other: a shallow fetch where the server allows one by id, else everything."""
    files.make_directory(folder)
    git = ["git", "-c", "advice.detachedHead=false", "-c", "core.autocrlf=false", "-C", str(folder)]
    run([*git, "init", "--quiet"], log, "git init", "git", environment)
    run([*git, "remote", "add", "origin", source["repository"]], log, "git remote add", "git", environment)
    what = f"fetching {source['commit']} from {source['repository']}"
    try:
        run([*git, "fetch", "--quiet", "--depth", "1", "origin", source["commit"]], log, what, "git", environment)
    except AgentError:
        run(
            [*git, "fetch", "--quiet", "--tags", "origin", "+refs/heads/*:refs/remotes/origin/*"],
            log,
            what,
            "git",
            environment,
        )
    run(
        [*git, "checkout", "--quiet", "--detach", source["commit"]],
        log,
        f"checking out {source['commit']}",
        "git",
        environment,
    )


def package_of(desired: Build, staging: Path, site: Path) -> Path:
    """The folder of the sglang package that the patches changed."""
    source = desired["source"]
    package = site / "sglang"
    if source["kind"] == "git":
        package = staging / "source" / (source.get("subdirectory") or "python") / "sglang"
    if not package.is_dir():
        raise AgentError(
            "source", f"the source has no sglang package where it is expected ({package.relative_to(staging)})"
        )
    return package


def finish(
    desired: Build, staging: Path, final: Path, python: str, site: Path, log: Log, environment: dict[str, str]
) -> None:
    """After the patches: make a git source importable, then check that the build imports."""
    source = desired["source"]
    full = desired["dependencies"] == "full"
    if source["kind"] == "git":
        project = staging / "source" / (source.get("subdirectory") or "python")
        if full:
            # Without the tags of a full clone the version would come out as a development one.
            version = {**environment, "SETUPTOOLS_SCM_PRETEND_VERSION": desired["release"]}
            venvs.install(python, ["--no-deps", str(project)], log, version, "installing sglang from its source")
        else:
            files.write(site / "sglang.pth", str(final / project.relative_to(staging)) + "\n")
    if full:
        venvs.imports(python, "sglang.srt.server_args", log, environment)
    else:
        _parses(python, package_of(desired, staging, site), staging, log, environment)


def _parses(python: str, package: Path, staging: Path, log: Log, environment: dict[str, str]) -> None:
    """The import check of a parser-only build: its parser runs, all else being stubs."""
    harness = staging / "tmp/parser_harness.py"
    files.write(harness, archive.resource(harness.name))
    command = [python, "-I", str(harness), "check", "--package", str(package.parent), "--stubs"]
    run(command, log, "running the build's own argument parser", "import", environment, stdin=b"[]")
