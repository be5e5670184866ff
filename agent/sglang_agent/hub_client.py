"""Runs inside a virtual environment that has huggingface_hub; reads what to do on stdin, speaks JSON on stdout.

Its token comes from the file that HF_TOKEN_PATH names, its hub from HF_ENDPOINT: neither is ever an argument.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

# Seconds between attempts; a download goes on where the last attempt ended.
WAITS = (1, 4, 10)


def listing(task: dict[str, Any]) -> list[dict[str, Any]]:
    """The files of a revision as the hub knows them: LFS files by sha256, others by git blob id."""
    from huggingface_hub import HfApi

    info = HfApi().model_info(task["repository"], revision=task["revision"], files_metadata=True)
    found = []
    for entry in info.siblings:
        lfs = entry.lfs
        sha256 = (lfs.get("sha256") if isinstance(lfs, dict) else lfs.sha256) if lfs else None
        identity = {"sha256": sha256} if sha256 else {"gitBlob": entry.blob_id}
        found.append(dict(identity, path=entry.rfilename, size=entry.size))
    return found


def download(task: dict[str, Any]) -> str | None:
    """Download into a folder; what a former run left there whole or in part is used."""
    from huggingface_hub import snapshot_download

    for wait in (*WAITS, None):
        try:
            folder: str = snapshot_download(
                task["repository"],
                revision=task["revision"],
                local_dir=task["folder"],
                allow_patterns=task["paths"],
                max_workers=task["workers"],
            )
            return folder
        except Exception as error:
            if wait is None or not passing(error):
                raise
            print(f"{told(error)}; trying again in {wait} s", file=sys.stderr, flush=True)
            time.sleep(wait)
    return None


def passing(error: Exception) -> bool:
    """Whether it may be better in a moment: a lost connection or the hub's own trouble, not an answer such as 401."""
    status = getattr(getattr(error, "response", None), "status_code", None)
    return status is None or status == 429 or status >= 500


def told(error: Exception) -> str:
    return type(error).__name__ + ": " + " ".join(str(error).split())[:1500]


def main() -> int:
    task = json.load(sys.stdin)
    try:
        answer = {"files": listing(task)} if task["do"] == "list" else {"done": download(task)}
    except Exception as error:
        print(told(error), file=sys.stderr)
        return 1
    print(json.dumps(answer))
    return 0


if __name__ == "__main__":
    sys.exit(main())
