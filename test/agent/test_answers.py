"""What a verb says: one line, within its limit, that tells of a failure and nothing of what was on stdin."""

import io
import json

from test.agent import support  # noqa: F401  (puts the agent on the path)
from test.agent.support import Scratch

from sglang_agent import answer, cli
from sglang_agent.answer import AgentError


class Shortened(Scratch):
    def test_what_fits_stays_as_it_is(self):
        value = {"a": "x" * 90}
        self.assertIs(answer.shorten(value, answer.size(value)), value)
        self.assertNotEqual(answer.shorten({"a": "x" * 900}, 700), {"a": "x" * 900})

    def test_a_long_text_keeps_its_beginning_and_its_end(self):
        text = "begin " + "x" * 3000 + " end"
        found = answer.shorten({"a": text}, 2500)["a"]
        self.assertEqual((found[:6], found[-4:]), ("begin ", " end"))
        self.assertIn(" … ", found)
        self.assertLessEqual(len(found), 2003)

    def test_a_long_list_says_how_much_is_left_out(self):
        found = answer.shorten(list(range(2000)), 2000)
        self.assertEqual((found[0], found[-1]), (0, f"… {2000 - len(found) + 1} more"))

    def test_never_exceeds_its_limit(self):
        for value in ({"a": ["é" * 400] * 300}, {str(n): "x" * 50 for n in range(500)}, ["\ud800"] * 5000):
            self.assertLessEqual(answer.size(answer.shorten(value, 1000)), 1000)

    def test_other_values_are_kept(self):
        self.assertEqual(answer.shorten({"a": "x" * 900, "b": 7, "c": None, "d": True}, 700)["b"], 7)


class Emitted(Scratch):
    def emit(self, document, **more):
        raw = io.BytesIO()
        out = io.TextIOWrapper(raw, encoding="ascii")
        answer.emit(document, stream=out, **more)
        return raw.getvalue()

    def test_is_one_line_of_utf_8_whatever_the_session_speaks(self):
        self.assertEqual(self.emit({"b": "ü", "a": 1}), '{"a":1,"b":"ü"}\n'.encode())

    def test_is_within_its_limit_with_its_line_end(self):
        for length in range(90, 110):
            self.assertLessEqual(len(self.emit({"a": "x" * length}, limit=100)), 100)
        self.assertEqual(len(self.emit({"a": "x" * 91}, limit=100)), 100)


class Failures(Scratch):
    def test_has_only_what_is_known(self):
        self.assertEqual(answer.failure(AgentError("c", "m")), {"error": {"code": "c", "message": "m"}})
        whole = answer.failure(AgentError("c", "m", "/log", {"a": 1}))["error"]
        self.assertEqual((whole["log"], whole["evidence"]), ("/log", {"a": 1}))

    def test_its_evidence_is_cut_before_its_message(self):
        found = answer.failure(AgentError("c", "m" * 1500, None, {"log": ["x" * 300] * 100}))["error"]
        self.assertEqual(found["message"], "m" * 1500)
        self.assertLessEqual(answer.size(found["evidence"]), answer.EVIDENCE_LIMIT_BYTES)

    def test_a_fault_of_the_machine_names_the_file(self):
        try:
            (self.folder / "none").read_text()
        except OSError as error:
            told = answer.internal("build", error)
        self.assertEqual(told.code, "internal")
        self.assertRegex(told.message, r"^build: FileNotFoundError in .*\.py:\d+: No such file or directory: .*/none$")


class Verbs(Scratch):
    def main(self, *words, raw=b"{}"):
        out, err = io.StringIO(), io.StringIO()
        self.put(cli.sys, "stdout", out)
        self.put(cli.sys, "stderr", err)
        self.put(answer.sys, "stdout", out)
        stdin = io.TextIOWrapper(io.BytesIO(raw))
        self.put(cli.sys, "stdin", stdin)
        status = cli.main(list(words))
        return status, out.getvalue(), err.getvalue()

    def test_an_unknown_one_is_told_with_those_that_there_are(self):
        for words in (("no-such-verb",), ()):
            status, out, err = self.main(*words)
            self.assertEqual((status, json.loads(out)["error"]["code"]), (1, "usage"))
            self.assertIn("the verbs are: activate, build, ", err)
            self.assertIn("serve", err)

    def test_a_failure_is_told_to_people_with_its_log(self):
        def fails(arguments, raw):
            raise AgentError("code", "what failed", "/the/log")

        self.put(cli, "VERBS", {"build": fails})
        self.assertEqual(self.main("build")[2], "what failed\nlog: /the/log\n")

    def test_a_verb_gets_its_words_and_all_of_stdin(self):
        self.put(cli, "VERBS", {"build": lambda words, raw: {"words": words, "raw": raw.decode()}})
        status, out, err = self.main("build", "a", "b", raw=b"x\n")
        self.assertEqual((status, json.loads(out), err), (0, {"words": ["a", "b"], "raw": "x\n"}, ""))

    def test_facts_may_be_longer_than_other_answers(self):
        for verb, whole in (("facts", True), ("status", False)):
            self.put(cli, "VERBS", {verb: lambda words, raw: {"topology": "x" * 20000}})
            self.assertEqual(len(self.main(verb)[1]) > 20000, whole)

    def test_what_stays_reads_no_stdin_and_ends_with_its_own_status(self):
        self.put(cli, "SERVING", {"launch": lambda words: 78 if words == ["folder"] else 1})
        self.assertEqual(self.main("launch", "folder"), (78, "", ""))

    def test_one_that_answers_nothing_answers_an_empty_document(self):
        self.put(cli, "VERBS", {"job": lambda words, raw: None})
        self.assertEqual(self.main("job")[1], "{}\n")
