"""The harness around SGLang's argument parser, tried on small packages that behave like SGLang's."""

import json
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

_HARNESS = os.path.join(os.path.dirname(__file__), "../../agent/sglang_agent/parser_harness.py")


class ParserHarness(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.package = scratch.name
        os.makedirs(os.path.join(self.package, "sglang/srt"))

    def run_harness(self, source, mode, *flags, arguments=None):
        """Exit status, the answer, and standard error for a package whose options are these lines."""
        with open(os.path.join(self.package, "sglang/__init__.py"), "w") as file:
            file.write("raise RuntimeError('the runtime was loaded')" if "--stubs" in flags else "")
        with open(os.path.join(self.package, "sglang/srt/server_args.py"), "w") as file:
            file.write("import os\n" + textwrap.dedent(source))
        command = [sys.executable, "-I", _HARNESS, mode, "--package", self.package, *flags]
        done = subprocess.run(
            command,
            input=json.dumps(arguments),
            capture_output=True,
            text=True,
            env={**os.environ, "SGLANG_COLOUR": "red"},
        )
        return done.returncode, json.loads(done.stdout or "null"), done.stderr

    def test_options_are_described(self):
        source = """
            import torch
            class ServerArgs:
                @staticmethod
                def add_cli_args(parser):
                    colour = os.environ.get("SGLANG_COLOUR", "plain")
                    parser.add_argument("--size", "--tensor-size", type=int, default=1)
                    kinds = {"b", "a"}
                    parser.add_argument("--kind", choices=kinds, default=colour, help="Deprecated. Use --size instead.")
        """
        status, answer, _ = self.run_harness(source, "options", "--stubs")
        self.assertEqual(status, 0)
        kind = next(option for option in answer["options"] if option["dest"] == "kind")
        self.assertEqual(kind["choices"], ["a", "b"])
        self.assertEqual((kind["deprecated"], kind["replacement"]), (True, "--size"))
        self.assertEqual(kind["default"], "plain", "the environment of this machine reached a default")
        size = next(option for option in answer["options"] if option["dest"] == "size")
        self.assertEqual((size["names"], size["type"], size["default"]), (["--size", "--tensor-size"], "int", 1))

    def test_a_stand_in_is_never_an_answer(self):
        for option in ("default=torch.backends.best", "choices=['a', torch.name]", "type=torch.dtype"):
            source = f"""
                import torch
                class ServerArgs:
                    @staticmethod
                    def add_cli_args(parser):
                        parser.add_argument("--backend", {option})
            """
            with self.subTest(option):
                status, answer, error = self.run_harness(source, "options", "--stubs")
                self.assertEqual((status, answer), (3, None))
                self.assertIn("<stub torch.", error)
                self.assertNotIn("Traceback", error)

    def test_without_stubs_a_missing_package_is_an_error(self):
        source = "import a_package_that_is_not_there"
        status, answer, error = self.run_harness(source, "options")
        self.assertEqual((status, answer), (3, None))
        self.assertIn("a_package_that_is_not_there", error)
        self.assertNotIn("Traceback", error)

    def test_modules_of_other_platforms_are_missing(self):
        source = """
            try:
                import torch_npu
                raise SystemError("another platform")
            except ModuleNotFoundError:
                pass
            class ServerArgs:
                add_cli_args = staticmethod(lambda parser: None)
        """
        self.assertEqual(self.run_harness(source, "options", "--stubs")[0], 0)

    def test_every_refused_argument_is_named(self):
        source = """
            class ServerArgs:
                @staticmethod
                def add_cli_args(parser):
                    parser.add_argument("--tp-size", type=int)
                    parser.add_argument("--kind", choices=["a"])
                    parser.add_argument("--model-path", required=True)
        """
        arguments = [
            ["--model-path", "m", "--tp-size", "8"],
            ["--model-path", "m", "--tp", "8"],
            ["--tp-size", "many", "--kind", "b", "--nonsense=1", "--model-path", "m"],
            ["--kind", "a", "--tp", "8"],
            ["--model-path", "m"],
        ]
        status, answer, _ = self.run_harness(source, "check", arguments=arguments)
        self.assertEqual(status, 0)
        self.assertEqual([result["ok"] for result in answer], [True, False, False, False, True])
        named = [[problem["argument"] for problem in result["problems"]] for result in answer]
        self.assertIn("--tp", named[1])
        self.assertEqual(sorted(named[2]), ["--kind", "--nonsense=1", "--tp-size"])
        self.assertIn("--model-path", answer[3]["problems"][0]["message"])
        self.assertIn("--tp", named[3])


if __name__ == "__main__":
    unittest.main()
