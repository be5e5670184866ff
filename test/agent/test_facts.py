"""What a host is, from what its kernel and its programs say."""

from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from test.agent.support import Scratch

from sglang_agent import facts, toolkit

MEMINFO = "MemTotal:       1056000 kB\nMemAvailable:   1000 kB\nHugePages_Total:       0\nActive(anon): 5 kB\n"


class Facts(Scratch):
    def kernel(self, texts):
        """Files by path, in the place of the kernel's."""
        self.put(facts, "_text", lambda path: texts.get(str(path)))

    def test_memory_is_in_bytes(self):
        self.kernel({"/proc/meminfo": MEMINFO})
        self.assertEqual(facts.memory(), {"MemTotal": 1056000 * 1024, "MemAvailable": 1000 * 1024})

    def test_the_system_is_named_as_it_names_itself(self):
        self.kernel({"/etc/os-release": 'NAME="Debian"\nID=debian\nVERSION_ID="12"\n'})
        found = facts.operating_system()
        self.assertEqual((found["id"], found["version"]), ("debian", "12"))
        self.kernel({})
        found = facts.operating_system()
        self.assertEqual((found["id"], found["version"]), ("unknown", "unknown"))

    def test_redirection_of_peer_requests(self):
        for text, told in (
            (None, "unknown"),
            ("Capabilities: none", "unknown"),
            ("ACSCtl: SrcValid- TransBlk- ReqRedir-", "off"),
            ("ACSCtl: SrcValid- ReqRedir-\nACSCtl: SrcValid+ ReqRedir-", "on"),
            ("ACSCtl: SrcValid- ReqRedir+", "on"),
            ("ACSCap: SrcValid+ ReqRedir+\nACSCtl: SrcValid- ReqRedir-", "off"),
        ):
            with mock.patch.object(facts, "output_of", return_value=text):
                self.assertEqual(facts.acs(), told, text)

    def iommu(self, groups, command_line="", kind=None):
        folder = self.folder / "groups"
        for name in groups or []:
            (folder / name).mkdir(parents=True)
            (folder / name / "type").write_text(kind or "")
        if groups == []:
            folder.mkdir()
        self.put(facts, "Path", lambda path: folder if "iommu_groups" in path else Path(path))
        real = Path.read_text
        self.put(facts, "_text", lambda path: command_line if path == "/proc/cmdline" else real(path))
        return facts.iommu()

    def test_without_groups_the_iommu_is_off_and_without_their_folder_unknown(self):
        self.assertEqual(self.iommu(None), "unknown")
        self.assertEqual(self.iommu([]), "off")

    def test_the_iommu_passes_through_where_the_kernel_was_told_so(self):
        self.assertEqual(self.iommu(["0"], "quiet iommu=pt", "DMA"), "passthrough")

    def test_the_iommu_passes_through_where_all_groups_do(self):
        self.assertEqual(self.iommu(["0", "1"], "", "identity"), "passthrough")

    def test_the_iommu_is_on_where_any_group_translates(self):
        self.assertEqual(self.iommu(["0", "1"], "iommu=ptx", "DMA-FQ"), "on")

    def test_disks_are_file_systems_that_hold_files(self):
        mounts = "".join(
            f"dev {mount} {kind} rw 0 0\n"
            for mount, kind in (
                ("/", "ext4"),
                ("/a\\040disk", "xfs"),
                ("/proc", "proc"),
                ("/run/user", "tmpfs"),
                ("/dev/shm", "tmpfs"),
                ("/device", "xfs"),
                ("/gone", "xfs"),
                ("/empty", "xfs"),
            )
        )
        self.kernel({"/proc/mounts": mounts})

        def statvfs(mount):
            if mount == "/gone":
                raise OSError
            return SimpleNamespace(
                f_bavail=2, f_bfree=3, f_frsize=4096, f_bsize=1, f_blocks=0 if mount == "/empty" else 10
            )

        with mock.patch.object(facts.os, "statvfs", statvfs), mock.patch.object(facts.os.path, "isdir", lambda _: True):
            found = facts.disks()
        self.assertEqual([disk["mount"] for disk in found], ["/", "/a disk", "/dev/shm", "/device"])
        self.assertEqual(found[0], {"mount": "/", "freeBytes": 8192, "sizeBytes": 40960})

    def test_nodes_are_told_in_numactls_words_or_the_kernels(self):
        with mock.patch.object(facts, "output_of", return_value="\navailable: 1 nodes (0)\n\n"):
            self.assertEqual(facts.numa(), "available: 1 nodes (0)")
        nodes = [self.folder / name for name in ("node10", "node2")]
        for node in nodes:
            node.mkdir()
            (node / "cpulist").write_text("0-3")
            (node / "distance").write_text("10 20")
        with (
            mock.patch.object(facts, "output_of", return_value=None),
            mock.patch.object(facts, "Path", lambda path: self.folder if "system/node" in path else Path(path)),
        ):
            self.assertEqual(
                facts.numa().split("\n"),
                ["available: 2 nodes (2,10)", "node 2 cpus: 0-3", "node 10 cpus: 0-3"]
                + ["node 2 distances: 10 20", "node 10 distances: 10 20"],
            )


class Toolkits(Scratch):
    def toolkits(self, *versions, link=None):
        """Toolkits below a folder in the place of /usr/local."""
        there = {f"/usr/local/cuda-{version}": version for version in versions}
        if link:
            there["/usr/local/cuda"] = link
        self.put(toolkit.glob, "glob", lambda pattern: sorted(f"/usr/local/cuda-{version}" for version in versions))
        self.put(toolkit, "which", lambda program: None)

        def output_of(argv):
            version = there.get(argv[0].removesuffix("/bin/nvcc"))
            return version and f"Cuda compilation tools, release {version}, V{version}.88"

        self.put(toolkit, "output_of", output_of)
        self.set(CUDA_HOME="")

    def version(self, wanted=None):
        found = toolkit.cuda(wanted)
        return found and found["version"]

    def test_the_default_link_comes_before_the_newest(self):
        self.toolkits("12.8", "13.0", link="12.8")
        self.assertEqual(self.version(), "12.8")

    def test_the_newest_is_so_by_its_numbers(self):
        self.toolkits("9.2", "12.8", "13.0")
        self.assertEqual(self.version(), "13.0")

    def test_the_one_that_is_named_is_taken_by_its_version_or_the_beginning_of_it(self):
        self.toolkits("12.8", "13.0", "13.10")
        self.assertEqual(
            [self.version(wanted) for wanted in ("12.8", "13", "13.1", "11")], ["12.8", "13.10", None, None]
        )

    def test_the_sessions_own_comes_first(self):
        self.toolkits("12.8", "13.0")
        self.set(CUDA_HOME="/usr/local/cuda-12.8")
        self.assertEqual(self.version(), "12.8")

    def test_one_whose_compiler_alone_is_on_path_is_found(self):
        self.toolkits()
        nvcc = self.folder / "cuda/bin/nvcc"
        nvcc.parent.mkdir(parents=True)
        nvcc.touch()
        self.put(toolkit, "which", lambda program: str(nvcc))
        self.put(toolkit, "output_of", lambda argv: "release 13.0, V13.0" if argv[0] == str(nvcc.resolve()) else None)
        self.assertEqual(toolkit.cuda(), {"path": str((self.folder / "cuda").resolve()), "version": "13.0"})
        self.put(toolkit, "output_of", lambda argv: None)
        self.assertIsNone(toolkit.cuda())

    def test_compilers_are_those_that_say_a_version(self):
        said = {"gcc": "12.2.0\n", "ninja": "1.11.1\n", "g++": "\n"}
        with mock.patch.object(toolkit, "output_of", lambda argv: said.get(argv[0])):
            self.assertEqual(toolkit.compilers(), {"gcc": "12.2.0", "ninja": "1.11.1"})
