"""What a service is said to do: of this boot where that is known, else what was written down."""

from test.agent.support import Scratch

from sglang_agent import files, generation, kept, receipts, status

YES = {"verdict": "yes", "passed": 3}
SERVICE = {"build": "bbbb0001", "settingsDigest": "dddd0001"}


class Status(Scratch):
    def setUp(self):
        super().setUp()
        self.state = {"ActiveState": "active", "SubState": "running", "UnitFileState": "enabled"}
        self.machine = {"driver": "590.1", "gpus": ["RTX PRO 6000"], "kernel": "6.8.0"}
        self.put(status.proved, "machine", lambda: self.machine)
        self.put(status.systemd, "running", lambda: True)
        self.put(status.systemd, "show", lambda unit: self.state)
        self.put(status.generation, "desired_of", lambda layout, name, which: SERVICE if which == "gen2" else None)

    def status(self):
        return status.status({"root": str(self.layout.root), "name": "chat"})

    def serve(self, which="gen2"):
        files.make_directory(self.layout.generation("chat", which))
        generation.point(self.layout, "chat", generation.CURRENT, which)

    def test_of_what_was_never_there(self):
        self.put(status.systemd, "running", lambda: False)
        found = self.status()
        self.assertEqual((found["active"], found["enabled"], found["unitState"]), (False, False, "unknown/unknown"))
        self.assertEqual((found["switching"], found["sinceBoot"]), (False, False))
        for field in ("build", "generation", "owner", "previous", "settingsDigest", "verdict"):
            self.assertIsNone(found[field], field)

    def test_of_one_that_serves(self):
        self.serve()
        generation.point(self.layout, "chat", generation.PREVIOUS, "gen1")
        receipts.claim(self.layout, "service", self.slot(generation="gen2"))
        found = self.status()
        self.assertEqual((found["generation"], found["previous"], found["owner"]), ("gen2", "gen1", "lab/a"))
        self.assertEqual((found["build"], found["settingsDigest"]), ("bbbb0001", "dddd0001"))
        self.assertEqual((found["active"], found["enabled"], found["unitState"]), (True, True, "active/running"))

    def test_a_unit_that_is_starting_is_not_active_and_one_that_is_disabled_not_enabled(self):
        self.state.update(ActiveState="activating", SubState="start", UnitFileState="disabled")
        found = self.status()
        self.assertEqual((found["active"], found["enabled"]), (False, False))
        self.assertEqual(found["unitState"], "activating/start")

    def test_the_verdict_of_this_boot_comes_before_that_on_disk(self):
        self.serve()
        kept.write(self.layout.generation("chat", "gen2") / "verdict.json", {**YES, "generation": "gen2", "passed": 1})
        found = self.status()
        self.assertEqual((found["verdict"]["passed"], found["sinceBoot"]), (1, False))
        kept.write(self.layout.runtime("chat") / "verdict.json", {**YES, "generation": "gen2", "passed": 2})
        found = self.status()
        self.assertEqual((found["verdict"]["passed"], found["sinceBoot"]), (2, True))

    def test_a_first_generation_that_failed_serves_nothing_and_has_a_verdict(self):
        receipts.claim(self.layout, "service", self.slot(generation="gen1"))
        kept.write(self.layout.generation("chat", "gen1") / "verdict.json", {**YES, "generation": "gen1"})
        found = self.status()
        self.assertEqual((found["generation"], found["verdict"]["generation"]), (None, "gen1"))

    def test_the_machine_is_as_it_is_now_and_the_verdict_of_when_it_was_found(self):
        self.serve()
        about = {**self.machine, "driver": "580.9"}
        found = {**YES, "generation": "gen2", "proved": {"machine": about}}
        files.write_json(self.layout.generation("chat", "gen2") / "verdict.json", {"contract": 2, **found})
        self.put(status.kept, "find", lambda kind, path: files.read_json(path))
        answer = self.status()
        self.assertEqual((answer["machine"], answer["verdict"]["proved"]["machine"]), (self.machine, about))

    def test_a_switch_under_way_is_said(self):
        files.write_json(self.layout.service("chat") / "switch.json", {})
        self.assertTrue(self.status()["switching"])
