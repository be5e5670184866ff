"""Patches: all or none, and what is wrong said by file and hunk."""

import tempfile
import unittest
from pathlib import Path

from test.agent.support import patch

from sglang_agent import patches
from sglang_agent.answer import AgentError

ORIGINAL = "one\ntwo\nthree\n\nfive\nsix\nseven\n"
GOOD = "--- a/sglang/x.py\n+++ b/sglang/x.py\n@@ -1,4 +1,4 @@\n one\n-two\n+TWO\n three\n \n"
NEXT = "--- a/sglang/x.py\n+++ b/sglang/x.py\n@@ -1,3 +1,4 @@\n one\n TWO\n+two and a half\n three\n"
NEW = "--- /dev/null\n+++ b/sglang/new.py\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n"
GONE = "--- a/sglang/y.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-only\n"

REFUSED = {
    "CRLF": (GOOD.replace("\n", "\r\n"), "line 1 ends in CR LF"),
    "stripped blank context": (
        GOOD.replace("\n \n", "\n\n") + "-- \n2.40\n",
        "sglang/x.py: hunk 1 (line 3 of the patch): line 8 of the patch is empty where a context line must begin with",
    ),
    "failing hunk": (
        GOOD.replace("-two", "-zwei"),
        "x.py: hunk 1 (line 3 of the patch) does not fit: at line 2 the patch expects 'zwei', the file has 'two'",
    ),
    "second of two hunks": (
        GOOD + "@@ -5,3 +5,3 @@\n five\n-SIX\n+six!\n seven\n",
        "sglang/x.py: hunk 2 (line 9 of the patch) does not fit: at line 6 the patch expects 'SIX', the file has 'six'",
    ),
    "already applied": (GOOD.replace("-two\n+TWO", "-zwo\n+two"), "sglang/x.py: the patch is already applied"),
    "short hunk": (
        GOOD.replace("@@ -1,4 +1,4 @@", "@@ -1,6 +1,6 @@"),
        "its header says 6 old and 6 new lines, it has 4 and 4",
    ),
    "missing file": (GOOD.replace("x.py", "z.py"), "sglang/z.py: there is no such file below"),
    "strip level": (GOOD.replace("/sglang/", "/python/sglang/"), "sglang/x.py exists: check base and strip level"),
    "upwards": (GOOD.replace("sglang/x.py", "../x.py"), "is no path below the base"),
    "not a patch": ("hello\n", "it changes no file"),
    "binary": ("GIT binary patch\n", "a binary change cannot be applied"),
    "new file is there": (NEW.replace("new.py", "y.py"), "sglang/y.py: the patch creates it, but it is there"),
}


class Patches(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.base = Path(holder.name)
        (self.base / "sglang").mkdir()
        (self.base / "sglang/x.py").write_text(ORIGINAL)
        (self.base / "sglang/y.py").write_text("only\n")

    def apply(self, *texts):
        listed = [patch(f"{number}.patch", text) for number, text in enumerate(texts)]
        return patches.apply_all(listed, {"site-packages": self.base})

    def test_a_series_is_applied_in_order(self):
        changed = self.apply(GOOD, NEXT, NEW, GONE)
        self.assertEqual((self.base / "sglang/x.py").read_text(), ORIGINAL.replace("two", "TWO\ntwo and a half"))
        self.assertEqual((self.base / "sglang/new.py").read_text(), "a\nb")
        self.assertFalse((self.base / "sglang/y.py").exists())
        self.assertEqual(len(changed), 3)

    def test_a_hunk_whose_lines_moved_is_found_where_they_are_once(self):
        (self.base / "sglang/x.py").write_text("zero\n" + ORIGINAL)
        self.apply(GOOD)
        self.assertIn("zero\none\nTWO\n", (self.base / "sglang/x.py").read_text())

    def test_what_does_not_fit_is_refused_before_any_file_is_touched(self):
        for case, (text, expected) in REFUSED.items():
            with self.subTest(case):
                with self.assertRaises(AgentError) as raised:
                    self.apply(NEW, text)
                self.assertIn("1.patch: ", raised.exception.message)
                self.assertIn(expected, raised.exception.message)
                self.assertEqual((self.base / "sglang/x.py").read_text(), ORIGINAL)
                self.assertFalse((self.base / "sglang/new.py").exists())

    def test_every_misfit_is_named_at_once(self):
        with self.assertRaises(AgentError) as raised:
            self.apply(REFUSED["CRLF"][0], REFUSED["failing hunk"][0])
        self.assertIn("0.patch", raised.exception.message)
        self.assertIn("1.patch", raised.exception.message)

    def test_a_text_other_than_the_pinned_one_is_refused(self):
        with self.assertRaisesRegex(AgentError, "its text has sha256"):
            patches.apply_all([patch("a.patch", GOOD, sha256="0" * 64)], {"site-packages": self.base})
