"""The weights' job: one revision of a model onto the mounted volume, with the hub client of the image."""

from __future__ import annotations

import sys
from pathlib import Path

from sglang_agent import desired, fetch, files
from sglang_agent.answer import canonical
from sglang_agent.documents import Fetch
from sglang_agent.layout import Layout
from sglang_agent.tools import Log


def main(words: list[str]) -> int:
    """`fetch FILE STATE`. STATE is the folder on the volume that serving pods may write to."""
    document: Fetch = desired.parse("fetch", Path(words[0]).read_bytes())
    files.make_directory(Path(words[1]))
    document["client"] = {"python": sys.executable}
    print(canonical(fetch.make(document, Log(Layout(document["root"]), "fetch", document["name"]))), flush=True)
    return 0
