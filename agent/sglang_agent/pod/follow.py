"""A rank after the first: serves what its head serves, for as long as the head serves it.

It follows only a head that was made for the same revision as itself: while a set of pods is replaced one after the
other, it waits for the new head. Once the head starts anything anew, with the same settings or with others, it starts
anew too.
"""

from __future__ import annotations

import signal
import threading
import time
from pathlib import Path

from sglang_agent import documents
from sglang_agent.documents import BoardAnswer
from sglang_agent.launcher import BROKEN_GRACE_SECONDS
from sglang_agent.pod import ask, memory, revisions, start, termination
from sglang_agent.pod.board import Board

LOOK_SECONDS = 1.0
# A server notices at once that its head is gone; the head's board says so only when it is back.
HEAD_GONE_SECONDS = 15.0


class Follower:
    """One container's life as a rank after the first."""

    def __init__(self, desired: documents.Pod, good_file: Path, board: Board, build: str, scratch: Path):
        self.desired = desired
        self.good_file = good_file
        self.board = board
        self.build = build
        self.scratch = scratch
        nodes = desired["nodes"]
        self.url = f"http://{nodes['head']}:{nodes['boardPort']}/state"
        self.stop = threading.Event()

    def follow(self) -> int:
        """Until a stop is asked for, or the server ends by itself."""
        self.board.ready = lambda: True  # the head answers for all: a rollout must not wait for the others
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self.stop.set())
        while not self.stop.is_set():
            told = self._head()
            revision = self._revision(told) if told else None
            if told is None or revision is None:
                self.stop.wait(LOOK_SECONDS)
                continue
            status = self._beside(told, revision)
            if status is not None:
                return status
        return 0

    def _head(self) -> BoardAnswer | None:
        """What the head's board says; None while it does not answer, or is another's: addresses are used again."""
        told: BoardAnswer | None = ask.board(self.url)
        return told if told and (told.get("name"), told.get("rank")) == (self.desired["name"], 0) else None

    def _revision(self, told: BoardAnswer) -> documents.Pod | None:
        """What the head has started; None while it has nothing, or was made for something else than this pod."""
        if told["desired"] != self.desired["generation"] or not told["start"]:
            return None
        known = (self.desired, revisions.last_good(self.good_file))
        return next((one for one in known if one and one["generation"] == told["serving"]), None)

    def _beside(self, told: BoardAnswer, revision: documents.Pod) -> int | None:
        """Serve beside one start of the head: an exit status, or None when the head has left it."""
        server = start.server(revision, self.board.rank, told["meeting"], start.key(revision), self.scratch)
        self.board.begin(revision["generation"], told["meeting"])
        killed = memory.kills()
        server.start(start.environment(revision, self.build))
        while not self.stop.wait(LOOK_SECONDS):
            if self._has_left(told):
                print(f"the head has left {told['start']}: following it", flush=True)
                server.stop(BROKEN_GRACE_SECONDS)
                self.board.end()
                return None
            status = server.status
            if status is not None:
                server.stop(0)
                self.board.end()
                if self._leaves(told):
                    return None
                termination.tell(termination.end(server, status, memory.want(killed)))
                return 1
        server.stop(revision["stopGraceSeconds"])
        return 0

    def _has_left(self, told: BoardAnswer) -> bool:
        """Whether the head says that it has started something else, or stopped; silence says nothing."""
        now = self._head()
        return now is not None and now["start"] != told["start"]

    def _leaves(self, told: BoardAnswer) -> bool:
        """Whether the head has gone, or goes within a moment: then its end was the cause."""
        until = time.monotonic() + HEAD_GONE_SECONDS
        while time.monotonic() < until and not self.stop.is_set():
            now = self._head()
            if now is None or now["start"] != told["start"]:
                return True
            self.stop.wait(LOOK_SECONDS)
        return self.stop.is_set()
