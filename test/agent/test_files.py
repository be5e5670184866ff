"""Files that are there whole or not at all, with their own mode, and links that are links."""

import os
import stat
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from test.agent import support  # noqa: F401  (puts the agent on the path)

from sglang_agent import files


def mode(path):
    return stat.S_IMODE(os.lstat(path).st_mode)


class Files(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.path = self.folder / "file"
        self.addCleanup(os.umask, os.umask(0o077))

    def names(self):
        return sorted(os.listdir(self.folder))

    def test_a_file_has_its_mode_whatever_the_umask_says(self):
        for wanted in (0o644, 0o600, 0o640):
            files.write(self.path, "text", wanted)
            self.assertEqual(mode(self.path), wanted)

    def test_writing_says_whether_anything_changed(self):
        told = [files.write(self.path, "one"), files.write(self.path, "one"), files.write(self.path, "two")]
        self.assertEqual(told, [True, False, True])
        self.assertEqual([files.write(self.path, "two", 0o600), files.write(self.path, "two", 0o600)], [True, False])

    def test_a_link_is_taken_for_no_file_and_what_it_leads_to_is_left_alone(self):
        target = self.folder / "target"
        target.write_text("one")
        self.path.symlink_to(target)
        for text in ("one", "two"):
            files.remove(self.path)
            self.path.symlink_to(target)
            self.assertTrue(files.write(self.path, text))
            self.assertFalse(self.path.is_symlink())
            self.assertEqual((self.path.read_text(), target.read_text()), (text, "one"))

    def test_a_write_that_fails_leaves_the_old_text_and_nothing_beside_it(self):
        files.write(self.path, "old")
        with mock.patch("os.replace", side_effect=OSError("full")), self.assertRaises(OSError):
            files.write(self.path, "new")
        self.assertEqual((self.path.read_text(), self.names()), ("old", ["file"]))

    def test_a_file_is_never_there_in_part(self):
        files.write(self.path, "old")
        seen = []
        real = os.replace

        def replace(beside, path):
            seen.append((Path(beside).read_text(), Path(path).read_text(), mode(beside), Path(beside).parent))
            real(beside, path)

        with mock.patch("os.replace", replace):
            files.write(self.path, "new", 0o600)
        self.assertEqual(seen, [("new", "old", 0o600, self.folder)])

    def test_what_was_written_is_on_the_disk_before_its_name_is(self):
        order = []
        with mock.patch("os.fsync", lambda handle: order.append("sync")):
            real = os.replace
            with mock.patch("os.replace", lambda *names: (order.append("name"), real(*names))):
                files.write(self.path, "new")
        self.assertEqual(order, ["sync", "name", "sync"])

    def test_nothing_is_left_open(self):
        before = len(os.listdir("/proc/self/fd"))
        for text in ("one", "two", "two"):
            files.write(self.path, text)
        files.link(self.folder / "link", "file")
        self.assertEqual(len(os.listdir("/proc/self/fd")), before)

    def test_a_link_takes_the_place_of_another(self):
        files.link(self.path, "one")
        files.link(self.path, "two")
        self.assertEqual((files.linked(self.path), self.names()), ("two", ["file"]))
        self.assertIsNone(files.linked(self.folder / "none"))

    def test_removing_a_link_leaves_what_it_leads_to(self):
        target = files.make_directory(self.folder / "target")
        files.write(target / "kept", "x")
        self.path.symlink_to(target)
        self.assertTrue(files.remove(self.path))
        self.assertEqual(self.names(), ["target"])
        self.assertTrue((target / "kept").exists())

    def test_removing_says_whether_there_was_one_and_takes_read_only_folders_too(self):
        closed = files.make_directory(self.folder / "tree/closed")
        files.write(closed / "x", "x")
        closed.chmod(0o500)
        self.assertEqual([files.remove(self.folder / "tree"), files.remove(self.folder / "tree")], [True, False])
        self.assertEqual(self.names(), [])

    def test_a_removal_that_was_interrupted_is_made_good(self):
        for name in ("tree", ".tree.removing"):
            files.write(self.folder / name / "x", "x")
        self.assertTrue(files.remove(self.folder / "tree"))
        self.assertEqual(self.names(), [])

    def test_a_new_directory_has_its_mode_and_an_old_one_keeps_it(self):
        files.make_directory(self.folder / "a/b", 0o700)
        self.assertEqual((mode(self.folder / "a"), mode(self.folder / "a/b")), (0o755, 0o700))
        files.make_directory(self.folder / "a/b", 0o755)
        self.assertEqual(mode(self.folder / "a/b"), 0o700)

    def test_half_a_document_is_none(self):
        files.write_json(self.path, {"a": "ü"})
        self.assertEqual(files.read_json(self.path), {"a": "ü"})
        self.path.write_text('{"a":')
        self.assertIsNone(files.read_json(self.path))
        self.assertIsNone(files.read_json(self.folder / "none"))
        self.assertIsNone(files.read_json(self.path / "below"))

    def test_regular_files_are_walked_in_order(self):
        for name in ("b/2", "b/1", "a", "c/x"):
            files.write(self.folder / name, "x")
        (self.folder / "lost").symlink_to("nowhere")
        self.assertEqual([str(path) for path in files.walk_files(self.folder)], ["a", "b/1", "b/2", "c/x"])

    def test_a_folder_that_is_not_empty_stays(self):
        files.write(self.folder / "full/x", "x")
        files.make_directory(self.folder / "empty")
        for name in ("full", "empty"):
            files.remove_if_empty(self.folder / name)
        self.assertEqual(self.names(), ["full"])
