"""What a document must be, rule by rule, and the words in which a mistake is told."""

import unittest
from unittest import mock

from test.agent import support  # noqa: F401  (puts the agent on the path)

from sglang_agent import contract
from sglang_agent.answer import AgentError


def told(schema, value, at="field"):
    return contract.mistakes_in(schema, value, at)


class Types(unittest.TestCase):
    def test_each_takes_its_own_values_and_no_others(self):
        values = {"array": [], "integer": 1, "null": None, "object": {}, "string": "", "boolean": True}
        for name in values:
            for other, value in values.items():
                self.assertEqual(told({"type": name}, value) == [], name == other, (name, value))
        self.assertEqual(told({"type": "number"}, 1.5), [])
        self.assertEqual(told({"type": "number"}, 1), [])
        self.assertNotEqual(told({"type": "integer"}, 1.5), [])
        self.assertNotEqual(told({"type": "number"}, True), [])

    def test_one_of_several_is_enough(self):
        self.assertEqual(told({"type": ["string", "null"]}, None), [])
        self.assertEqual(told({"type": ["string", "null"]}, 7), ["field: expected a text or null, got 7"])
        self.assertEqual(told({"anyOf": [{"type": "string"}, {"type": "integer"}]}, 7), [])
        self.assertEqual(
            told({"anyOf": [{"type": "string"}, {"type": "integer"}]}, []),
            ["field: expected a text or a whole number, got []"],
        )


class Borders(unittest.TestCase):
    def test_the_least_and_the_last_that_is_not_enough(self):
        for schema, fine, wrong in (
            ({"type": "integer", "minimum": 1}, 1, 0),
            ({"type": "number", "exclusiveMinimum": 0}, 0.1, 0),
            ({"type": "string", "minLength": 2}, "ab", "a"),
            ({"type": "array", "minItems": 1}, [1], []),
            ({"type": "string", "pattern": "^[a-z]+$"}, "abc", "abc\n"),
            ({"type": "string", "pattern": "^[a-z]+$"}, "a", "1a"),
            ({"enum": ["a", "b"]}, "b", "c"),
            ({"const": 2}, 2, 3),
        ):
            self.assertEqual(told(schema, fine), [], schema)
            self.assertEqual(len(told(schema, wrong)), 1, schema)

    def test_are_told_in_words(self):
        for schema, words in (
            ({"type": "integer", "minimum": 1}, "a whole number of at least 1"),
            ({"type": "number", "minimum": 1}, "a number of at least 1"),
            ({"type": "number", "exclusiveMinimum": 0}, "a number above 0"),
            ({"type": "array", "minItems": 2}, "a list of at least 2"),
            ({"enum": ["a", "b"]}, "a or b"),
            ({"const": "a"}, "a"),
            ({"type": "string", "expected": "an absolute path"}, "an absolute path"),
            ({"type": "boolean"}, "true or false"),
        ):
            self.assertEqual(told(schema, None), [f"field: expected {words}, got null"])

    def test_a_long_value_is_told_in_part(self):
        [short] = told({"type": "integer"}, "x" * 58)
        self.assertIn('"' + "x" * 58 + '"', short)
        [long] = told({"type": "integer"}, "x" * 59)
        self.assertTrue(long.endswith("x…"))
        self.assertIn("ü", told({"type": "integer"}, "ü")[0])


class Maps(unittest.TestCase):
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "array", "items": {"type": "integer"}}},
        "required": ["a"],
        "additionalProperties": False,
    }

    def test_a_field_may_be_missing_unknown_or_wrong_and_all_of_it_is_told(self):
        self.assertEqual(told(self.schema, {"a": "x"}), [])
        self.assertEqual(
            told(self.schema, {"c": 1, "b": [1, "x", 2, "y"]}),
            [
                "field.c: unknown key; known here: a, b",
                "field.a: missing",
                'field.b[1]: expected a whole number, got "x"',
                'field.b[3]: expected a whole number, got "y"',
            ],
        )
        self.assertEqual(told(self.schema, {}, ""), ["a: missing"])

    def test_other_names_have_a_rule_of_their_own(self):
        schema = {
            "type": "object",
            "propertyNames": {"type": "string", "pattern": "^[A-Z_]+$"},
            "additionalProperties": {"type": "string"},
        }
        self.assertEqual(told(schema, {"PATH": "x"}), [])
        self.assertEqual(told(schema, {"PATH": 1}), ["field.PATH: expected a text, got 1"])
        self.assertEqual(told(schema, {"path": "x"}), ["field: 'path' is not a valid name here"])

    def test_one_of_several_maps_is_chosen_by_the_field_that_names_it(self):
        kinds = [
            {"type": "object", "properties": {"kind": {"const": kind}, field: {"type": "string"}}, "required": [field]}
            for kind, field in (("git", "commit"), ("wheel", "requirement"))
        ]
        schema = {"oneOf": kinds}
        self.assertEqual(told(schema, {"kind": "wheel", "requirement": "x"}), [])
        self.assertEqual(told(schema, {"kind": "git", "requirement": "x"}), ["field.commit: missing"])
        self.assertEqual(told(schema, {"kind": "zip"}), ['field.kind: expected git or wheel, got "zip"'])
        self.assertEqual(told(schema, 7), ["field: expected a map, got 7"])


class Versions(unittest.TestCase):
    def setUp(self):
        spoken = {"version": 4, "oldestKept": 2, "documents": {"x": {"type": "object"}}}
        patched = mock.patch.object(contract, "_contract", return_value=spoken)
        patched.start()
        self.addCleanup(patched.stop)

    def test_what_is_sent_is_of_this_very_version(self):
        self.assertEqual(contract.sent("x", {"contract": 4}, "x"), {"contract": 4})
        for version, advice in (
            (3, "send it with the release"),
            (5, "run `pulumi up`"),
            ("4", "send it"),
            (None, "send it"),
        ):
            with self.assertRaisesRegex(AgentError, advice):
                contract.sent("x", {"contract": version}, "x")
        with self.assertRaisesRegex(AgentError, "of version 1: send"):
            contract.sent("x", {}, "x")

    def test_what_is_kept_may_be_as_old_as_the_oldest_and_is_read_as_one_of_this_version(self):
        for version in (2, 3, 4):
            self.assertEqual(contract.kept("x", {"contract": version, "a": 1}, "x"), {"contract": 4, "a": 1})
        for version in (1, 5, "3"):
            with self.assertRaisesRegex(AgentError, "this agent reads versions 2 to 4"):
                contract.kept("x", {"contract": version}, "x")

    def test_mistakes_are_counted_in_words(self):
        for value, many in ({"a": 1}, "is 1 mistake"), ({"a": 1, "b": 2}, "are 2 mistakes"):
            with (
                mock.patch.object(
                    contract, "_contract", return_value={"documents": {"x": {"additionalProperties": False}}}
                ),
                self.assertRaisesRegex(AgentError, f"^x: there {many} in the desired state:\n  a: unknown key"),
            ):
                contract.checked("x", value, "x")
