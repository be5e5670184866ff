"""How a start went, by systemd and by the verdict that the launcher left; what does not serve is stopped."""

from test.agent.support import Scratch

from sglang_agent import contract, files, kept, starting
from sglang_agent.answer import AgentError

UNIT = "sglang-chat.service"
YES = {"verdict": "yes", "passed": 3, "generation": "gen1"}
NO = {"verdict": "no", "passed": 1, "generation": "gen1", "check": "death", "reason": "gone", "evidence": {}}


class Starting(Scratch):
    def setUp(self):
        super().setUp()
        self.state = {"ActiveState": "active", "LoadState": "loaded", "SubState": "running", "Result": "success"}
        self.calls = []
        self.fails = None
        self.put(starting.systemd, "show", lambda unit: self.state)
        self.put(starting.systemd, "control", self.control)
        self.put(starting.systemd, "forgive", lambda unit: self.calls.append(("forgive", unit)))

    def control(self, *words):
        self.calls.append(words)
        if words[0] == "start" and self.fails:
            raise AgentError("systemd", self.fails)

    def start(self, found=None, active="active", fails=None):
        self.calls.clear()
        self.state["ActiveState"], self.fails = active, fails
        files.remove(self.layout.runtime("chat"))
        if found:
            kept.write(self.layout.runtime("chat") / "verdict.json", found)
        verdict = starting.start(self.layout, "chat", "gen1")
        written = files.read_json(self.layout.generation("chat", "gen1") / "verdict.json")
        self.assertEqual(written, {**verdict, "contract": contract.version()})
        return verdict

    def stopped(self):
        return ("stop", UNIT) in self.calls

    def test_failures_of_before_are_forgotten_so_that_a_start_is_not_refused(self):
        self.start(YES)
        self.assertEqual(self.calls[:2], [("forgive", UNIT), ("start", UNIT)])

    def test_a_yes_of_an_active_unit_serves(self):
        self.assertEqual(self.start(YES)["verdict"], "yes")
        self.assertFalse(self.stopped())

    def test_a_no_is_told_as_it_is_and_stopped(self):
        verdict = self.start(NO, "failed", "Job failed")
        self.assertEqual((verdict["check"], verdict["reason"]), ("death", "gone"))
        self.assertTrue(self.stopped())

    def test_a_start_that_systemd_refused_is_a_no_in_its_words(self):
        for found in (None, YES):
            verdict = self.start(found, "failed", "Job for chat failed")
            self.assertEqual((verdict["verdict"], verdict["check"]), ("no", "start"))
            self.assertEqual(verdict["reason"], "Job for chat failed")
            self.assertTrue(self.stopped())

    def test_a_unit_that_died_after_its_yes_is_a_no(self):
        self.state.update(SubState="failed", Result="exit-code")
        verdict = self.start(YES, "failed")
        self.assertEqual((verdict["verdict"], verdict["reason"]), ("no", "the unit is failed/failed (exit-code)"))
        self.assertTrue(self.stopped())

    def test_an_active_unit_without_a_verdict_or_with_that_of_another_generation_is_a_no(self):
        for found in (None, {**YES, "generation": "gen0"}):
            verdict = self.start(found)
            self.assertEqual((verdict["verdict"], verdict["reason"]), ("no", "it left no verdict"))
            self.assertEqual(verdict["generation"], "gen1")
            self.assertTrue(self.stopped())

    def test_a_stop_forgets_failures_too_and_a_unit_that_is_not_there_needs_none(self):
        starting.stop("chat")
        self.assertEqual(self.calls, [("stop", UNIT), ("forgive", UNIT)])
        self.calls.clear()
        self.state["LoadState"] = "not-found"
        starting.stop("chat")
        self.assertEqual(self.calls, [])

    def test_what_serves_is_active_and_was_found_right_since_boot(self):
        for found, active, serves in (
            (YES, "active", True),
            (YES, "failed", False),
            (NO, "active", False),
            ({**YES, "generation": "gen0"}, "active", False),
            (None, "active", False),
        ):
            files.remove(self.layout.runtime("chat"))
            if found:
                kept.write(self.layout.runtime("chat") / "verdict.json", found)
            self.state["ActiveState"] = active
            self.assertEqual(starting.serving(self.layout, "chat", "gen1"), serves, (found, active))
