"""A unit of the service's name that is somebody else's: found wherever it lies, named without keys, given back."""

import stat
from unittest import mock

from test.agent.support import Scratch

from sglang_agent import files, foreign

THEIRS = "[Service]\nExecStart=/usr/bin/theirs serve --api-key secret-key\n"


class Foreign(Scratch):
    def setUp(self):
        super().setUp()
        self.unit = self.layout.unit_file("chat")
        self.state = {"ActiveState": "active", "UnitFileState": "enabled", "FragmentPath": "", "MainPID": "0"}
        self.controls = []
        self.put(foreign.systemd, "running", lambda: True)
        self.put(foreign.systemd, "show", lambda unit: self.state)
        self.put(foreign.systemd, "properties", lambda unit, *names: {name: self.state[name] for name in names})
        self.put(foreign.systemd, "control", lambda *words: self.controls.append(words))

    def found(self):
        return foreign.found(self.layout, "chat")

    def test_no_unit_is_none(self):
        self.assertIsNone(self.found())
        self.assertIsNone(foreign.problem(self.layout, "chat", False))
        self.assertFalse(foreign.adopt(self.layout, "chat"))

    def test_the_services_own_is_none_also_when_somebody_has_edited_it(self):
        files.write(self.unit, f"ExecStart=python3 {self.layout.service('chat')}/current/agent.pyz\nNice=1\n")
        self.assertIsNone(self.found())
        files.write(self.unit, "ExecStart=/usr/bin/env\n")
        files.write(self.layout.generation("chat", "gen1") / "unit", "ExecStart=/usr/bin/env\n")
        self.assertIsNone(self.found())

    def test_one_of_another_service_of_this_root_is_foreign(self):
        files.write(self.unit, f"ExecStart=python3 {self.layout.service('embed')}/current/agent.pyz\n")
        self.assertEqual(self.found().path, self.unit)

    def test_one_that_lies_elsewhere_is_found_too(self):
        elsewhere = self.folder / "usr/lib/sglang-chat.service"
        files.write(elsewhere, THEIRS)
        self.state["FragmentPath"] = str(elsewhere)
        self.assertEqual(self.found(), foreign.Unit(elsewhere, THEIRS.encode()))
        with mock.patch.object(foreign.systemd, "running", return_value=False):
            self.assertIsNone(self.found())

    def test_one_that_is_masked_is_foreign(self):
        files.make_directory(self.unit.parent)
        self.unit.symlink_to("/nowhere")
        self.assertEqual(self.found(), foreign.Unit(self.unit, b""))

    def test_the_problem_names_it_and_what_it_starts_without_what_may_be_a_key(self):
        files.write(self.unit, THEIRS)
        message = foreign.problem(self.layout, "chat", False)
        for part in (
            f"unit sglang-chat.service: {self.unit}",
            "(active; ExecStart=/usr/bin/theirs serve …)",
            "`adopt: true`",
        ):
            self.assertIn(part, message)
        self.assertIn(f"{self.layout.service('chat')}/adopted.service", message)
        self.assertIsNone(foreign.problem(self.layout, "chat", True))

    def test_the_problem_names_the_process_that_runs(self):
        files.write(self.unit, THEIRS)
        self.state["MainPID"] = "512"
        with mock.patch.object(foreign.gpus, "holder", return_value="python (pid 512)") as holder:
            self.assertIn("(active, python (pid 512); ", foreign.problem(self.layout, "chat", False))
        holder.assert_called_once_with(512)

    def test_what_a_unit_starts_is_told_up_to_its_options(self):
        for line, told in (
            ("ExecStart=-/usr/bin/theirs", "ExecStart=/usr/bin/theirs"),
            ("ExecStart=+/bin/a b c d e", "ExecStart=/bin/a b c d …"),
            ("ExecStart=/bin/a b c d", "ExecStart=/bin/a b c d"),
            ("ExecStart=/bin/a --token secret-key", "ExecStart=/bin/a …"),
            ("ExecStart=/bin/a 'half", "ExecStart=/bin/a 'half"),
            ("ExecStart='/bin/a b' c", "ExecStart=/bin/a b c"),
            ("ExecStart=/bin/a \\", "ExecStart=/bin/a"),
            ("ExecStop=/bin/a", "no ExecStart"),
        ):
            self.assertEqual(foreign._starts(f"[Service]\n{line}\n".encode()), told)

    def test_an_adopted_text_is_kept_to_root_with_what_systemd_did(self):
        files.write(self.unit, THEIRS)
        for state, active in (("active", True), ("activating", True), ("inactive", False), ("failed", False)):
            self.state["ActiveState"] = state
            self.assertTrue(foreign.adopt(self.layout, "chat"))
            kept = self.layout.service("chat") / "adopted.service"
            self.assertEqual((kept.read_text(), stat.S_IMODE(kept.stat().st_mode)), (THEIRS, 0o600))
            noted = files.read_json(self.layout.service("chat") / "adopted.json")
            self.assertEqual(noted, {"active": active, "enabled": True})

    def test_a_text_that_will_not_be_overwritten_need_not_be_kept(self):
        elsewhere = self.folder / "usr/lib/sglang-chat.service"
        files.write(elsewhere, THEIRS)
        self.state["FragmentPath"] = str(elsewhere)
        self.assertTrue(foreign.adopt(self.layout, "chat"))
        self.assertFalse((self.layout.service("chat") / "adopted.service").exists())

    def test_is_given_back_as_it_was(self):
        unit = "sglang-chat.service"
        for state, enabled, expected in (
            ("active", "enabled", [("daemon-reload",), ("enable", unit), ("start", unit)]),
            ("inactive", "enabled", [("daemon-reload",), ("enable", unit)]),
            ("active", "disabled", [("daemon-reload",), ("start", unit)]),
        ):
            files.write(self.unit, THEIRS)
            self.state.update(ActiveState=state, UnitFileState=enabled)
            foreign.adopt(self.layout, "chat")
            files.write(self.unit, "ours")
            self.controls.clear()
            self.assertEqual(foreign.give_back(self.layout, "chat", start=True), str(self.unit))
            self.assertEqual((self.unit.read_text(), self.controls), (THEIRS, expected))
        self.controls.clear()
        foreign.give_back(self.layout, "chat", start=False)
        self.assertEqual(self.controls, [("daemon-reload",)])

    def test_where_nothing_was_adopted_nothing_is_given_back(self):
        self.assertIsNone(foreign.give_back(self.layout, "chat", start=True))
        self.assertEqual(self.controls, [])
