"""Reading a unified diff strictly: what editors, mail and copy-and-paste do to one is a problem with a line number."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


@dataclass
class Hunk:
    """One hunk. `lines` keep their first character; `start` counts from 1 in the old file."""

    number: int
    at_line: int
    start: int
    counts: tuple[int, int]
    lines: list[bytes] = field(default_factory=list)

    @property
    def title(self) -> str:
        return f"hunk {self.number} (line {self.at_line} of the patch)"

    @property
    def before(self) -> list[bytes]:
        return [line[1:] for line in self.lines if line[:1] in b" -"]

    @property
    def after(self) -> list[bytes]:
        return [line[1:] for line in self.lines if line[:1] in b" +"]


@dataclass
class FilePatch:
    """The change of one file; `source` is None for a new file, `target` for a deleted one."""

    source: str | None
    target: str | None
    hunks: list[Hunk] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.target or self.source or "?"


def parse(text: bytes, strip: int) -> tuple[list[FilePatch], list[str]]:
    """The file changes of a patch, and what is wrong with it."""
    carriage = text.find(b"\r")
    if carriage >= 0:
        number = text.count(b"\n", 0, carriage) + 1
        return [], [f"line {number} ends in CR LF: save the patch with plain LF line ends (git: `*.patch -text`)"]
    lines = text.split(b"\n")
    changes: list[FilePatch] = []
    problems: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.startswith((b"GIT binary patch", b"Binary files ")):
            problems.append(f"line {at + 1}: a binary change cannot be applied")
        if line.startswith((b"rename from ", b"copy from ")):
            problems.append(
                f"line {at + 1}: renames and copies are not supported; make the patch with `git diff --no-renames`"
            )
        if line.startswith(b"--- ") and at + 1 < len(lines) and lines[at + 1].startswith(b"+++ "):
            change, wrong = _header(line, lines[at + 1], at + 1, strip)
            at, more = _hunks(lines, at + 2, change)
            problems += wrong + more
            changes.append(change)
        elif _HUNK.match(line):
            problems.append(
                f"line {at + 1}: a hunk without a file header before it, or the hunk before it is shorter than it says"
            )
            at += 1
        else:
            at += 1
    if not changes and not problems:
        problems.append("it changes no file: not a unified diff")
    return changes, problems


def _header(old: bytes, new: bytes, line: int, strip: int) -> tuple[FilePatch, list[str]]:
    problems: list[str] = []
    paths: list[str | None] = []
    for number, raw in ((line, old), (line + 1, new)):
        path = raw[4:].split(b"\t")[0].decode("utf-8", "replace").strip()
        if path == "/dev/null":
            paths.append(None)
            continue
        kept = "/".join(path.split("/")[strip:])
        if not kept or kept.startswith("/") or ".." in kept.split("/"):
            problems.append(
                f"line {number}: {path!r} is no path below the base after stripping {strip} leading folders"
            )
        paths.append(kept)
    source, target = paths
    if source and target and source != target:
        problems.append(f"line {line}: the old name {source!r} and the new one {target!r} differ")
    return FilePatch(source, target), problems


def _hunks(lines: list[bytes], at: int, change: FilePatch) -> tuple[int, list[str]]:
    problems: list[str] = []
    while at < len(lines):
        found = _HUNK.match(lines[at])
        if not found:
            break
        start, old, _, new = (int(group) if group is not None else 1 for group in found.groups())
        hunk = Hunk(len(change.hunks) + 1, at + 1, start, (old, new))
        at += 1
        while at < len(lines) and (len(hunk.before), len(hunk.after)) != hunk.counts:
            line = lines[at]
            if line == b"" and at + 1 < len(lines):
                problems.append(
                    f"{change.name}: {hunk.title}: line {at + 1} of the patch is empty where a context line must begin "
                    "with a blank: an editor has stripped it"
                )
                line = b" "
            if line[:1] not in (b" ", b"+", b"-", b"\\"):
                break
            at = _add(hunk, line, at)
        while at < len(lines) and lines[at].startswith(b"\\"):
            at = _add(hunk, lines[at], at)
        if (len(hunk.before), len(hunk.after)) != hunk.counts:
            problems.append(
                f"{change.name}: {hunk.title}: its header says {old} old and {new} new lines, "
                f"it has {len(hunk.before)} and {len(hunk.after)}"
            )
        change.hunks.append(hunk)
    if not change.hunks:
        problems.append(f"{change.name}: a file header without a hunk (line {at} of the patch)")
    return at, problems


def _add(hunk: Hunk, line: bytes, at: int) -> int:
    if line.startswith(b"\\"):  # "\ No newline at end of file": of the line before
        if hunk.lines and hunk.lines[-1].endswith(b"\n"):
            hunk.lines[-1] = hunk.lines[-1][:-1]
    else:
        hunk.lines.append(line + b"\n")
    return at + 1
