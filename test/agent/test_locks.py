"""One at a time for one thing; for another thing nobody waits."""

import os
import stat
import threading
from unittest import mock

from test.agent.support import Scratch

from sglang_agent import locks
from sglang_agent.answer import AgentError


class Locks(Scratch):
    def test_a_slot_that_is_held_is_busy_once_patience_has_ended(self):
        with (
            locks.held(self.layout, "service-chat"),
            mock.patch.object(locks.time, "sleep", side_effect=AssertionError("it waited")),
            self.assertRaisesRegex(AgentError, "held service-chat on this host for 0 s") as busy,
            locks.held(self.layout, "service-chat", patience=0),
        ):
            self.fail("held twice")
        self.assertEqual(busy.exception.code, "busy")

    def test_another_slot_is_free(self):
        with locks.held(self.layout, "service-chat"), locks.held(self.layout, "service-embed", patience=0):
            pass

    def test_a_slot_is_free_again_after_its_work_whether_that_went_well_or_not(self):
        with self.assertRaises(KeyError), locks.held(self.layout, "service-chat"):
            raise KeyError
        with locks.held(self.layout, "service-chat", patience=0):
            pass

    def test_who_waits_comes_in_when_the_other_has_ended(self):
        order, waits = [], threading.Event()

        def second():
            with locks.held(self.layout, "service-chat", patience=60):
                order.append("second")

        with locks.held(self.layout, "service-chat"), mock.patch.object(locks.time, "sleep", lambda _: waits.set()):
            other = threading.Thread(target=second)
            other.start()
            self.assertTrue(waits.wait(10))
            order.append("first")
        other.join(10)
        self.assertEqual(order, ["first", "second"])

    def test_locks_are_for_root_alone_and_not_handed_to_programs(self):
        inherited = []
        real = os.open
        with mock.patch.object(os, "open", lambda *words: inherited.append(words[1]) or real(*words)):
            with locks.held(self.layout, "service-chat"):
                [lock] = self.layout.locks.iterdir()
                modes = [stat.S_IMODE(path.stat().st_mode) for path in (self.layout.locks, lock)]
        self.assertEqual(modes, [0o700, 0o600])
        self.assertTrue(inherited[-1] & os.O_CLOEXEC)
