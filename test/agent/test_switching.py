"""From one generation to the next, with a systemd and a gate that say what a test wants."""

import os
import stat
from unittest import mock

from test.agent import support
from test.agent.support import Scratch

from sglang_agent import activate, files, generation, intend, receipts, tools
from sglang_agent.answer import AgentError

UNIT = "sglang-chat.service"
BROKEN = {"check": "greedy[0].answer", "reason": "Rome", "evidence": {"status": 200}}


class Switching(Scratch):
    def setUp(self):
        super().setUp()
        self.bad = set()
        self.calls = []
        self.active = False
        self.enabled = False
        self.put(activate.systemd, "running", lambda: False)
        self.put(activate.systemd, "control", self.control)
        self.put(activate.systemd, "alive", lambda unit: self.active)
        self.put(activate.systemd, "show", lambda unit: {"UnitFileState": "enabled" if self.enabled else "disabled"})
        self.put(activate.starting, "start", self.start)
        self.put(activate.starting, "stop", lambda name: self.calls.append("stop") or setattr(self, "active", False))
        self.put(activate.starting, "serving", lambda layout, name, which: self.active and which not in self.bad)
        self.put(activate.users, "ensure", lambda layout, name, log: None)
        self.put(activate.users, "own_directory", lambda path, name: files.make_directory(path))
        self.closed = self.put(activate.users, "unreachable", mock.Mock(return_value=[]))
        self.put(activate.build, "receipt_of", lambda layout, digest: {})
        self.put(activate, "refuse_real_server", lambda *words: None)
        self.put(activate.manifest, "holds", lambda path, wanted: True)
        self.occupied = self.put(activate.prepare, "occupied", mock.Mock(return_value=[]))
        self.judged = self.put(activate.arguments, "check", mock.Mock())
        self.put(generation.archive, "content", lambda: b"agent")

    def control(self, *words):
        self.calls.append(" ".join(words))
        if words[0] in ("enable", "disable"):
            self.enabled = words[0] == "enable"

    def start(self, layout, name, which):
        self.calls.append(f"start {which}")
        self.at_start = files.read_json(self.layout.service("chat") / "switch.json")
        self.active = which not in self.bad
        verdict = {"verdict": "yes" if self.active else "no", "generation": which, "passed": 1}
        return verdict if self.active else {**verdict, **BROKEN}

    def service(self, which="gen1", **more):
        example = {**support.example("host/prepare")["service"], **support.example("host/activate")}
        del example["prepared"]
        unit = f"[Service]\nExecStart={self.layout.service('chat')}/current\n"
        place = {"root": str(self.layout.root), "apiKeyFile": None, "unit": unit, "environment": {}}
        whole = {**example, **place, **self.slot(generation=which), **more}
        return {key: value for key, value in whole.items() if value is not None}

    def make(self, which="gen1", **more):
        self.calls.clear()
        log = tools.Log(self.layout, "activate", "chat")
        return activate.make(self.service(which, **more), log)

    def fails(self, which, **more):
        with self.assertRaises(AgentError) as told:
            self.make(which, **more)
        return told.exception

    def links(self):
        return generation.current(self.layout, "chat"), generation.previous(self.layout, "chat")

    def switching(self):
        return (self.layout.service("chat") / "switch.json").exists()

    def owner(self):
        receipt = receipts.read(self.layout, "service", "chat")
        return receipt["generation"], receipt.get("settled")

    def test_a_first_one_is_installed_started_and_enabled(self):
        self.assertEqual(self.make(), {"changed": True, "generation": "gen1", "restarted": True})
        self.assertEqual(self.calls, ["stop", "daemon-reload", "start gen1", f"enable {UNIT}"])
        self.assertEqual((self.links(), self.switching(), self.owner()), (("gen1", None), False, ("gen1", "gen1")))

    def test_the_next_one_goes_on_the_disk_before_anything_is_stopped(self):
        self.make()
        self.make("gen2")
        self.assertEqual(self.at_start, {"from": "gen1", "older": None, "to": "gen2"})
        self.assertEqual(self.calls, ["stop", "daemon-reload", "start gen2"])
        self.assertEqual((self.links(), self.switching()), (("gen2", "gen1"), False))

    def test_one_that_serves_already_is_refreshed_and_not_started(self):
        self.make()
        answer = self.make(unit=self.service()["unit"] + "Nice=1\n")
        self.assertFalse(answer["restarted"])
        self.assertEqual(self.calls, ["daemon-reload"])
        self.assertIn("Nice=1", self.layout.unit_file("chat").read_text())

    def test_one_that_is_to_serve_and_does_not_is_started_again(self):
        self.make()
        self.active = self.enabled = False
        self.assertTrue(self.make()["restarted"])
        self.assertEqual(self.calls, ["start gen1", f"enable {UNIT}"])
        self.active = False
        self.bad = {"gen1"}
        error = self.fails("gen1")
        self.assertEqual(error.code, "gate-failed")
        self.assertIn("was started again and failed; it is stopped and nothing else was started", error.message)

    def test_a_no_brings_the_one_before_it_back_and_says_so(self):
        self.make()
        self.make("gen2")
        self.bad = {"gen3"}
        error = self.fails("gen3")
        self.assertEqual(self.calls, ["stop", "daemon-reload", "start gen3", "daemon-reload", "start gen2"])
        self.assertIn("the previous generation gen2 serves again and has passed its gate", error.message)
        self.assertIn("\n  greedy[0].answer: Rome", error.message)
        self.assertEqual(error.evidence, {"check": "greedy[0].answer", "reason": "Rome", "status": 200})
        self.assertEqual((self.links(), self.switching(), self.owner()), (("gen2", "gen1"), False, ("gen2", "gen2")))

    def test_where_the_one_before_it_fails_too_that_is_said_loudly(self):
        self.make()
        self.bad = {"gen1", "gen2"}
        message = self.fails("gen2").message
        self.assertIn("gen1 was started and failed too (greedy[0].answer: Rome): NOTHING SERVES NOW", message)

    def test_what_holds_its_gpus_or_port_is_named_before_anything_is_stopped(self):
        self.make()
        self.occupied.return_value = ["port 30000: sleep (pid 7) listens there"]
        error = self.fails("gen2", environment={"CUDA_VISIBLE_DEVICES": "4, 5"})
        self.assertEqual((error.code, self.calls, self.links()), ("occupied", [], ("gen1", None)))
        self.assertIn("\n  port 30000: sleep (pid 7) listens there", error.message)
        self.occupied.assert_called_with(["4", "5"], "127.0.0.1", None, UNIT)
        self.fails("gen2", endpoint={"host": "::", "port": 30001})
        self.occupied.assert_called_with(None, "::", 30001, UNIT)

    def test_a_first_one_that_fails_is_stopped_disabled_and_nobodys_current(self):
        self.bad = {"gen1"}
        error = self.fails("gen1")
        self.assertIn("failed and is stopped; there is none before it to go back to", error.message)
        self.assertIn(f"disable {UNIT}", self.calls)
        self.assertEqual((self.links(), self.switching()), ((None, None), False))

    def test_a_switch_that_was_cut_off_goes_back_to_what_served_before_it(self):
        self.make()
        self.make("gen2")
        files.write_json(self.layout.service("chat") / "switch.json", {"from": "gen2", "older": "gen1", "to": "gen3"})
        generation.point(self.layout, "chat", "current", "gen3")
        self.bad = {"gen4"}
        self.fails("gen4")
        self.assertEqual((self.links(), self.calls[-1]), (("gen2", "gen1"), "start gen2"))

    def test_what_served_before_a_switch_that_was_cut_off_keeps_the_one_before_it_when_it_is_put_back(self):
        self.make()
        self.make("gen2")
        files.write_json(self.layout.service("chat") / "switch.json", {"from": "gen2", "older": "gen1", "to": "gen3"})
        generation.point(self.layout, "chat", "current", "gen3")
        self.make("gen2")
        self.assertEqual((self.links(), self.switching()), (("gen2", "gen1"), False))

    def test_a_switch_that_is_under_way_is_joined_and_not_begun_anew(self):
        self.make()
        generation.stage(self.layout, self.service("gen2"))
        files.write_json(self.layout.service("chat") / "switch.json", {"from": "gen1", "older": None, "to": "gen2"})
        generation.point(self.layout, "chat", "current", "gen2")
        self.make("gen2")
        self.assertEqual(self.calls, ["start gen2"])
        self.assertFalse(self.switching())

    def test_what_is_known_to_be_wrong_stops_nothing(self):
        self.make()
        self.judged.side_effect = AgentError("arguments", "no")
        self.assertEqual(self.fails("gen2").code, "arguments")
        self.judged.side_effect = None
        with mock.patch.object(activate.manifest, "holds", return_value=False):
            self.assertEqual(self.fails("gen2").code, "model")
        self.closed.return_value = ["/opt/closed"]
        error = self.fails("gen2")
        self.assertEqual(error.code, "reach")
        self.assertIn("cannot enter /opt/closed: give it the right to (chmod o+x)", error.message)
        self.assertEqual((self.calls, self.links()), ([], ("gen1", None)))

    def test_a_key_must_be_one_that_can_be_kept_out_of_the_journal(self):
        path = self.folder / "key"
        for key, told in (
            ("1234567", "is shorter than 8 characters"),
            ("-12345678", "begins with a dash"),
            ("with blank", "has blanks or characters"),
            ("schlüssel", "has blanks or characters"),
            ("with\ttab", "has blanks or characters"),
            ("12345678", None),
        ):
            path.write_text(key)
            if told is None:
                self.make("gen1", apiKeyFile=str(path))
                continue
            error = self.fails("gen1", apiKeyFile=str(path))
            self.assertEqual(error.code, "secret")
            self.assertIn(told, error.message)
            self.assertNotIn(key, error.message)

    def test_build_weights_and_services_must_be_reachable_for_the_services_account(self):
        service = self.service()
        self.make()
        looked_at = [self.layout.build(service["build"]), service["model"]["path"], self.layout.services]
        self.assertEqual(
            sorted((str(path), name) for path, name in (call.args for call in self.closed.call_args_list)),
            sorted((str(path), service["user"]) for path in looked_at),
        )
        self.assertTrue(self.layout.services.is_dir())

    def test_only_folders_of_the_builds_cache_are_made_for_the_server(self):
        cache = self.layout.build_cache("bbbb0001")
        environment = {"HOME": f"{cache}/home", "A": f"{cache}/deep/er", "B": "/elsewhere", "C": "1"}
        self.make(build="bbbb0001", environment=environment)
        self.assertEqual(sorted(path.name for path in cache.iterdir()), ["home"])

    def test_older_generations_go_once_the_new_one_serves(self):
        for which in ("gen1", "gen2", "gen3"):
            self.make(which)
        folder = self.layout.service("chat")
        self.assertEqual(
            sorted(path.name for path in folder.iterdir() if path.is_dir()), ["current", "gen2", "gen3", "previous"]
        )
        self.assertEqual(stat.S_IMODE((folder / "gen3/environment").stat().st_mode), 0o600)

    def test_a_converged_service_is_answered_without_a_job(self):
        run = self.put(activate.jobs, "run", mock.Mock(return_value="job"))
        self.assertEqual(activate.activate(self.service()), "job")
        self.make()
        self.assertEqual(
            activate.activate(self.service()), {"changed": False, "generation": "gen1", "restarted": False}
        )
        self.assertEqual(run.call_count, 1)
        for spoil in (
            lambda: setattr(self, "active", False),
            lambda: files.write(self.layout.unit_file("chat"), "edited"),
            lambda: files.write_json(self.layout.service("chat") / "switch.json", {}),
            lambda: receipts.claim(self.layout, "service", self.slot(generation="gen2")),
        ):
            self.make()
            self.assertFalse(activate.activate(self.service())["restarted"])
            spoil()
            self.assertEqual(activate.activate(self.service()), "job")
            files.remove(self.layout.service("chat") / "switch.json")
            receipts.claim(self.layout, "service", self.slot())
            files.write(self.layout.unit_file("chat"), self.service()["unit"])


class Intents(Scratch):
    def intend(self, which="gen1", owner="lab/a"):
        part = {"environment": {}, "endpoint": {"host": "::", "port": 30000}}
        self.put(intend.prepared, "part", lambda document: part)
        return intend.intend({**self.slot(owner, which, root=str(self.layout.root)), "prepared": "aa11"})

    def test_claim_the_service_and_are_another_each_time(self):
        first, second = self.intend()["attempt"], self.intend()["attempt"]
        self.assertRegex(first, "^[0-9a-f]{12}$")
        self.assertNotEqual(first, second)
        self.assertIsNotNone(receipts.owned(self.layout, "service", self.slot()))
        self.assertFalse(receipts.settled(self.layout, "service", self.slot()))

    def test_of_another_stack_are_refused(self):
        self.intend()
        with self.assertRaises(AgentError) as told:
            self.intend(owner="lab/b")
        self.assertEqual(told.exception.code, "owned-by-another")

    def test_wait_for_a_switch_that_is_under_way(self):
        held = []
        real = intend.locks.held
        self.put(intend.locks, "held", lambda layout, slot: held.append(slot) or real(layout, slot))
        self.intend()
        self.assertEqual(held, ["service-chat"])
        self.assertEqual(os.listdir(self.layout.locks), ["service-chat.lock"])
