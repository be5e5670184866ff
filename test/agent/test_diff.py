"""Reading a diff strictly: what its lines are, and what is told of one that was changed on its way."""

import unittest

from test.agent import support  # noqa: F401  (puts the agent on the path)

from sglang_agent import diff

HEADER = "--- a/sglang/a.py\n+++ b/sglang/a.py\n"
GOOD = HEADER + "@@ -1,3 +1,4 @@ def f():\n one\n-two\n+TWO\n+and a half\n three\n"


def parse(text, strip=1):
    return diff.parse(text.encode(), strip)


class Read(unittest.TestCase):
    def test_a_hunk_is_what_was_and_what_will_be(self):
        [change], problems = parse(GOOD)
        self.assertEqual((problems, change.source, change.target), ([], "sglang/a.py", "sglang/a.py"))
        [hunk] = change.hunks
        self.assertEqual((hunk.start, hunk.counts, hunk.title), (1, (3, 4), "hunk 1 (line 3 of the patch)"))
        self.assertEqual(hunk.before, [b"one\n", b"two\n", b"three\n"])
        self.assertEqual(hunk.after, [b"one\n", b"TWO\n", b"and a half\n", b"three\n"])

    def test_counts_of_one_may_be_left_out(self):
        [change], problems = parse(HEADER + "@@ -7 +7 @@\n-two\n+TWO\n")
        self.assertEqual((problems, change.hunks[0].start, change.hunks[0].counts), ([], 7, (1, 1)))

    def test_files_are_made_and_deleted(self):
        made = "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+x\n"
        gone = "--- a/old.py\t2026-01-01\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
        [first, second], problems = parse(made + gone)
        self.assertEqual(problems, [])
        self.assertEqual((first.source, first.target, first.name), (None, "new.py", "new.py"))
        self.assertEqual((second.source, second.target, second.name), ("old.py", None, "old.py"))

    def test_as_many_folders_are_stripped_as_is_said(self):
        text = GOOD.replace("a/sglang", "a/python/sglang").replace("b/sglang", "b/python/sglang")
        for strip, path in ((0, "a/python"), (1, "python/sglang/a.py"), (2, "sglang/a.py")):
            [change], _ = parse(text, strip)
            self.assertTrue(change.source.startswith(path))

    def test_a_last_line_may_have_no_end(self):
        mark = "\\ No newline at end of file\n"
        [change], problems = parse(HEADER + f"@@ -1 +1 @@\n-two\n{mark}+TWO\n{mark}")
        self.assertEqual(problems, [])
        self.assertEqual((change.hunks[0].before, change.hunks[0].after), ([b"two"], [b"TWO"]))

    def test_prose_around_it_is_no_part_of_it(self):
        text = "From: x\n-- a line\n--- not a header\n\n" + GOOD + "-- \n2.43.0\n"
        [change], problems = parse(text)
        self.assertEqual((problems, len(change.hunks)), ([], 1))

    def test_several_hunks_of_a_file_are_numbered(self):
        [change], problems = parse(GOOD + "@@ -9,2 +10,2 @@\n-x\n+y\n z\n")
        self.assertEqual((problems, [hunk.number for hunk in change.hunks]), ([], [1, 2]))
        self.assertEqual(change.hunks[1].at_line, 9)


class Wrong(unittest.TestCase):
    def test_each_way_is_told_with_its_line(self):
        for text, told in (
            ("", "it changes no file: not a unified diff"),
            (GOOD.replace("\n", "\r\n"), "line 1 ends in CR LF"),
            (GOOD.replace("-two\n", "-two\r\n"), "line 5 ends in CR LF"),
            ("GIT binary patch\n" + GOOD, "line 1: a binary change cannot be applied"),
            (GOOD + "Binary files a/x and b/x differ\n", "line 9: a binary change"),
            ("rename from a\nrename to b\n" + GOOD, "line 1: renames and copies are not supported"),
            ("copy from a\n" + GOOD, "line 1: renames and copies"),
            ("@@ -1 +1 @@\n-a\n+b\n", "line 1: a hunk without a file header before it"),
            (HEADER, "sglang/a.py: a file header without a hunk (line 2 of the patch)"),
            (
                GOOD.replace("b/sglang/a.py", "b/sglang/b.py"),
                "line 1: the old name 'sglang/a.py' and the new one 'sglang/b.py' differ",
            ),
            (GOOD.replace("a/sglang/a.py", "a/../a.py"), "line 1: 'a/../a.py' is no path below the base"),
            (
                GOOD.replace("b/sglang/a.py", "b"),
                "line 2: 'b' is no path below the base after stripping 1 leading folders",
            ),
            (
                GOOD.replace(" three\n", ""),
                "hunk 1 (line 3 of the patch): its header says 3 old and 4 new lines, it has 2 and 3",
            ),
            (
                HEADER + "@@ -1,3 +1,3 @@\n one\n\n-two\n+TWO\n",
                "line 5 of the patch is empty where a context line must begin with a blank",
            ),
        ):
            problems = parse(text)[1]
            self.assertTrue(any(told in problem for problem in problems), (told, problems))

    def test_all_of_it_is_told_at_once(self):
        problems = parse("Binary files a/x and b/x differ\n" + HEADER + "rename from a\n")[1]
        self.assertEqual(len(problems), 3)
