"""A build, step by step: what is checked before it, what it is made of, and what is left when a step fails."""

from unittest import mock

from test.agent.support import Scratch

from sglang_agent import build, files, kept, receipts, sources
from sglang_agent.answer import AgentError

LOCK = [
    {"name": "SGLang", "version": "0.5.17", "hashes": ["sha256:aa"]},
    {"name": "torch", "version": "2.9.1", "hashes": ["sha256:bb"]},
    {"name": "pydantic_core", "version": "2", "hashes": ["sha256:cc"]},
]


class Builds(Scratch):
    def desired(self, **more):
        wheel = {"kind": "wheel", "requirement": "sglang==0.5.17"}
        return {
            **self.slot(generation="bbbb0001", root=str(self.layout.root)),
            "source": wheel,
            "dependencies": "full",
            "lock": LOCK,
            "python": "3.12",
            "release": "0.5.17",
            **more,
        }


GIT = {"kind": "git", "repository": "https://example.com/sglang", "commit": "c" * 40}


class Locked(Builds):
    def names(self, **more):
        return [entry["name"] for entry in sources.locked(self.desired(**more))]

    def test_a_full_build_installs_the_whole_lock_and_of_a_commit_all_but_sglang(self):
        self.assertEqual(self.names(), ["SGLang", "torch", "pydantic_core"])
        self.assertEqual(self.names(source=GIT), ["torch", "pydantic_core"])

    def test_a_parser_only_build_installs_what_the_parser_needs(self):
        self.assertEqual(self.names(dependencies="parser-only"), ["SGLang", "pydantic_core"])
        self.assertEqual(self.names(dependencies="parser-only", lock=[]), [])

    def test_a_full_build_without_a_lock_is_refused(self):
        for more in ({"lock": []}, {"lock": LOCK[:1], "source": GIT}):
            with self.assertRaisesRegex(AgentError, "a full build needs the lock's package versions") as told:
                self.names(**more)
            self.assertEqual(told.exception.code, "lock")

    def test_a_lock_of_another_release_is_refused(self):
        for lock, has in ((LOCK[1:], r"\(none\)"), ([{**LOCK[0], "version": "0.5.16"}], "0.5.16")):
            with self.assertRaisesRegex(AgentError, f"the lock has sglang {has}, the source is 0.5.17: run pin"):
                self.names(lock=lock)


class Brought(Builds):
    def bring(self, **more):
        calls = mock.Mock()
        for name in ("install_locked", "install"):
            self.put(sources.venvs, name, getattr(calls, name))
        self.put(sources.venvs, "site_packages", lambda python: "site")
        self.put(sources, "run", calls.run)
        desired = self.desired(**more)
        self.assertEqual(sources.bring(desired, self.folder, "python", None, {"A": "b"}), "site")
        return calls

    def test_a_lock_is_installed_and_nothing_beside_it(self):
        calls = self.bring()
        calls.install_locked.assert_called_once_with("python", LOCK, self.folder, None, {"A": "b"})
        calls.install.assert_not_called()

    def test_without_a_lock_a_parser_only_build_takes_the_wheel_alone_and_what_its_parser_imports(self):
        calls = self.bring(dependencies="parser-only", lock=[])
        words = [call.args[1] for call in calls.install.call_args_list]
        self.assertEqual(
            words,
            [["--no-deps", "--only-binary", ":all:", "sglang==0.5.17"], ["msgspec", "packaging", "pydantic"]],
        )

    def git(self, calls):
        return [call.args[0][7:] for call in calls.run.call_args_list]

    def test_a_commit_is_fetched_by_itself_and_checked_out(self):
        calls = self.bring(source=GIT)
        self.assertEqual(
            self.git(calls),
            [
                ["init", "--quiet"],
                ["remote", "add", "origin", GIT["repository"]],
                ["fetch", "--quiet", "--depth", "1", "origin", GIT["commit"]],
                ["checkout", "--quiet", "--detach", GIT["commit"]],
            ],
        )
        self.assertIn("core.autocrlf=false", calls.run.call_args.args[0])

    def test_where_a_server_gives_no_commit_by_itself_everything_is_fetched(self):
        def run(argv, *rest):
            ran.append(argv)
            if "--depth" in argv:
                raise AgentError("git", "not our ref")

        ran = []
        self.put(sources, "run", run)
        sources._clone(GIT, self.folder / "source", None, {})
        self.assertIn("+refs/heads/*:refs/remotes/origin/*", ran[-2])
        self.assertIn("--tags", ran[-2])


class Finished(Builds):
    def finish(self, **more):
        self.staging, self.final = self.folder / ".b.staging", self.folder / "b"
        self.site = self.staging / "venv/site"
        files.make_directory(self.staging / "source/python/sglang")
        files.make_directory(self.site / "sglang")
        self.calls = mock.Mock()
        for name in ("install", "imports"):
            self.put(sources.venvs, name, getattr(self.calls, name))
        self.put(sources, "run", self.calls.run)
        sources.finish(self.desired(**more), self.staging, self.final, "python", self.site, None, {"A": "b"})

    def test_a_full_build_is_imported(self):
        self.finish()
        self.calls.imports.assert_called_once_with("python", "sglang.srt.server_args", None, {"A": "b"})
        self.calls.install.assert_not_called()

    def test_a_commit_is_installed_under_the_release_that_its_stack_names(self):
        self.finish(source=GIT)
        _, words, _, environment, _ = self.calls.install.call_args.args
        self.assertEqual(words, ["--no-deps", str(self.staging / "source/python")])
        self.assertEqual(environment, {"A": "b", "SETUPTOOLS_SCM_PRETEND_VERSION": "0.5.17"})

    def test_a_parser_only_commit_is_found_at_its_final_place(self):
        self.finish(source=GIT, dependencies="parser-only")
        self.assertEqual((self.site / "sglang.pth").read_text(), f"{self.final}/source/python\n")
        argv = self.calls.run.call_args.args[0]
        self.assertEqual(argv[-4:], ["check", "--package", str(self.staging / "source/python"), "--stubs"])

    def test_a_source_has_its_package_where_its_stack_says(self):
        folder = files.make_directory(self.folder / "source/py/sglang")
        where = {**GIT, "subdirectory": "py"}
        self.assertEqual(sources.package_of(self.desired(source=where), self.folder, self.folder / "site"), folder)
        with self.assertRaisesRegex(AgentError, r"no sglang package where it is expected \(source/python/sglang\)"):
            sources.package_of(self.desired(source=GIT), self.folder, self.folder / "site")


class Made(Builds):
    """The whole of it, with steps that do nothing."""

    def setUp(self):
        super().setUp()
        self.final = self.layout.build("bbbb0001")
        self.staging = self.layout.build_staging("bbbb0001")
        self.site = self.staging / "venv/site"
        self.put(build.pythons, "find", lambda wanted: f"/usr/bin/python{wanted}")
        self.put(build.venvs, "create", self.create)
        self.put(build.venvs, "move_scripts", lambda staging, final: None)
        self.put(build.sources, "bring", lambda *words: self.site)
        self.finish = self.put(build.sources, "finish", mock.Mock())
        self.free = self.put(build.files, "free_bytes", mock.Mock(return_value=2**60))

    def create(self, path, interpreter, log, environment):
        self.environment = environment
        files.write(self.site / "sglang/a.py", "x")
        return "python"

    def make(self, **more):
        return build.make(self.desired(**more), None)

    def test_is_complete_with_a_receipt_of_what_it_is(self):
        self.assertEqual(self.make(), {"changed": True, "path": str(self.final)})
        found = build.receipt_of(self.layout, "bbbb0001")
        self.assertEqual((found["complete"], found["digest"], found["release"]), (True, "bbbb0001", "0.5.17"))
        self.assertEqual((found["python"], found["dependencies"]), ("/usr/bin/python3.12", "full"))
        self.assertEqual(found["package"], str(self.final / "venv/site/sglang"))
        self.assertEqual(found["treeSha256"], build.tree.python_digest(self.final / "venv/site/sglang"))
        self.assertFalse(self.staging.exists() or (self.final / "tmp").exists())
        self.assertTrue(receipts.settled(self.layout, "build", self.desired()))

    def test_one_that_is_complete_is_not_made_again(self):
        self.make()
        self.put(build, "_make", mock.Mock(side_effect=AssertionError))
        self.assertEqual(self.make(), {"changed": False, "path": str(self.final)})

    def test_what_was_left_of_one_is_made_anew(self):
        for folder in (self.final, self.staging):
            files.write(folder / "left", "x")
        self.assertTrue(self.make()["changed"])
        self.assertFalse((self.final / "left").exists())

    def test_one_that_fails_is_not_there_and_not_settled(self):
        self.finish.side_effect = AgentError("import", "no module")
        with self.assertRaises(AgentError):
            self.make()
        self.assertFalse(self.final.exists() or self.staging.exists())
        self.assertFalse(receipts.settled(self.layout, "build", self.desired()))
        with self.assertRaisesRegex(AgentError, "no complete build bbbb0001 on this host"):
            build.receipt_of(self.layout, "bbbb0001")

    def test_another_tree_than_the_locks_is_refused_before_it_is_imported(self):
        with self.assertRaisesRegex(AgentError, f"the lock says {'0' * 64}") as told:
            self.make(treeSha256="0" * 64)
        self.assertEqual(told.exception.code, "tree")
        self.finish.assert_not_called()

    def test_programs_get_the_builds_cache_and_index_and_what_the_stack_adds(self):
        self.make(indexUrl="https://index.example/simple", environment={"A": "b"})
        self.assertEqual(
            self.environment,
            {
                "A": "b",
                "PIP_CACHE_DIR": str(self.layout.cache / "pip"),
                "PIP_INDEX_URL": "https://index.example/simple",
                "TMPDIR": str(self.staging / "tmp"),
            },
        )
        files.remove(self.final)
        self.make()
        self.assertNotIn("PIP_INDEX_URL", self.environment)

    def test_space_is_what_the_stack_says_or_what_such_a_build_needs(self):
        for more, needed in (
            ({"diskBytes": 5}, 5),
            ({}, 40 * 1024**3),
            ({"dependencies": "parser-only"}, 512 * 1024**2),
        ):
            self.free.return_value = needed
            build._check_space(self.layout, self.desired(**more))
            self.free.return_value = needed - 1
            with self.assertRaisesRegex(AgentError, rf"\({needed} bytes\).*\({needed - 1} bytes\) are free") as told:
                build._check_space(self.layout, self.desired(**more))
            self.assertEqual(told.exception.code, "no-space")

    def test_older_builds_are_pruned_to_three_or_to_what_the_stack_says(self):
        for more, keep in (({}, 3), ({"keep": 1}, 1)):
            with mock.patch.object(build.builds_kept, "prune") as prune:
                self.make(**more)
            self.assertEqual(prune.call_args.args[2], keep)

    def test_two_stacks_that_want_the_same_wait_for_each_other(self):
        held = []
        real = build.locks.held
        self.put(build.locks, "held", lambda layout, slot: held.append(slot) or real(layout, slot))
        self.make()
        self.assertEqual(held, ["build-bbbb0001"])

    def test_is_answered_at_once_only_when_it_is_complete_and_settled_for_this_stack(self):
        self.put(build.jobs, "run", lambda layout, verb, desired: {"changed": True, "path": verb})
        self.assertTrue(build.build(self.desired())["changed"])
        self.make()
        self.assertEqual(build.build(self.desired()), {"changed": False, "path": str(self.final)})
        self.assertTrue(build.build(self.desired(owner="lab/b"))["changed"])
        kept.write(self.final / "receipt.json", {**build.receipt_of(self.layout, "bbbb0001"), "complete": False})
        self.assertTrue(build.build(self.desired())["changed"])
