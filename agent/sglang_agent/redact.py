"""A stream without its secrets: the server prints its arguments, key included, when it starts."""

from __future__ import annotations

import json
from collections.abc import Iterable

MASK = b"***"
# What is shorter than this cannot be told from ordinary text, and hiding it would tear the log apart.
LEAST = 8


class Redactor:
    """Replaces every secret, also where it is split between two reads, and as Python or JSON would quote it."""

    def __init__(self, secrets: Iterable[str]):
        forms: set[str] = set()
        for secret in secrets:
            if len(secret) >= LEAST:
                forms.update(
                    (secret, repr(secret)[1:-1], json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1])
                )
        self._forms: list[bytes] = sorted((form.encode("utf-8") for form in forms), key=len, reverse=True)
        self._held = b""

    def feed(self, block: bytes) -> bytes:
        """What may be passed on now: the rest could be the beginning of a secret."""
        text = self._masked(self._held + block)
        keep = self._open_end(text)
        self._held = text[len(text) - keep :]
        return text[: len(text) - keep]

    def end(self) -> bytes:
        rest, self._held = self._held, b""
        return rest

    def _masked(self, text: bytes) -> bytes:
        for form in self._forms:
            text = text.replace(form, MASK)
        return text

    def _open_end(self, text: bytes) -> int:
        """The length of the longest end of the text that a secret begins with."""
        longest = 0
        for form in self._forms:
            for length in range(min(len(form) - 1, len(text)), longest, -1):
                if text.endswith(form[:length]):
                    longest = length
                    break
        return longest
