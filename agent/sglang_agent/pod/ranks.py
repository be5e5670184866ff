"""The ranks of a server over several pods: which this pod has, and where those of one start meet.

Each start of the head has a port of its own, which its board tells, so that what was started beside another start of it
does not join this one, however late it comes.
"""

from __future__ import annotations

import os
import random
import re
import socket
import time

from sglang_agent import documents
from sglang_agent.arguments import Arguments

# Ports that one start may use: SGLang takes those next to the one that it is given (PortArgs in its server_args.py).
PORTS = 32
STARTS = 300
NAME_SECONDS = 60.0


def rank() -> int:
    """Of this pod among the nodes of its server: its index in a LeaderWorkerSet, or its host name's ordinal."""
    index = os.environ.get("LWS_WORKER_INDEX")
    found = re.search(r"-(\d+)$", socket.gethostname())
    return int(index) if index else int(found.group(1)) if found else 0


def meeting(revision: documents.Pod) -> int | None:
    """Another port for another start, away from those of the API and the board; None on a single node."""
    nodes = revision.get("nodes")
    if not nodes:
        return None
    taken = (revision["endpoint"]["port"], nodes["boardPort"])
    starts = (nodes["port"] + PORTS * number for number in random.sample(range(STARTS), STARTS))
    return next(port for port in starts if not any(port <= one < port + PORTS for one in taken))


def await_name(revision: documents.Pod) -> None:
    """Until the head's name leads to this pod, which is the head: its server binds to it, and the address of a new pod
    takes a while to be known. After NAME_SECONDS the server has to see for itself.
    """
    nodes = revision.get("nodes")
    until = time.monotonic() + NAME_SECONDS
    while nodes and time.monotonic() < until and not _addresses(nodes["head"]) & _addresses(socket.gethostname()):
        time.sleep(1)


def _addresses(name: str) -> set[str]:
    try:
        return {str(found[4][0]) for found in socket.getaddrinfo(name, None)}
    except OSError:
        return set()


def arguments(revision: documents.Pod, rank: int, meeting: int | None) -> Arguments:
    """The server's arguments, with what a rank adds."""
    nodes = revision.get("nodes")
    if not nodes:
        return revision["arguments"]
    where = f"{nodes['head']}:{meeting}"
    return {**revision["arguments"], "dist-init-addr": where, "nnodes": nodes["count"], "node-rank": rank}
