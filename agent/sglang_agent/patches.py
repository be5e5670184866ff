"""Unified diffs, applied strictly: every hunk of every patch fits, or no file is touched.

The tree is patched in memory first, patch after patch in order, so that a later patch may build on an earlier one.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Optional

from sglang_agent import files
from sglang_agent.answer import AgentError
from sglang_agent.diff import FilePatch, Hunk, parse
from sglang_agent.documents import Patch

# Where a file's content is during a run; None for a file that a patch deleted.
Overlay = dict[Path, Optional[bytes]]


def apply_all(patches: list[Patch], bases: dict[str, Path]) -> list[Path]:
    """Check all patches, then write; raises AgentError `patch` with every misfit in it. Returns the files changed."""
    overlay: Overlay = {}
    problems: list[str] = []
    for patch in patches:
        problems += _apply(patch, bases, overlay)
    if problems:
        raise AgentError("patch", "no file was touched, because not every patch fits:\n  " + "\n  ".join(problems))
    for path, content in overlay.items():
        if content is None:
            path.unlink()
        else:
            mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
            files.write(path, content, mode)
    return sorted(overlay)


def _apply(patch: Patch, bases: dict[str, Path], overlay: Overlay) -> list[str]:
    name = patch["name"]
    text = patch["text"].encode("utf-8")
    found = hashlib.sha256(text).hexdigest()
    if found != patch["sha256"]:
        return [f"{name}: its text has sha256 {found}, not {patch['sha256']}"]
    base = bases.get(patch["base"])
    if base is None:
        return [f"{name}: this source has no base {patch['base']!r} (it has {' and '.join(sorted(bases))})"]
    changes, problems = parse(text, patch["stripLevel"])
    problems = [f"{name}: {problem}" for problem in problems]
    if not problems:
        for change in changes:
            problems += [f"{name}: {problem}" for problem in _apply_file(change, base, overlay)]
    return problems


def _apply_file(change: FilePatch, base: Path, overlay: Overlay) -> list[str]:
    source = base / change.source if change.source else None
    target = base / change.target if change.target else None
    content = _content(source, overlay) if source else b""
    if content is None:
        hint = (
            ""
            if _exists_elsewhere(base, change) is None
            else f"; {_exists_elsewhere(base, change)} exists: check base and strip level"
        )
        return [f"{change.source}: there is no such file below {base.name or base}{hint}"]
    if source is None and target is not None and _content(target, overlay) is not None:
        same = _content(target, overlay) == b"".join(line[1:] for hunk in change.hunks for line in hunk.lines)
        return [
            f"{change.target}: the patch creates it, but it is there"
            + (": the patch is already applied" if same else "")
        ]
    lines = content.split(b"\n")
    lines = [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    patched, problems = _apply_hunks(change.hunks, lines)
    if problems:
        if _reversed_fits(change.hunks, lines):
            return [f"{change.name}: the patch is already applied (every hunk finds its result in place)"]
        return [f"{change.name}: {problem}" for problem in problems]
    if source is not None and source != target:
        overlay[source] = None
    if target is not None:
        overlay[target] = b"".join(patched)
    return []


def _content(path: Path, overlay: Overlay) -> bytes | None:
    if path in overlay:
        return overlay[path]
    return path.read_bytes() if path.is_file() else None


def _exists_elsewhere(base: Path, change: FilePatch) -> str | None:
    """The same path with a leading folder more or less, which a wrong strip level or base produces."""
    path = change.source or ""
    for candidate in (f"python/{path}", re.sub(r"^[^/]+/", "", path)):
        if candidate != path and (base / candidate).is_file():
            return candidate
    return None


def _apply_hunks(hunks: list[Hunk], lines: list[bytes]) -> tuple[list[bytes], list[str]]:
    result: list[bytes] = []
    problems: list[str] = []
    at = 0
    for hunk in hunks:
        place, problem = _place(hunk, lines, at)
        if problem:
            problems.append(problem)
            continue
        result += lines[at:place] + hunk.after
        at = place + len(hunk.before)
    return result + lines[at:], problems


def _place(hunk: Hunk, lines: list[bytes], least: int) -> tuple[int, str | None]:
    """Where a hunk fits: at its own line, else at the one other place where all its lines are; never approximately."""
    wanted = hunk.before
    own = hunk.start - 1 if wanted else hunk.start
    if own >= least and lines[own : own + len(wanted)] == wanted:
        return own, None
    places = (
        [at for at in range(least, len(lines) - len(wanted) + 1) if lines[at : at + len(wanted)] == wanted]
        if wanted
        else []
    )
    if len(places) == 1:
        return places[0], None
    if places:
        return 0, f"{hunk.title} does not fit at its line and fits at {len(places)} other places"
    for offset, line in enumerate(wanted):
        here = lines[own + offset] if 0 <= own + offset < len(lines) else None
        if here != line:
            found = "the file ends there" if here is None else f"the file has {_shown(here)}"
            return 0, f"{hunk.title} does not fit: at line {own + offset + 1} the patch expects {_shown(line)}, {found}"
    return 0, f"{hunk.title} does not fit"


def _reversed_fits(hunks: list[Hunk], lines: list[bytes]) -> bool:
    at = 0
    for hunk in hunks:
        wanted = hunk.after
        place = next((n for n in range(at, len(lines) - len(wanted) + 1) if lines[n : n + len(wanted)] == wanted), None)
        if not wanted or place is None:
            return False
        at = place + len(wanted)
    return True


def _shown(line: bytes) -> str:
    text = line.decode("utf-8", "replace").rstrip("\n")
    return repr(text if len(text) <= 80 else text[:77] + "...")
