"""One revision of a model: downloaded, every file verified, sealed. A service never starts on less."""

from __future__ import annotations

import os
from pathlib import Path

from sglang_agent import files, hub, jobs, locks, manifest, receipts
from sglang_agent.answer import AgentError
from sglang_agent.documents import Fetch, FetchAnswer, LockedFile
from sglang_agent.layout import Layout, snapshot
from sglang_agent.tools import Log

# Which files of a partial snapshot were verified by a former run, with their size and time then.
VERIFIED = "verified.json"


def fetch(desired: Fetch) -> FetchAnswer:
    """Bring the snapshot, or say that it is there. Long work runs as a job that outlives the session."""
    layout = Layout(desired["root"])
    final = place(desired)
    if manifest.holds(final, desired.get("files")):
        _claim(layout, desired, final)
        receipts.settle(layout, "model", desired)
        return {"changed": False, "path": str(final)}
    answer: FetchAnswer = jobs.run(layout, "fetch", desired)
    return answer


def place(desired: Fetch) -> Path:
    return snapshot(desired["directory"], desired["repository"], desired["revision"])


def _claim(layout: Layout, desired: Fetch, final: Path) -> None:
    retention, secrets = desired["retention"], [desired.get("tokenFile")]
    receipts.claim(layout, "model", desired, snapshot=final, retention=retention, secrets=secrets)


def make(desired: Fetch, log: Log) -> FetchAnswer:
    """The work itself, inside the job. Two stacks that want the same revision wait for each other and share it."""
    layout = Layout(desired["root"])
    final = place(desired)
    with locks.held(layout, f"model-{final.parent.name}-{final.name}"):
        _claim(layout, desired, final)
        changed = not manifest.holds(final, desired.get("files"))
        if changed:
            _make(layout, desired, final, log)
        receipts.settle(layout, "model", desired)
    return {"changed": changed, "path": str(final)}


def _make(layout: Layout, desired: Fetch, final: Path, log: Log) -> None:
    partial = final.with_name(f".{final.name}.partial")
    if final.exists() and not partial.exists():
        os.rename(final, partial)  # what is right in a damaged snapshot need not come again
    files.remove(final)
    scratch = files.make_directory(final.with_name(f".{final.name}.scratch"), 0o700)
    files.make_directory(partial)
    client = hub.Client(desired, log)
    wanted = desired.get("files") or client.listing(scratch)
    _check_space(partial, wanted)
    known: dict[str, manifest.Hashed] = files.read_json(scratch / VERIFIED) or {}
    for attempt in (1, 2):
        right, wrong = manifest.verify(partial, wanted, known)
        if attempt == 1 and wrong:
            _drop(partial, wrong)
            client.download(partial, sorted(wrong), scratch)
            right, wrong = manifest.verify(partial, wanted, right)
        files.write_json(scratch / VERIFIED, right)
        if not wrong:
            break
        _drop(partial, wrong)
        if attempt == 1:
            log.say("fetching again what came wrong: " + "; ".join(f"{path}: {wrong[path]}" for path in sorted(wrong)))
            client.download(partial, sorted(wrong), scratch)
            known = right
    if wrong:
        told = "\n  ".join(f"{path}: {wrong[path]}" for path in sorted(wrong)[:20])
        raise AgentError(
            "verify",
            f"{len(wrong)} of {len(wanted)} files of {desired['repository']} at {desired['revision'][:12]} are not "
            f"what the lock says, also when fetched again; they were deleted:\n  {told}",
        )
    _remove_strangers(partial, wanted)
    manifest.seal(partial, right, {"repository": desired["repository"], "revision": desired["revision"]})
    os.rename(partial, final)
    files.sync_directory(final.parent)
    files.remove(scratch)


def _drop(partial: Path, wrong: dict[str, str]) -> None:
    """Delete what is wrong, so that the client does not take it for done; its own half-done files stay for resuming."""
    for path in wrong:
        files.remove(partial / path)
        files.remove(partial / ".cache/huggingface/download" / f"{path}.metadata")


def _remove_strangers(partial: Path, wanted: list[LockedFile]) -> None:
    """Only what was verified is served: no cache of the client, no file of another list."""
    files.remove(partial / ".cache")
    named = {entry["path"] for entry in wanted}
    for path in list(files.walk_files(partial)):
        if path.as_posix() not in named:
            (partial / path).unlink()


def _check_space(partial: Path, wanted: list[LockedFile]) -> None:
    total = sum(entry["size"] for entry in wanted)
    here = sum((partial / path).stat().st_size for path in files.walk_files(partial))
    needed = max(0, total - here)
    free = files.free_bytes(partial)
    if free < needed:
        raise AgentError(
            "no-space",
            f"the weights need {files.human(needed)} more ({needed} bytes, {total} in all) on the file system of "
            f"{partial.parent}, {files.human(free)} ({free} bytes) are free",
        )
