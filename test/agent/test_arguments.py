"""A service's arguments as words, and the parser's judgement of them told with the way out."""

from unittest import mock

from test.agent.support import Scratch

from sglang_agent import arguments
from sglang_agent.answer import AgentError


class Words(Scratch):
    def test_come_in_the_order_of_their_names(self):
        given = {"tp-size": 8, "chunked-prefill-size": -1, "trust-remote-code": True, "a-flag": False, "host": "::"}
        self.assertEqual(
            arguments.as_list(given),
            ["--chunked-prefill-size=-1", "--host", "::", "--tp-size", "8", "--trust-remote-code"],
        )

    def test_a_list_is_several_values_and_a_number_keeps_its_point(self):
        self.assertEqual(
            arguments.as_list({"b": ["x", 2], "f": 0.85, "z": 0}), ["--b", "x", "2", "--f", "0.85", "--z", "0"]
        )


class Judged(Scratch):
    RECEIPT = {"release": "0.5.17", "package": "/b/site-packages/sglang", "dependencies": "full"}

    def check(self, given, problems, options=()):
        asked = []

        def ask(layout, digest, receipt, mode, stdin):
            asked.append(mode)
            return [{"problems": problems}] if mode == "check" else {"options": [{"names": list(options)}]}

        desired = {"root": str(self.layout.root), "build": "bbbb0001", "arguments": given}
        with (
            mock.patch.object(arguments.build, "receipt_of", return_value=self.RECEIPT),
            mock.patch.object(arguments, "ask", ask),
        ):
            return arguments.check(desired), asked

    def refused(self, *words, **more):
        with self.assertRaises(AgentError) as told:
            self.check(*words, **more)
        return told.exception

    def test_accepted_ones_are_counted_and_nothing_more_is_asked(self):
        self.assertEqual(self.check({"tp-size": 8, "flag": True}, []), ({"accepted": 3}, ["check"]))

    def test_an_unknown_one_is_told_with_the_nearest(self):
        problems = [
            {"argument": "--tp-sise", "message": "unrecognized argument"},
            {"argument": "8", "message": "unrecognized"},
        ]
        error = self.refused({"tp-sise": 8}, problems, options=["--tp-size", "--dp-size"])
        self.assertEqual(error.code, "arguments")
        self.assertIn("SGLang 0.5.17 of build bbbb0001 refuses these arguments; nothing was stopped", error.message)
        self.assertIn(
            "--tp-sise: unrecognized argument; the nearest option of this release is --tp-size", error.message
        )
        self.assertEqual([problem["argument"] for problem in error.evidence["problems"]], ["--tp-sise"])

    def test_a_known_one_with_a_wrong_value_keeps_its_words(self):
        error = self.refused(
            {"tp-size": "many"}, [{"argument": "--tp-size", "message": "invalid int value"}], options=["--tp-size"]
        )
        self.assertTrue(error.message.endswith("--tp-size: invalid int value"))

    def test_a_key_is_never_an_argument(self):
        for given in ({"api-key": "secret"}, {"api-key": "-secret"}):
            self.assertIn("give its file as apiKeyFile", self.refused(given, [], options=["--api-key"]).message)

    def ask(self, receipt, status=0, out="[1]"):
        done = mock.Mock(returncode=status, stdout=out.encode(), stderr=b"Traceback\nImportError: x\n")
        self.layout.root.mkdir(exist_ok=True)
        with mock.patch.object(arguments.subprocess, "run", return_value=done) as ran:
            found = arguments.ask(self.layout, "bbbb0001", receipt, "check", "[]")
        return found, ran.call_args

    def test_the_builds_own_python_is_asked_with_stubs_only_where_it_has_no_dependencies(self):
        for dependencies, stubs in (("full", False), ("parser-only", True)):
            found, (words, given) = self.ask({**self.RECEIPT, "dependencies": dependencies})
            argv = words[0]
            self.assertEqual((found, given["input"]), ([1], b"[]"))
            self.assertEqual(argv[:2], [str(self.layout.build("bbbb0001") / "venv/bin/python"), "-I"])
            self.assertEqual("--stubs" in argv, stubs)
            self.assertEqual("/b/site-packages" in argv, stubs)

    def test_a_parser_that_cannot_be_run_is_told(self):
        with self.assertRaisesRegex(
            AgentError, "the parser of build bbbb0001 cannot be run: Traceback\nImportError: x"
        ) as told:
            self.ask(self.RECEIPT, status=1)
        self.assertEqual(told.exception.code, "parser")
        timeout = arguments.subprocess.TimeoutExpired("x", 1)
        with (
            mock.patch.object(arguments.subprocess, "run", side_effect=timeout),
            self.assertRaisesRegex(AgentError, "gave no answer in 600 s"),
        ):
            arguments.ask(self.layout, "bbbb0001", self.RECEIPT, "check", "[]")
        self.assertEqual(list(self.layout.root.iterdir()), [])
