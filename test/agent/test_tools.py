"""Running other programs: what they get, where their words go, and how an end that is not well is told."""

import os
import stat
import sys

from test.agent.support import Scratch

from sglang_agent import tools
from sglang_agent.answer import AgentError


class Environment(Scratch):
    def test_nothing_of_the_session_but_its_path_and_its_way_to_the_network(self):
        session = {"PATH": "/own/bin", "HOME": "/home/u", "LANG": "de_DE", "SECRET": "x", "HTTPS_PROXY": "http://p"}
        with_session = dict.fromkeys(os.environ)
        for name in with_session:
            self.addCleanup(os.environ.__setitem__, name, os.environ.pop(name))
        self.set(**session)
        found = tools.base_environment()
        self.assertEqual((found["PATH"], found["HOME"]), (f"/own/bin:{tools.SEARCH_PATH}", "/home/u"))
        self.assertEqual((found["LANG"], found["LC_ALL"], found["HTTPS_PROXY"]), ("C.UTF-8", "C.UTF-8", "http://p"))
        self.assertNotIn("SECRET", found)

    def test_a_session_may_have_neither_path_nor_home(self):
        for name in ("PATH", "HOME"):
            self.addCleanup(os.environ.__setitem__, name, os.environ.pop(name))
        found = tools.base_environment()
        self.assertEqual((found["PATH"], found["HOME"]), (tools.SEARCH_PATH, "/root"))

    def test_nobody_is_asked_and_no_bar_is_drawn(self):
        found = tools.base_environment()
        for name in ("PIP_NO_INPUT", "HF_HUB_DISABLE_PROGRESS_BARS", "NO_COLOR", "PYTHONUNBUFFERED", "TQDM_DISABLE"):
            self.assertEqual(found[name], "1", name)
        self.assertEqual((found["GIT_TERMINAL_PROMPT"], found["PIP_PROGRESS_BAR"]), ("0", "off"))


class Outputs(Scratch):
    def test_of_a_program_that_is_missing_fails_or_takes_too_long_is_none(self):
        self.program("says", 'echo "ü $1"; exit "${2:-0}"')
        self.program("stays", "exec sleep 60")
        self.assertEqual(tools.output_of(["says", "hello"]), "ü hello\n")
        self.assertIsNone(tools.output_of(["says", "hello", "1"]))
        self.assertIsNone(tools.output_of(["no-such-program"]))
        self.assertIsNone(tools.output_of(["stays"], timeout=0.05))

    def test_that_is_no_text_is_read_as_far_as_it_is(self):
        self.program("says", r"printf 'a\377b'")
        self.assertEqual(tools.output_of(["says"]), "a�b")

    def test_a_program_does_not_read_what_the_agent_was_sent(self):
        self.program("reads", 'cat; echo "end"')
        self.assertEqual(tools.output_of(["reads"]), "end\n")


class Logs(Scratch):
    def log(self, name="chat"):
        return tools.Log(self.layout, "build", name)

    def numbers(self, name="chat"):
        return sorted(int(path.stem.rsplit("-", 1)[1]) for path in self.layout.log.glob(f"build-{name}-*.log"))

    def test_each_run_has_its_own_for_root_alone(self):
        one, two = self.log(), self.log()
        self.assertEqual([one.path.name, two.path.name], ["build-chat-1.log", "build-chat-2.log"])
        modes = [stat.S_IMODE(path.stat().st_mode) for path in (self.layout.log, two.path)]
        self.assertEqual(modes, [0o700, 0o600])

    def test_the_last_twenty_stay_by_their_numbers(self):
        for _ in range(23):
            self.log()
        self.assertEqual(self.numbers(), list(range(4, 24)))

    def test_those_of_another_service_stay(self):
        self.log("embed")
        for _ in range(23):
            self.log()
        self.assertEqual(self.numbers("embed"), [1])

    def test_its_end_is_the_last_lines_without_what_was_written_over(self):
        log = self.log()
        for line in ("first", "", "10%\r50%\r100%", "x" * 500, "ü"):
            log.say(line)
        self.assertEqual(log.tail(3), ["100%", "x" * 400, "ü"])
        self.assertEqual(log.tail()[0], "first")


class Runs(Scratch):
    def setUp(self):
        super().setUp()
        self.log = tools.Log(self.layout, "build", "chat")

    def run_python(self, text, **more):
        tools.run([sys.executable, "-c", text], self.log, "building", "build", **more)

    def failure(self, text, **more):
        with self.assertRaises(AgentError) as told:
            self.run_python(text, **more)
        return told.exception

    def test_what_it_says_is_in_the_log_after_what_was_run(self):
        self.run_python("import sys; print('out', flush=True); print('err', file=sys.stderr)")
        self.assertEqual(self.log.tail()[-2:], ["out", "err"])
        self.assertTrue(self.log.path.read_text().startswith(f"$ {sys.executable} -c "))

    def test_its_output_may_go_to_a_file_and_its_complaints_to_the_log(self):
        out = self.folder / "out"
        self.run_python("import sys; print('out'); print('err', file=sys.stderr)", stdout=out)
        self.assertEqual((out.read_text(), self.log.tail()[-1]), ("out\n", "err"))

    def test_gets_its_folder_its_environment_and_what_it_is_to_read(self):
        text = "import os, sys; print(os.getcwd(), os.environ['A'], os.environ['LANG'], sys.stdin.read())"
        self.run_python(text, folder=self.folder, environment={"A": "b"}, stdin=b"read")
        self.assertEqual(self.log.tail()[-1], f"{os.path.realpath(self.folder)} b C.UTF-8 read")

    def test_a_failure_has_its_code_its_last_complaint_the_log_and_its_end(self):
        error = self.failure("print('an Error of note'); print('goodbye'); raise SystemExit(3)")
        self.assertEqual((error.code, error.log), ("build", str(self.log.path)))
        self.assertEqual(error.message, "building: exit status 3: an Error of note")
        self.assertEqual(error.evidence["log"][-2:], ["an Error of note", "goodbye"])

    def test_a_failure_without_a_complaint_has_its_last_words(self):
        self.assertTrue(
            self.failure("print('goodbye'); raise SystemExit(3)").message.endswith("exit status 3: goodbye")
        )

    def test_a_full_disk_and_a_want_of_memory_are_told_as_such(self):
        for text, code in (
            ("print('No space left on device'); raise SystemExit(1)", "no-space"),
            ("print('OSError: [Errno 28]'); raise SystemExit(1)", "no-space"),
            ("import os; os.kill(os.getpid(), 9)", "out-of-memory"),
            (
                "print('c++: fatal error: Killed signal terminated program cc1plus'); raise SystemExit(1)",
                "out-of-memory",
            ),
            ("print('x'); print('Killed'); raise SystemExit(1)", "out-of-memory"),
            ("import os; os.kill(os.getpid(), 15)", "build"),
        ):
            self.log = tools.Log(self.layout, "build", "chat")
            self.put(self.log, "say", lambda said: None)  # the program's own text would be a complaint too
            self.assertEqual(self.failure(text).code, code, text)

    def test_a_program_that_is_not_there_is_told(self):
        with self.assertRaisesRegex(AgentError, "building: cannot run no-such-program: No such file") as told:
            tools.run(["no-such-program"], self.log, "building", "build")
        self.assertEqual((told.exception.code, told.exception.log), ("build", str(self.log.path)))
