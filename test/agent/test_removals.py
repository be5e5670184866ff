"""What a removal takes along, kind by kind, and what others still hold."""

from unittest import mock

from test.agent.support import Scratch

from sglang_agent import builds_kept, files, receipts, remove


class Removals(Scratch):
    def claim(self, kind, owner="lab/a", generations=("gen1",), **more):
        for generation in generations:
            receipts.claim(self.layout, kind, self.slot(owner, generation), **more)

    def remove(self, kind, owner="lab/a", generation="gen1"):
        return remove.remove(self.slot(owner, generation, root=str(self.layout.root)), kind)


class Builds(Removals):
    def setUp(self):
        super().setUp()
        for digest in ("gen1", "gen2", "gen3"):
            for place in (
                self.layout.build(digest),
                self.layout.build_staging(digest),
                self.layout.build_cache(digest),
            ):
                files.write(place / "x", "x")

    def there(self):
        return [digest for digest in ("gen1", "gen2", "gen3") if self.layout.build(digest).exists()]

    def serve(self, link, build):
        document = {"build": build}
        files.make_directory(self.layout.service("embed") / f"of-{build}")
        files.write_json(self.layout.service("embed") / f"of-{build}/desired.json", document)
        files.link(self.layout.service("embed") / link, f"of-{build}")
        self.put(builds_kept.kept, "read", lambda kind, path: files.read_json(path))

    def test_all_that_a_slot_has_had_go_with_their_caches(self):
        self.claim("build", generations=("gen1", "gen2"))
        self.assertEqual(self.remove("build", generation="gen2"), {"removed": True})
        self.assertEqual(self.there(), ["gen3"])
        left = sorted(path.name for folder in (self.layout.builds, self.layout.cache) for path in folder.iterdir())
        self.assertEqual(left, [".gen3.staging", "gen3", "gen3"])

    def test_those_that_another_stack_names_or_has_had_stay(self):
        self.claim("build", generations=("gen1", "gen2", "gen3"))
        self.claim("build", "lab/b", generations=("gen1", "gen2"))
        self.assertEqual(self.remove("build", generation="gen3"), {"removed": True})
        self.assertEqual(self.there(), ["gen1", "gen2"])
        self.assertEqual([found["owner"] for found in receipts.every(self.layout, "build")], ["lab/b"])

    def test_those_that_a_service_runs_or_would_go_back_to_stay_and_are_remembered(self):
        self.claim("build", generations=("gen1", "gen2", "gen3"))
        self.serve("current", "gen2")
        self.serve("previous", "gen1")
        # kept.read is a stand-in here, so that the receipt is looked at by itself
        with mock.patch.object(receipts, "owned", return_value=files.read_json(next(self.layout.receipts.iterdir()))):
            self.assertEqual(self.remove("build", generation="gen3"), {"removed": True, "kept": ["gen1", "gen2"]})
        self.assertEqual(self.there(), ["gen1", "gen2"])
        self.assertEqual(files.read_json(next(self.layout.receipts.iterdir()))["history"], ["gen1", "gen2"])


class KeptBuilds(Removals):
    def setUp(self):
        super().setUp()
        self.digests = [f"gen{number}" for number in range(1, 6)]
        for digest in self.digests:
            files.write(self.layout.build(digest) / "x", "x")
        self.claim("build", generations=self.digests)

    def prune(self, keep):
        builds_kept.prune(self.layout, self.slot(generation="gen5"), keep)
        receipt = receipts.read(self.layout, "build", "chat", "lab/a")
        return [digest for digest in self.digests if self.layout.build(digest).exists()], receipt["history"]

    def test_the_newest_stay_and_the_receipt_says_which(self):
        self.assertEqual(self.prune(3), (["gen3", "gen4", "gen5"], ["gen3", "gen4"]))

    def test_one_is_the_one_that_was_made(self):
        self.assertEqual(self.prune(1), (["gen5"], []))

    def test_those_that_another_stack_names_or_a_service_runs_stay_too(self):
        self.claim("build", "lab/b", generations=("gen1",))
        with mock.patch.object(builds_kept, "in_use", return_value={"gen2"}):
            self.assertEqual(self.prune(2), (["gen1", "gen2", "gen4", "gen5"], ["gen1", "gen2", "gen4"]))


class Agents(Removals):
    def setUp(self):
        super().setUp()
        for digest in ("gen1", "gen2"):
            files.write(self.layout.agent(digest) / "agent.pyz", "x")
        self.put(remove.jobs.systemd, "running", lambda: False)

    def there(self):
        return [digest for digest in ("gen1", "gen2") if self.layout.agent(digest).exists()]

    def test_those_that_another_stack_has_or_had_stay(self):
        self.claim("agent", generations=("gen1", "gen2"))
        self.claim("agent", "lab/b", generations=("gen1", "gen3"))
        self.remove("agent", generation="gen2")
        self.assertEqual(self.there(), ["gen1"])

    def test_the_last_to_go_takes_its_traces_along_and_leaves_what_is_not_its_own(self):
        self.claim("agent")
        for name in ("log/x", "jobs/x", "hub-client/x", "cache/pip/x"):
            files.write(self.layout.root / name, "x")
        self.assertTrue(self.remove("agent")["removed"])
        self.assertEqual(self.there(), ["gen2"])
        self.assertEqual([path.name for path in self.layout.root.iterdir()], ["agent"])

    def test_while_another_receipt_is_there_the_traces_stay(self):
        self.claim("agent")
        self.claim("agent", "lab/b")
        files.write(self.layout.log / "x", "x")
        self.remove("agent")
        self.assertTrue((self.layout.log / "x").exists())

    def test_takes_along_what_its_own_stack_left_at_this_place_and_no_other(self):
        self.claim("agent")
        paths = {}
        for owner, place in (
            ("lab/a", "rack1 192.0.2.11"),
            ("lab/a", "rack2 192.0.2.12"),
            ("lab/b", "rack1 192.0.2.11"),
        ):
            name = f"{owner[-1]}-{place[:5]}"
            paths[name] = files.make_directory(self.folder / "models" / name / "rev1")
            document = {**self.slot(owner, place=place), "name": name}
            receipts.claim(self.layout, "model", document, snapshot=paths[name], retention="Purge")
        with mock.patch.object(remove.jobs, "stop") as stop:
            self.remove("agent")
        self.assertEqual([name for name, path in paths.items() if path.exists()], ["a-rack2", "b-rack1"])
        stop.assert_called_once_with("fetch", "a-rack1")


class Models(Removals):
    def setUp(self):
        super().setUp()
        self.snapshot = self.folder / "models/org--tiny/rev1"
        for name in ("rev1", ".rev1.partial", ".rev1.scratch"):
            files.write(self.snapshot.with_name(name) / "x", "x")

    def test_what_is_kept_is_told(self):
        self.claim("model", snapshot=self.snapshot, retention="Retain")
        self.assertEqual(self.remove("model"), {"removed": True, "kept": str(self.snapshot)})
        self.assertTrue(self.snapshot.exists())

    def test_half_of_a_download_goes_too(self):
        self.claim("model", snapshot=self.snapshot, retention="Purge")
        self.assertEqual(self.remove("model"), {"removed": True})
        self.assertFalse(self.snapshot.parent.exists())

    def test_another_revision_beside_it_stays(self):
        files.write(self.snapshot.with_name("rev2") / "x", "x")
        self.claim("model", snapshot=self.snapshot, retention="Purge")
        self.remove("model")
        self.assertEqual([path.name for path in self.snapshot.parent.iterdir()], ["rev2"])


class Services(Removals):
    def setUp(self):
        super().setUp()
        self.calls = []
        self.put(remove.systemd, "control", lambda *words: self.calls.append(words))
        self.put(remove.systemd, "running", lambda: False)
        self.put(remove.starting, "stop", lambda name: self.calls.append(("stop", name)))
        self.put(remove.users, "forget", lambda layout, name, log: self.calls.append(("forget", name)))
        files.write(self.layout.unit_file("chat"), f"ExecStart={self.layout.service('chat')}/current\n")
        files.write(self.layout.service("chat") / "gen1/desired.json", "{}")
        files.write(self.layout.runtime("chat") / "verdict.json", "{}")

    def test_all_of_it_goes_stopped_first(self):
        self.claim("service", user="sglang")
        self.assertEqual(self.remove("service"), {"removed": True})
        unit = "sglang-chat.service"
        expected = [("stop", "chat"), ("disable", unit), ("daemon-reload",), ("forget", "sglang")]
        self.assertEqual(self.calls, expected)
        for path in (self.layout.unit_file("chat"), self.layout.runtime("chat"), self.layout.service("chat")):
            self.assertFalse(path.exists(), path)

    def test_one_that_was_only_intended_has_no_account_to_forget(self):
        self.layout.unit_file("chat").unlink()
        self.claim("service")
        self.assertEqual(self.remove("service"), {"removed": True})
        self.assertEqual(self.calls, [])

    def test_its_lock_goes_with_it(self):
        self.claim("service")
        self.claim("build")
        self.remove("service")
        self.assertEqual([path.name for path in self.layout.locks.iterdir()], [])

    def test_of_a_unit_that_somebody_else_put_there_only_the_rest_goes(self):
        files.write(self.layout.unit_file("chat"), "[Service]\nExecStart=/usr/bin/theirs\n")
        self.claim("service", user="sglang")
        self.assertEqual(self.remove("service"), {"removed": True, "kept": str(self.layout.unit_file("chat"))})
        self.assertEqual(self.calls, [("forget", "sglang")])
        self.assertTrue(self.layout.unit_file("chat").exists())
