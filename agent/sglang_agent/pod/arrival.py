"""The job beside one that prepares something: ends as it does, and before it where it cannot come to an end."""

from __future__ import annotations

import argparse
from typing import Any

from sglang_agent.pod import cluster, patience, termination
from sglang_agent.pod.patience import Patience


def main(words: list[str]) -> int:
    """`arrival --job NAME --seconds N`."""
    usage = argparse.ArgumentParser(prog="serve arrival", allow_abbrev=False)
    usage.add_argument("--job", required=True)
    usage.add_argument("--seconds", required=True, type=float)
    given = usage.parse_args(words)
    wait = Patience(given.seconds, "no pod has been made for it")
    for _ in wait.looks():
        job = cluster.get(cluster.BATCH, f"jobs/{given.job}")
        if not job:
            continue
        pods = cluster.items(cluster.CORE, "pods", labelSelector=f"batch.kubernetes.io/job-name={given.job}")
        why = patience.in_the_way(pods, [job["metadata"]["uid"]])
        over = wait.is_over(why, passing=any(pod["metadata"].get("deletionTimestamp") for pod in pods))
        ended = _ended(job)
        if ended == "Complete":
            return 0
        if ended or over:
            termination.tell(wait.last)
            return 1
    termination.tell(f"{given.job} did not end in {given.seconds:.0f} s: {wait.last}")
    return 1


def _ended(job: dict[str, Any]) -> str | None:
    conditions = (job.get("status") or {}).get("conditions") or []
    return next(
        (one["type"] for one in conditions if one["type"] in ("Complete", "Failed") and one["status"] == "True"), None
    )
