"""A snapshot's files: looked at again where they changed, sealed, and whole only with every one of them."""

import hashlib
import os
import stat

from test.agent.support import Scratch

from sglang_agent import files, manifest


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def git_blob(text):
    return hashlib.sha1(f"blob {len(text)}\0{text}".encode()).hexdigest()


class Snapshot(Scratch):
    def setUp(self):
        super().setUp()
        self.snapshot = self.folder / "snapshot"
        self.put_file("a.json", "one")

    def put_file(self, path, text, time=None):
        files.write(self.snapshot / path, text)
        if time is not None:
            os.utime(self.snapshot / path, ns=(time, time))

    def wanted(self, text="one", path="a.json", **more):
        return [{"path": path, "size": len(text), "sha256": sha256(text), **more}]

    def verify(self, wanted, known=None):
        return manifest.verify(self.snapshot, wanted, known or {})


class Verified(Snapshot):
    def test_a_file_is_right_with_its_size_and_hashes(self):
        right, wrong = self.verify(self.wanted())
        time = (self.snapshot / "a.json").stat().st_mtime_ns
        self.assertEqual(wrong, {})
        expected = {"gitBlob": git_blob("one"), "sha256": sha256("one"), "size": 3, "modified": time}
        self.assertEqual(right, {"a.json": expected})

    def test_each_way_of_being_wrong_is_told(self):
        (self.snapshot / "link").symlink_to("a.json")
        for wanted, told in (
            (self.wanted(path="b.json"), "missing"),
            (self.wanted(path="link"), "missing"),
            (self.wanted("four"), "3 bytes instead of 4"),
            (self.wanted("two"), f"sha256 {sha256('one')} instead of {sha256('two')}"),
            ([{"path": "a.json", "size": 3, "gitBlob": "0"}], f"gitBlob {git_blob('one')} instead of 0"),
        ):
            right, wrong = self.verify(wanted)
            self.assertEqual((right, wrong), ({}, {wanted[0]["path"]: told}))

    def test_a_file_of_many_blocks_is_hashed_whole(self):
        text = "x" * (manifest.CHUNK + 5)
        self.put_file("big", text)
        right, _ = self.verify(self.wanted(text, "big"))
        self.assertEqual((right["big"]["sha256"], right["big"]["gitBlob"]), (sha256(text), git_blob(text)))

    def test_what_was_hashed_before_is_believed_only_while_size_and_time_are_the_same(self):
        self.put_file("a.json", "one", time=1_000)
        known, _ = self.verify(self.wanted())
        self.put_file("a.json", "two", time=1_000)  # nobody could tell
        self.assertEqual(self.verify(self.wanted(), known)[1], {})
        self.put_file("a.json", "two", time=2_000)
        self.assertIn("sha256", self.verify(self.wanted(), known)[1]["a.json"])
        self.put_file("a.json", "three", time=1_000)
        self.assertEqual(self.verify(self.wanted("three"), known)[1], {})

    def test_what_was_hashed_before_is_still_held_against_the_list(self):
        known, _ = self.verify(self.wanted())
        self.assertIn("sha256", self.verify(self.wanted("two"), known)[1]["a.json"])


class Sealed(Snapshot):
    def seal(self):
        self.put_file("sub/b.bin", "four")
        os.chmod(self.snapshot / "sub", 0o700)
        right, _ = self.verify([*self.wanted(), *self.wanted("four", "sub/b.bin")])
        manifest.seal(self.snapshot, right, {"repository": "org/tiny", "revision": "c" * 40})

    def test_a_snapshot_is_read_only_and_can_be_entered_by_its_servers(self):
        self.seal()
        modes = {
            str(path.relative_to(self.snapshot)): stat.S_IMODE(path.stat().st_mode) for path in self.snapshot.rglob("*")
        }
        self.assertEqual(
            modes,
            {"a.json": 0o444, "sub": 0o755, "sub/b.bin": 0o444, "manifest.json": 0o444, ".complete": 0o444},
        )

    def test_its_manifest_has_every_file_and_its_mark_the_sums(self):
        self.seal()
        listed = files.read_json(self.snapshot / "manifest.json")
        self.assertEqual((listed["repository"], listed["revision"]), ("org/tiny", "c" * 40))
        one = {"gitBlob": git_blob("one"), "path": "a.json", "sha256": sha256("one"), "size": 3}
        self.assertEqual(listed["files"][0], one)
        self.assertEqual([entry["path"] for entry in listed["files"]], ["a.json", "sub/b.bin"])
        mark = files.read_json(self.snapshot / ".complete")
        self.assertEqual((mark["bytes"], mark["files"], mark["repository"]), (7, 2, "org/tiny"))

    def test_the_mark_comes_last(self):
        written = []
        real = files.write_json
        self.put(files, "write_json", lambda path, *rest: (written.append(path.name), real(path, *rest)))
        self.seal()
        self.assertEqual(written, ["manifest.json", ".complete"])

    def holds(self, wanted=None):
        return manifest.holds(self.snapshot, wanted)

    def test_a_snapshot_holds_what_it_was_sealed_with_and_nothing_else(self):
        self.assertFalse(self.holds())
        self.seal()
        self.assertTrue(self.holds())
        self.assertTrue(self.holds(self.wanted()))
        self.assertFalse(self.holds(self.wanted("two")))
        self.assertFalse(self.holds(self.wanted(path="c.json")))

    def test_half_a_snapshot_holds_nothing(self):
        for name in ("manifest.json", ".complete", "a.json"):
            self.seal()
            self.assertTrue(self.holds())
            (self.snapshot / name).unlink()
            self.assertFalse(self.holds(), name)
            self.put_file("a.json", "one")
        whole = (self.snapshot / "sub/b.bin").stat().st_size
        for size in (whole - 1, whole + 1, 0):
            self.seal()
            self.assertTrue(self.holds())
            os.truncate(self.snapshot / "sub/b.bin", size)
            self.assertFalse(self.holds(), size)
            os.truncate(self.snapshot / "sub/b.bin", whole)
