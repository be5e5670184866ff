"""How a container of the agent ends, and its last words."""

import contextlib
import io
import signal
from unittest import mock

from test.agent.support import Scratch

from sglang_agent import serve
from sglang_agent.answer import AgentError
from sglang_agent.pod import termination


class Endings(Scratch):
    def setUp(self):
        super().setUp()
        self.message = self.folder / "message"
        self.message.write_text("of before")
        self.set(SGLANG_TERMINATION_FILE=str(self.message))

    def serve(self, *words):
        with contextlib.redirect_stdout(io.StringIO()) as self.out, mock.patch.object(serve.signal, "signal") as listen:
            self.listen = listen
            return serve.serve(list(words))

    def test_a_failure_is_1_and_told_in_the_termination_message(self):
        with mock.patch("sglang_agent.pod.stage.main", side_effect=AgentError("image", "no package")):
            self.assertEqual(self.serve("stage"), 1)
        self.assertEqual(self.message.read_text(), "no package")
        self.assertIn("no package", self.out.getvalue())

    def test_ends_as_what_it_does_ends(self):
        for status in (0, 78):
            with mock.patch("sglang_agent.pod.verdict.main", return_value=status) as main:
                self.assertEqual(self.serve("verdict", "--a", "b"), status)
            main.assert_called_once_with(["--a", "b"])

    def test_hears_the_signal_that_stops_a_container(self):
        with mock.patch("sglang_agent.pod.verdict.main", return_value=0):
            self.serve("verdict")
        [(number, handler)] = [call.args for call in self.listen.call_args_list]
        self.assertEqual(number, signal.SIGTERM)
        with self.assertRaises(SystemExit) as ended:
            handler(number, None)
        self.assertEqual(ended.exception.code, 143)

    def test_what_it_does_not_know_is_2(self):
        for words in ((), ("other",)):
            self.assertEqual(self.serve(*words), 2)
            self.assertRegex(self.out.getvalue(), "serve: expected .*run.*, got '(other)?'")

    def test_a_message_that_cannot_be_written_is_still_in_the_log(self):
        self.set(SGLANG_TERMINATION_FILE=str(self.folder))
        with contextlib.redirect_stdout(io.StringIO()) as out:
            termination.tell("the end")
        self.assertIn("the end\ncannot write", out.getvalue())

    def test_only_the_last_twelve_lines_of_a_log_are_told(self):
        no = {
            "check": "death",
            "reason": "gone",
            "generation": "gen1",
            "evidence": {"log": [str(n) for n in range(20)]},
        }
        self.assertEqual(termination.refusal(no).split("\n")[1:], [str(n) for n in range(8, 20)])

    def test_long_evidence_is_cut(self):
        no = {"check": "x", "reason": "y", "generation": "gen1", "evidence": {"b": "x" * 900, "a": 1}}
        told = termination.refusal(no).split("\n", 1)[1]
        self.assertTrue(told.startswith('{"a": 1, "b": "xxx'))
        self.assertEqual(len(told), termination.EVIDENCE_LIMIT)
