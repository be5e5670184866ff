"""Asking the board of a pod, by URL."""

from __future__ import annotations

import json
import urllib.request
from typing import Any

SECONDS = 5.0


def board(url: str) -> Any:
    """The document at a URL of a board; None while nobody answers there, or there is nothing yet."""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(url, timeout=SECONDS) as reply:
            return json.loads(reply.read())
    except (OSError, ValueError):
        return None
