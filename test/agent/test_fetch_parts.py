"""What stays and what goes between two attempts of a download, and before a snapshot is sealed."""

import hashlib
from unittest import mock

from test.agent.support import Scratch

from sglang_agent import fetch, files, receipts
from sglang_agent.answer import AgentError


def entry(path, text):
    return {"path": path, "size": len(text), "sha256": hashlib.sha256(text.encode()).hexdigest()}


class Hub:
    """A hub that answers each download with the next of its texts."""

    def __init__(self, *texts):
        self.texts = list(texts)
        self.asked = []

    def download(self, folder, paths, scratch):
        self.asked.append(paths)
        text = self.texts.pop(0)
        for path in paths:
            if text is not None:
                files.write(folder / path, text)
                files.write(folder / ".cache/huggingface/download" / f"{path}.metadata", "etag")

    def listing(self, scratch):
        return [entry("a.json", "one")]


class Attempts(Scratch):
    def setUp(self):
        super().setUp()
        self.final = self.folder / "models/org--tiny/rev1"
        self.partial = self.final.with_name(".rev1.partial")
        self.log = mock.Mock()

    def make(self, hub, wanted=None):
        listed = [entry("a.json", "one")] if wanted is None else wanted
        desired = {"repository": "org/tiny", "revision": "rev1", "files": listed}
        with mock.patch.object(fetch.hub, "Client", return_value=hub):
            fetch._make(self.layout, desired, self.final, self.log)

    def names(self):
        return sorted(str(path.relative_to(self.final.parent)) for path in self.final.parent.rglob("*"))

    def test_a_snapshot_has_what_was_listed_and_nothing_of_the_client(self):
        files.write(self.partial / "of-another-list", "x")
        self.make(Hub("one"))
        self.assertEqual(self.names(), ["rev1", "rev1/.complete", "rev1/a.json", "rev1/manifest.json"])

    def test_the_hub_is_asked_for_the_list_where_the_stack_has_none(self):
        self.make(Hub("one"), wanted=[])
        self.assertEqual((self.final / "a.json").read_text(), "one")

    def test_what_is_there_already_is_not_asked_for(self):
        files.write(self.partial / "a.json", "one")
        hub = Hub()
        self.make(hub)
        self.assertEqual(hub.asked, [])

    def test_what_came_wrong_is_asked_for_once_more(self):
        hub = Hub("two", "one")
        self.make(hub)
        self.assertEqual(hub.asked, [["a.json"], ["a.json"]])
        self.assertEqual((self.final / "a.json").read_text(), "one")

    def test_what_comes_wrong_twice_is_deleted_with_what_the_client_noted_of_it(self):
        with self.assertRaisesRegex(AgentError, "1 of 1 files of org/tiny at rev1 are not what the lock says") as told:
            self.make(Hub("two", "six"))
        self.assertEqual(told.exception.code, "verify")
        self.assertIn("a.json: sha256 ", told.exception.message)
        self.assertFalse((self.partial / "a.json").exists())
        self.assertFalse((self.partial / ".cache/huggingface/download/a.json.metadata").exists())
        self.assertFalse(self.final.exists())

    def test_a_wrong_file_and_its_note_are_gone_before_it_is_asked_for_again(self):
        there = []
        files.write(self.partial / "a.json", "two")
        files.write(self.partial / ".cache/huggingface/download/a.json.metadata", "etag")
        hub = Hub("one")
        real = hub.download

        def download(folder, paths, scratch):
            there.extend(str(path) for path in files.walk_files(folder))
            real(folder, paths, scratch)

        self.put(hub, "download", download)
        self.make(hub)
        self.assertEqual(there, [])

    def test_what_was_verified_is_remembered_for_the_next_run(self):
        files.write(self.partial / "a.json", "one")
        with self.assertRaises(AgentError):
            self.make(Hub(None, None), [entry("a.json", "one"), entry("b.json", "two")])
        known = files.read_json(self.final.with_name(".rev1.scratch") / "verified.json")
        self.assertEqual(list(known), ["a.json"])
        with mock.patch.object(fetch.manifest, "hash_file", side_effect=AssertionError):
            right, _ = fetch.manifest.verify(self.partial, [entry("a.json", "one")], known)
        self.assertEqual(list(right), ["a.json"])

    def test_a_damaged_snapshot_keeps_what_is_right(self):
        wanted = [entry("a.json", "one"), entry("b.json", "one")]
        self.make(Hub("one"), wanted)
        (self.final / "b.json").unlink()
        hub = Hub("one")
        self.make(hub, wanted)
        self.assertEqual(hub.asked, [["b.json"]])

    def test_space_is_needed_for_what_is_not_there_yet(self):
        files.write(self.partial / "a.json", "one")
        wanted = [entry("a.json", "one"), entry("b.json", "three")]
        for free, enough in ((5, True), (4, False)):
            with mock.patch.object(fetch.files, "free_bytes", return_value=free):
                if enough:
                    fetch._check_space(self.partial, wanted)
                    continue
                with self.assertRaisesRegex(AgentError, r"\(5 bytes, 8 in all\).* \(4 bytes\) are free") as told:
                    fetch._check_space(self.partial, wanted)
                self.assertEqual(told.exception.code, "no-space")


class Answered(Scratch):
    """A snapshot that is there is shared by all who want it, and no job is started for it."""

    def fetch(self, holds, owner="lab/a"):
        self.run = self.put(fetch.jobs, "run", mock.Mock(return_value="job"))
        self.put(fetch.manifest, "holds", lambda path, wanted: holds)
        place = {"directory": str(self.folder / "models"), "repository": "org/tiny", "revision": "rev1"}
        return fetch.fetch({**self.slot(owner, root=str(self.layout.root)), **place, "files": [], "retention": "Purge"})

    def test_one_that_is_there_is_claimed_and_settled_for_each_stack(self):
        path = self.folder / "models/org--tiny/rev1"
        for owner in ("lab/a", "lab/b"):
            self.assertEqual(self.fetch(True, owner), {"changed": False, "path": str(path)})
        self.run.assert_not_called()
        found = list(receipts.every(self.layout, "model"))
        self.assertEqual(sorted(one["owner"] for one in found), ["lab/a", "lab/b"])
        for one in found:
            self.assertEqual((one["paths"], one["retention"], one["settled"]), ([str(path)], "Purge", "gen1"))

    def test_one_that_is_not_is_a_job(self):
        self.assertEqual(self.fetch(False), "job")
        self.assertEqual(list(receipts.every(self.layout, "model")), [])
