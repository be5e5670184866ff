"""Environments: exactly what is locked, at their final path; and the Pythons that they are made with."""

import os
import sys
from unittest import mock

from test.agent.support import Scratch

from sglang_agent import files, pythons, venvs
from sglang_agent.answer import AgentError


class Environments(Scratch):
    def setUp(self):
        super().setUp()
        self.ran = []
        self.put(
            venvs, "run", lambda argv, log, what, code, environment=None: self.ran.append((argv, code, environment))
        )

    def test_exactly_the_locked_packages_are_installed_each_by_its_hashes(self):
        lock = [
            {"name": "torch", "version": "2.9.1", "hashes": ["sha256:bb", "sha256:aa"]},
            {"name": "msgspec", "version": "0.19", "hashes": ["sha256:cc"]},
        ]
        venvs.install_locked("/venv/bin/python", lock, self.folder, None, {"A": "b"})
        requirements = self.folder / "requirements.txt"
        self.assertEqual(
            requirements.read_text(),
            "msgspec==0.19 --hash=sha256:cc\ntorch==2.9.1 --hash=sha256:aa --hash=sha256:bb\n",
        )
        [(argv, code, environment)] = self.ran
        self.assertEqual(argv[:5], ["/venv/bin/python", "-I", "-m", "pip", "install"])
        self.assertEqual(argv[-4:], ["--no-deps", "--require-hashes", "--requirement", str(requirements)])
        self.assertEqual((code, environment), ("install", {"A": "b"}))

    def test_a_fresh_one_is_made_with_the_interpreter_and_has_its_own(self):
        python = venvs.create(self.folder / "venv", "/usr/bin/python3.11", None, {})
        self.assertEqual(python, f"{self.folder}/venv/bin/python")
        self.assertEqual(self.ran[0][:2], (["/usr/bin/python3.11", "-m", "venv", f"{self.folder}/venv"], "venv"))

    def test_an_import_is_tried_with_the_builds_own_python_and_nothing_of_the_session(self):
        venvs.imports("/venv/bin/python", "sglang.srt.server_args", None)
        [(argv, code, _)] = self.ran
        self.assertEqual(argv, ["/venv/bin/python", "-I", "-c", "import sglang.srt.server_args"])
        self.assertEqual(code, "import")

    def test_packages_of_this_python_lie_where_it_says(self):
        self.assertEqual(venvs.site_packages(sys.executable).name, "site-packages")

    def test_scripts_name_the_final_place_and_stay_executable_and_programs_stay_as_they_are(self):
        staging, final = self.folder / ".build.staging", self.folder / "build"
        folder = staging / "venv/bin"
        files.write(folder / "tool", f"#!{staging}/venv/bin/python\n", 0o755)
        files.write(folder / "program", f"\0{staging}", 0o755)
        files.write(folder / "big", f"{staging}" + "x" * 1024 * 1024)
        (folder / "python").symlink_to(folder / "tool")
        venvs.move_scripts(staging, final)
        self.assertEqual((folder / "tool").read_text(), f"#!{final}/venv/bin/python\n")
        self.assertTrue(os.access(folder / "tool", os.X_OK))
        self.assertEqual((folder / "program").read_text(), f"\0{staging}")
        self.assertTrue((folder / "big").read_text().startswith(str(staging)))
        self.assertTrue((folder / "python").is_symlink())


class Pythons(Scratch):
    """A host whose interpreters are scripts."""

    def setUp(self):
        super().setUp()
        self.put(pythons, "PLACES", (f"{self.folder}/opt/python*/bin",))
        self.put(pythons, "base_environment", lambda: {"PATH": f"{self.folder}/one:{self.folder}/two"})
        self.put(pythons, "which", lambda program: None)

    def python(self, folder, name, script="exit 0"):
        path = self.folder / folder / name
        files.write(path, f"#!/bin/sh\n{script}\n", 0o755)
        return str(path)

    def test_the_first_on_path_wins_and_the_newest_comes_last(self):
        first = self.python("one", "python3.11")
        self.python("two", "python3.11")
        other = self.python("two", "python3.9")
        elsewhere = self.python("opt/python3.12/bin", "python3.12")
        for name in ("python3.11-config", "python3.1x", "python3"):
            self.python("one", name)
        found = pythons.installed()
        self.assertEqual(list(found.items()), [("3.9", other), ("3.11", first), ("3.12", elsewhere)])
        self.assertEqual(pythons.versions(), ["3.9", "3.11", "3.12"])

    def test_one_that_does_not_run_is_none_and_the_next_counts(self):
        self.python("one", "python3.11", "exit 127")
        second = self.python("two", "python3.11")
        self.assertEqual(pythons.installed(), {"3.11": second})

    def test_of_two_builds_of_a_version_the_later_folder_counts(self):
        self.python("opt/python3.11-a/bin", "python3.11")
        later = self.python("opt/python3.11-b/bin", "python3.11")
        self.assertEqual(pythons.installed(), {"3.11": later})

    def test_a_version_that_is_missing_is_told_with_those_that_are_there(self):
        self.python("one", "python3.11")
        self.python("one", "python3.9")
        with self.assertRaisesRegex(AgentError, r"this host has no Python 3.12 \(found: 3.9, 3.11\)") as told:
            pythons.find("3.12")
        self.assertEqual(told.exception.code, "no-interpreter")
        with self.assertRaisesRegex(AgentError, r"/no/python is not a Python that runs here \(found on this host: 3.9"):
            pythons.find("/no/python")

    def test_one_without_venv_is_told_with_what_to_install(self):
        path = self.python("one", "python3.11", 'case "$2" in *ensurepip*) exit 1 ;; *print*) echo 3.11 ;; esac')
        with self.assertRaisesRegex(
            AgentError, f"{path} cannot make a virtual environment: install python3.11-venv"
        ) as told:
            pythons.find("3.11")
        self.assertEqual(told.exception.code, "no-venv")

    def test_one_that_can_is_taken_by_version_and_by_path(self):
        path = self.python("one", "python3.11", 'case "$2" in *print*) echo 3.11 ;; esac')
        self.assertEqual((pythons.find("3.11"), pythons.find(path)), (path, path))

    def test_uv_is_asked_for_one_that_is_nowhere_else_and_downloads_none(self):
        with (
            mock.patch.object(pythons, "which", return_value="/usr/bin/uv"),
            mock.patch.object(pythons, "output_of", return_value="/uv/python3.13\n") as asked,
        ):
            self.assertEqual(pythons.locate("3.13"), "/uv/python3.13")
            asked.assert_called_with(["uv", "python", "find", "--no-python-downloads", "3.13"])
        self.assertIsNone(pythons.locate("3.13"))
