"""Where a hunk may go: to its own line, else to the one other place where all its lines are, and never nearly."""

import os
import tempfile
import unittest
from pathlib import Path

from test.agent.support import patch

from sglang_agent import patches
from sglang_agent.answer import AgentError

HEADER = "--- a/x.py\n+++ b/x.py\n"
CHANGE = "@@ -{line},3 +{line},3 @@\n a\n-b\n+B\n c\n"


class OneFile(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.base = Path(holder.name)
        self.file = self.base / "x.py"


class Places(OneFile):
    def apply(self, text, content):
        self.file.write_text(content)
        patches.apply_all([patch("p", text)], {"site-packages": self.base})
        return self.file.read_text()

    def refused(self, text, content):
        with self.assertRaises(AgentError) as caught:
            self.apply(text, content)
        self.assertEqual(self.file.read_text(), content)
        return caught.exception.message

    def at(self, line):
        return HEADER + CHANGE.format(line=line)

    def test_its_own_line_wins_over_another_place(self):
        self.assertEqual(self.apply(self.at(4), "a\nb\nc\na\nb\nc\n"), "a\nb\nc\na\nB\nc\n")

    def test_the_one_other_place_is_taken(self):
        self.assertEqual(self.apply(self.at(1), "x\ny\na\nb\nc\n"), "x\ny\na\nB\nc\n")

    def test_two_other_places_are_one_too_many(self):
        said = self.refused(self.at(2), "a\nb\nc\na\nb\nc\n")
        self.assertIn("does not fit at its line and fits at 2 other places", said)

    def test_nearly_is_not_at_all(self):
        for content in ("a \nb\nc\n", "a\nb\nC\n", "\ta\nb\nc\n", "b\nc\n"):
            self.assertIn("does not fit", self.refused(self.at(1), content))

    def test_a_second_hunk_stays_behind_the_first(self):
        second = "@@ -1,3 +1,3 @@\n d\n-e\n+E\n f\n"
        said = self.refused(self.at(4) + second, "d\ne\nf\na\nb\nc\n")
        self.assertIn("hunk 2", said)

    def test_lines_that_come_between_two_hunks_stay(self):
        second = "@@ -5,3 +5,3 @@\n d\n-e\n+E\n f\n"
        self.assertEqual(self.apply(self.at(1) + second, "a\nb\nc\n-\nd\ne\nf\nz"), "a\nB\nc\n-\nd\nE\nf\nz")

    def test_a_hunk_without_context_goes_behind_the_line_that_it_names(self):
        self.assertEqual(self.apply(HEADER + "@@ -1,0 +2,1 @@\n+new\n", "a\nb\n"), "a\nnew\nb\n")

    def test_a_last_line_without_an_end_is_another_line(self):
        self.assertIn("does not fit", self.refused(self.at(1), "a\nb\nc"))


class WholePatches(OneFile):
    def test_a_text_that_is_not_the_one_that_was_pinned_is_refused(self):
        self.file.write_text("a\nb\nc\n")
        text = HEADER + CHANGE.format(line=1)
        with self.assertRaisesRegex(AgentError, "its text has sha256"):
            patches.apply_all([{**patch("p", text), "sha256": "0" * 64}], {"site-packages": self.base})
        self.assertEqual(self.file.read_text(), "a\nb\nc\n")

    def test_a_base_that_the_source_does_not_have_is_refused(self):
        self.file.write_text("a\nb\nc\n")
        text = HEADER + CHANGE.format(line=1)
        with self.assertRaisesRegex(AgentError, "no base 'repository'"):
            patches.apply_all([{**patch("p", text), "base": "repository"}], {"site-packages": self.base})

    def test_no_file_is_touched_where_a_later_patch_does_not_fit(self):
        self.file.write_text("a\nb\nc\n")
        good, bad = HEADER + CHANGE.format(line=1), HEADER.replace("x.py", "y.py") + CHANGE.format(line=1)
        with self.assertRaisesRegex(AgentError, "no file was touched"):
            patches.apply_all([patch("one", good), patch("two", bad)], {"site-packages": self.base})
        self.assertEqual(self.file.read_text(), "a\nb\nc\n")

    def test_a_patched_file_keeps_its_mode(self):
        self.file.write_text("a\nb\nc\n")
        os.chmod(self.file, 0o751)
        patches.apply_all([patch("p", HEADER + CHANGE.format(line=1))], {"site-packages": self.base})
        self.assertEqual(self.file.stat().st_mode & 0o777, 0o751)

    def test_a_file_that_a_patch_creates_is_readable_for_all(self):
        text = "--- /dev/null\n+++ b/n.py\n@@ -0,0 +1 @@\n+n\n"
        changed = patches.apply_all([patch("p", text)], {"site-packages": self.base})
        self.assertEqual(changed, [self.base / "n.py"])
        self.assertEqual((self.base / "n.py").stat().st_mode & 0o777, 0o644)
