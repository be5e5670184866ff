"""A job outlives the session: the next run attaches to it where it is of the same state, and waits where it is not."""

import stat
from unittest import mock

from test.agent.support import Scratch

from sglang_agent import files, jobs
from sglang_agent.answer import AgentError

UNIT = "sglang-job-build-chat.service"


class Systemd:
    """Says how often the unit will still be found alive, and writes a result when told to."""

    def __init__(self, test, alive=()):
        self.alive_for = list(alive)
        self.started, self.stopped = [], []
        test.put(jobs.systemd, "running", lambda: True)
        test.put(jobs.systemd, "alive", self.alive)
        test.put(jobs.systemd, "forget", lambda unit: None)
        test.put(jobs.systemd, "run_transient", lambda unit, argv, properties: self.start(unit, argv, properties))
        test.put(jobs.systemd, "control", lambda *words: self.stopped.append(words))
        test.put(jobs.time, "sleep", lambda seconds: None)
        test.put(jobs.archive, "content", lambda: b"agent")
        self.on_start = lambda: None

    def alive(self, unit):
        return self.alive_for.pop(0) if self.alive_for else False

    def start(self, unit, argv, properties):
        self.started.append((unit, argv, properties))
        self.on_start()


class Jobs(Scratch):
    def setUp(self):
        super().setUp()
        self.desired = {"name": "chat", "root": str(self.layout.root), "generation": "gen1"}
        self.place = self.layout.jobs / "build-chat"

    def keep(self, **result):
        files.write_json(self.place / "result.json", result)

    def run_with(self, systemd, result=None):
        systemd.on_start = lambda: self.keep(**(result or {"answer": "made"}))
        return jobs.run(self.layout, "build", self.desired)

    def test_a_job_is_started_with_its_own_copy_of_the_agent_and_its_state(self):
        systemd = Systemd(self)
        self.assertEqual(self.run_with(systemd), "made")
        [(unit, argv, properties)] = systemd.started
        self.assertEqual(unit, UNIT)
        self.assertEqual(argv[1:], ["-I", str(self.place / "agent.pyz"), "job", "build", str(self.place)])
        self.assertEqual((self.place / "agent.pyz").read_bytes(), b"agent")
        self.assertEqual(files.read_json(self.place / "desired.json"), self.desired)
        self.assertEqual((properties["Type"], properties["UMask"]), ("exec", "0022"))
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in [self.place, *self.place.iterdir()]}
        self.assertEqual((modes["build-chat"], modes["desired.json"], modes["agent.pyz"]), (0o700, 0o600, 0o600))

    def test_what_a_former_job_answered_is_not_taken_for_this_ones(self):
        files.make_directory(self.place)
        self.keep(answer="of a former run")
        systemd = Systemd(self, alive=[False, False, True, True])
        left = []
        systemd.on_start = lambda: left.extend(self.place.glob("result.json"))
        self.put(jobs.time, "sleep", lambda seconds: self.keep(answer="made"))  # while this run waits
        self.assertEqual(jobs.run(self.layout, "build", self.desired), "made")
        self.assertEqual(left, [])

    def test_a_job_that_another_run_has_started_in_the_same_moment_is_attached_to(self):
        systemd = Systemd(self, alive=[False, False, True, True])

        def already():
            self.keep(answer="of the other run")
            raise AgentError("systemd", "Unit was already loaded or has a fragment file.")

        systemd.on_start = already
        self.assertEqual(jobs.run(self.layout, "build", self.desired), "of the other run")
        systemd.alive_for = [False, False]
        with self.assertRaises(AgentError):
            jobs.run(self.layout, "build", self.desired)

    def test_a_job_of_this_very_state_is_attached_to(self):
        files.write_json(self.place / "desired.json", self.desired)
        systemd = Systemd(self, alive=[True, True])
        self.keep(answer="of the other session")
        self.assertEqual(jobs.run(self.layout, "build", self.desired), "of the other session")
        self.assertEqual(systemd.started, [])

    def test_a_job_of_another_state_ends_first_and_then_this_one_starts(self):
        files.write_json(self.place / "desired.json", {**self.desired, "generation": "gen0"})
        self.keep(answer="of the other state")
        systemd = Systemd(self, alive=[True, True, True, False, False])
        self.assertEqual(self.run_with(systemd), "made")
        self.assertEqual(len(systemd.started), 1)
        self.assertEqual(files.read_json(self.place / "desired.json"), self.desired)

    def test_a_job_that_ends_without_an_answer_is_told_with_its_unit(self):
        systemd = Systemd(self)
        with self.assertRaisesRegex(AgentError, f"journalctl -u {UNIT}") as ended:
            jobs.run(self.layout, "build", self.desired)
        self.assertEqual((ended.exception.code, len(systemd.started)), ("job", 1))

    def test_an_answer_that_came_with_the_end_is_not_missed(self):
        systemd = Systemd(self)

        def ends(unit):
            if systemd.started:
                self.keep(answer="at the last moment")
            return False

        self.put(jobs.systemd, "alive", ends)
        self.assertEqual(jobs.run(self.layout, "build", self.desired), "at the last moment")

    def test_what_a_job_failed_of_is_raised_as_it_was(self):
        failure = {"code": "no-space", "message": "full", "log": "/log", "evidence": {"free": 1}}
        with self.assertRaises(AgentError) as told:
            self.run_with(Systemd(self), {"error": failure})
        error = told.exception
        self.assertEqual((error.code, error.message, error.log, error.evidence), tuple(failure.values()))

    def test_where_systemd_does_not_run_the_work_is_done_here(self):
        with mock.patch.object(jobs.systemd, "running", return_value=False):
            with mock.patch("sglang_agent.build.make", lambda desired, log: f"made {desired['generation']}"):
                self.assertEqual(jobs.run(self.layout, "build", self.desired), "made gen1")
        self.assertFalse(self.layout.jobs.exists())

    def test_only_a_job_that_runs_is_stopped(self):
        systemd = Systemd(self, alive=[True, False])
        jobs.stop("build", "chat")
        jobs.stop("build", "chat")
        self.assertEqual(systemd.stopped, [("stop", UNIT)])


class Inside(Scratch):
    """The job itself."""

    def result(self, make):
        folder = files.make_directory(self.layout.jobs / "build-chat")
        files.write_json(folder / "desired.json", {"name": "chat", "root": str(self.layout.root)})
        with mock.patch("sglang_agent.build.make", make):
            self.assertEqual(jobs.run_inside(["build", str(folder)]), {})
        self.assertEqual(stat.S_IMODE((folder / "result.json").stat().st_mode), 0o600)
        return files.read_json(folder / "result.json")

    def test_keeps_its_answer(self):
        self.assertEqual(
            self.result(lambda desired, log: {"changed": desired["name"] == "chat"})["answer"], {"changed": True}
        )

    def test_keeps_what_it_failed_of_with_the_log_of_the_work(self):
        def fails(desired, log):
            raise AgentError("verify", "wrong")

        error = self.result(fails)["error"]
        self.assertEqual((error["code"], error["message"]), ("verify", "wrong"))
        self.assertEqual(error["log"], str(self.layout.log / "build-chat-1.log"))

    def test_a_log_that_the_failure_names_itself_stays(self):
        def fails(desired, log):
            raise AgentError("verify", "wrong", "/its/own.log")

        self.assertEqual(self.result(fails)["error"]["log"], "/its/own.log")

    def test_a_fault_of_the_agents_own_is_an_answer_too_and_tells_nothing_of_the_state(self):
        def fails(desired, log):
            raise RuntimeError("secret-key")

        error = self.result(fails)["error"]
        self.assertEqual(error["code"], "internal")
        self.assertIn("build: RuntimeError in test_jobs.py:", error["message"])
        self.assertNotIn("secret-key", error["message"])
