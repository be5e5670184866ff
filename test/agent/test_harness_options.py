"""An option as plain data, and every refusal of an argument list, by the harness itself."""

import argparse
import enum
import unittest

from test.agent import support  # noqa: F401  (puts the agent on the path)

from sglang_agent import parser_harness as harness


class Colour(enum.Enum):
    RED = "red"


class DeprecatedAction(argparse.Action):
    def __init__(self, *words, new_flag=None, **given):
        super().__init__(*words, **given)
        self.new_flag = new_flag


def described(*names, **given):
    parser = argparse.ArgumentParser(add_help=False)
    return harness.describe(parser.add_argument(*names, **given))


class Described(unittest.TestCase):
    def test_an_option_has_all_that_its_parser_says(self):
        self.assertEqual(
            described("--size", "--tensor-size", type=int, default=1, nargs="+", required=True),
            {
                "choices": None,
                "default": 1,
                "deprecated": False,
                "dest": "size",
                "kind": "store",
                "names": ["--size", "--tensor-size"],
                "nargs": "+",
                "required": True,
                "type": "int",
            },
        )

    def test_kinds_are_argparses_own_or_the_name_of_a_class(self):
        for action, kind in (
            ("store_true", "store_true"),
            ("store_false", "store_false"),
            ("append", "append"),
            ("count", "count"),
            (argparse.BooleanOptionalAction, "boolean"),
            (DeprecatedAction, "DeprecatedAction"),
        ):
            self.assertEqual(described("--a", action=action)["kind"], kind)

    def test_choices_come_in_an_order_whatever_they_are(self):
        self.assertEqual(described("--a", choices=["b", None, "a", 2])["choices"], ["a", "b", 2, None])
        self.assertEqual(described("--a", choices={"b": 1, "a": 2})["choices"], ["a", "b"])

    def test_values_are_what_json_can_hold(self):
        for value, plain in (
            (Colour.RED, "red"),
            (float("inf"), "inf"),
            (0.5, 0.5),
            ((1, "a"), [1, "a"]),
            ({"b", "a"}, ["a", "b"]),
            ({2: "x", "1": None}, {"1": None, "2": "x"}),
            (argparse.SUPPRESS, None),
        ):
            self.assertEqual(described("--a", default=value)["default"], plain)
        with self.assertRaisesRegex(harness.HarnessError, "--a has a value that JSON cannot hold"):
            described("--a", default=object())

    def test_a_deprecated_one_says_what_to_use(self):
        for text, deprecated, replacement in (
            ("Deprecated. Use --new instead.", True, "--new"),
            ("NOTE: --a is deprecated. Please use '--new=x' instead.", True, "--new=x"),
            ("(deprecated) Alias for --new.", True, "--new"),
            ("This is now deprecated, replaced by `--new`.", True, "--new"),
            ("Deprecated.", True, None),
            ("Use --new for what was deprecated.", False, None),
        ):
            found = described("--a", help=text)
            self.assertEqual((found["deprecated"], found.get("replacement")), (deprecated, replacement), text)
        found = described("--a", action=DeprecatedAction, new_flag="--new", help="x")
        self.assertEqual((found["deprecated"], found["replacement"]), (True, "--new"))


class Refused(unittest.TestCase):
    def setUp(self):
        self.parser = argparse.ArgumentParser(add_help=True, exit_on_error=False, allow_abbrev=False)
        self.parser.add_argument("--model", required=True)
        self.parser.add_argument("--size", type=int)
        self.parser.add_argument("--kinds", nargs="+", choices=["a", "b"])

        def fails(text):
            raise KeyError(text)

        self.parser.add_argument("--odd", type=lambda text: fails(text))

    def check(self, *words):
        result = harness.check_one(self.parser, words)
        self.assertEqual(result["ok"], not result["problems"])
        return [problem["argument"] for problem in result["problems"]]

    def test_every_argument_is_named_and_the_next_list_is_judged_anew(self):
        self.assertEqual(self.check("--model", "m", "--size", "8", "--kinds", "a", "b"), [])
        self.assertEqual(
            self.check("--model", "m", "--size", "x", "--kinds", "c", "--new", "1"), ["--size", "--kinds", "--new", "1"]
        )
        self.assertEqual(self.check("--model", "m"), [])

    def test_a_value_written_with_its_option_is_dropped_with_it(self):
        self.assertEqual(self.check("--size=x", "--model=m", "--kinds=c"), ["--size", "--kinds"])

    def test_what_ends_the_parser_or_breaks_it_is_told(self):
        self.assertEqual(harness.check_one(self.parser, ["--help"])["problems"][0]["message"], "ends the parser")
        [problem] = harness.check_one(self.parser, ["--model", "m", "--odd", "x"])["problems"]
        self.assertEqual((problem["argument"], problem["message"]), (None, "KeyError: 'x'"))
