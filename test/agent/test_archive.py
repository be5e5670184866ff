"""The agent's own archive, the same bytes each time; paths; and sizes for people."""

import io
import os
import subprocess
import sys
import zipfile

from test.agent.support import Scratch

from sglang_agent import archive, files, layout, locks, standin
from sglang_agent.answer import AgentError


class Archive(Scratch):
    def test_is_the_same_each_time_and_has_all_that_the_agent_is(self):
        content = archive.content()
        self.assertEqual(content, archive.content())
        packed = zipfile.ZipFile(io.BytesIO(content))
        for name in ("__main__.py", "sglang_agent/cli.py", "sglang_agent/contract.json", "sglang_agent/pod/run.py"):
            entry = packed.getinfo(name)
            self.assertEqual((entry.date_time, entry.external_attr >> 16), ((1980, 1, 1, 0, 0, 0), 0o644))
        self.assertFalse([name for name in packed.namelist() if not name.endswith((".py", ".json"))])

    def test_ends_with_the_status_of_its_verb_and_copies_itself(self):
        path = self.folder / "agent.pyz"
        path.write_bytes(archive.content())
        ran = subprocess.run([sys.executable, "-I", path, "no-such-verb"], capture_output=True, input=b"")
        self.assertEqual(ran.returncode, 1)
        program = "import sys; sys.path.insert(0, sys.argv[1]); from sglang_agent import archive; "
        program += "print(archive.running_from()); sys.stdout.flush(); sys.stdout.buffer.write(archive.content())"
        said = subprocess.run([sys.executable, "-I", "-c", program, path], capture_output=True, check=True).stdout
        place, copied = said.split(b"\n", 1)
        self.assertEqual((place.decode(), copied), (os.path.realpath(path), archive.content()))

    def test_from_a_source_tree_there_is_none(self):
        self.assertIsNone(archive.running_from())
        self.assertEqual(archive.interpreter(), sys.executable)


class Paths(Scratch):
    def test_have_one_place(self):
        top = self.layout.root
        for found, expected in (
            (self.layout.agent("d1"), top / "agent/d1"),
            (self.layout.build("d1"), top / "builds/d1"),
            (self.layout.build_staging("d1"), top / "builds/.d1.staging"),
            (self.layout.build_cache("d1"), top / "cache/d1"),
            (self.layout.generation("chat", "g1"), top / "services/chat/g1"),
            (self.layout.unit_file("chat"), self.folder / "system/etc/systemd/system/sglang-chat.service"),
            (self.layout.runtime("chat"), self.folder / "system/run/sglang-chat"),
            (layout.build_python(top / "b"), top / "b/venv/bin/python"),
            (layout.snapshot("/models", "org/tiny", "c1"), layout.Path("/models/org--tiny/c1")),
        ):
            self.assertEqual(found, expected)

    def test_begin_at_the_systems_root_on_a_host(self):
        del os.environ["SGLANG_AGENT_SYSTEM_ROOT"]
        self.assertEqual(str(self.layout.unit_file("chat")), "/etc/systemd/system/sglang-chat.service")


class Sizes(Scratch):
    def test_are_told_in_the_largest_unit_that_they_fill(self):
        for count, told in (
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1.0 KiB"),
            (1536, "1.5 KiB"),
            (1024**2, "1.0 MiB"),
            (5 * 1024**3, "5.0 GiB"),
            (5000 * 1024**3, "5000.0 GiB"),
        ):
            self.assertEqual(files.human(count), told)

    def test_what_is_free_is_so_for_a_path_that_is_not_there_yet(self):
        info = os.statvfs(self.folder)
        free = files.free_bytes(self.folder / "a/b/c")
        self.assertLess(abs(free - info.f_bavail * info.f_frsize), 2**30)


class Standins(Scratch):
    def refuse(self, dependencies, said):
        self.put(standin, "output_of", lambda argv: said)
        standin.refuse_real_server(self.layout, "bbbb0001", {"dependencies": dependencies})

    def test_a_build_without_dependencies_serves_only_what_calls_itself_a_stand_in(self):
        self.refuse("full", None)
        self.refuse("parser-only", "True\n")
        for said in ("False\n", None, ""):
            with self.assertRaisesRegex(AgentError, "it can check arguments, not serve") as told:
                self.refuse("parser-only", said)
            self.assertEqual(told.exception.code, "parser-only")

    def test_a_lock_is_waited_for_longer_than_any_verb_needs(self):
        self.assertGreaterEqual(locks.PATIENCE_SECONDS, 3600)
