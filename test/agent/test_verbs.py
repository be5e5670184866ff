"""Each verb hands what it was sent to the module that does it, and answers what that answers."""

import contextlib
import importlib
import io
import os
import sys
from unittest import mock

from test.agent import support
from test.agent.support import Scratch

from sglang_agent import cli, contract, facts, files, jobs
from sglang_agent.answer import AgentError
from sglang_agent.pod import fetch as pod_fetch

DONE = {"changed": True}


class Verbs(Scratch):
    def setUp(self):
        super().setUp()
        self.wanted = self.slot(root=str(self.layout.root))

    def call(self, verb, *words, raw=b"raw"):
        return cli.VERBS[verb](list(words), raw)

    def test_a_document_is_that_of_its_verb(self):
        for verb in ("build", "fetch", "install", "intend", "prepare", "status"):
            module = importlib.import_module(f"sglang_agent.{verb}")
            with (
                mock.patch.object(cli.desired, "parse", return_value=self.wanted) as parse,
                mock.patch.object(module, verb, return_value=DONE) as do,
            ):
                self.assertEqual(self.call(verb), DONE)
            parse.assert_called_once_with(verb, b"raw")
            do.assert_called_once_with(self.wanted)

    def test_what_was_prepared_completes_it_for_a_switch_and_for_the_parser(self):
        for verb, place in (
            ("activate", "sglang_agent.activate.activate"),
            ("check-arguments", "sglang_agent.arguments.check"),
        ):
            with (
                mock.patch.object(cli.desired, "parse", return_value=self.wanted) as parse,
                mock.patch("sglang_agent.prepared.complete", return_value="whole") as complete,
                mock.patch(place, return_value=DONE) as do,
            ):
                self.assertEqual(self.call(verb), DONE)
            parse.assert_called_once_with("activate", b"raw")
            complete.assert_called_once_with(self.wanted)
            do.assert_called_once_with("whole")

    def test_facts_are_asked_for_with_a_document_too(self):
        with mock.patch.object(facts, "host_facts", return_value=DONE):
            with self.assertRaises(AgentError):
                self.call("facts", raw=b"{}")
            self.assertEqual(self.call("facts", raw=files.json_bytes({"contract": contract.version()})), DONE)

    def test_a_removal_is_of_a_kind(self):
        with (
            mock.patch.object(cli.desired, "parse_removal", return_value=("owned", "model")) as parse,
            mock.patch("sglang_agent.remove.remove", return_value=DONE) as do,
        ):
            self.assertEqual(self.call("remove", "model"), DONE)
            self.call("remove")
        self.assertEqual([call.args for call in parse.call_args_list], [(b"raw", "model"), (b"raw", "")])
        do.assert_called_with("owned", "model")

    def test_a_secret_is_all_of_stdin_and_its_removal_is_not(self):
        with mock.patch("sglang_agent.secret_files.install", return_value=DONE) as do:
            self.assertEqual(self.call("secret", "/a/secrets/b"), DONE)
        do.assert_called_once_with(["/a/secrets/b"], b"raw")
        with mock.patch("sglang_agent.secret_files.remove", return_value=DONE) as do:
            self.assertEqual(self.call("remove-secret", "/a/secrets/b"), DONE)
        self.assertEqual(do.call_args.args[0], ["/a/secrets/b"])

    def test_what_stays_gets_its_words(self):
        for verb, place in (("launch", "sglang_agent.launcher.launch"), ("serve", "sglang_agent.serve.serve")):
            with mock.patch(place, return_value=78) as do:
                self.assertEqual(cli.main([verb, "a", "b"]), 78)
            do.assert_called_once_with(["a", "b"])

    def test_a_job_is_done_by_its_verbs_module(self):
        self.assertEqual(sorted(jobs.WORK), ["activate", "build", "fetch"])
        for verb in jobs.WORK:
            with mock.patch(f"sglang_agent.{verb}.make", return_value=DONE) as make:
                self.assertEqual(jobs._work(verb, {"name": "chat", "root": str(self.layout.root)}), DONE)
            log = make.call_args.args[1]
            self.assertEqual(log.path, self.layout.log / f"{verb}-chat-1.log")

    def test_files_are_for_everybody_to_read_whatever_the_session_says(self):
        self.addCleanup(os.umask, os.umask(0o077))
        with mock.patch("sglang_agent.serve.serve", return_value=0):
            cli.main(["serve"])
        self.assertEqual(os.umask(0o022), 0o022)


class WeightsJob(Scratch):
    def test_fetches_with_the_images_own_python_and_makes_the_servers_folder(self):
        document = support.example("pool/fetch")
        document["root"] = str(self.layout.root)
        files.write_json(self.folder / "fetch.json", document)
        with (
            mock.patch.object(pod_fetch.fetch, "make", return_value=DONE) as make,
            contextlib.redirect_stdout(io.StringIO()) as said,
        ):
            self.assertEqual(pod_fetch.main([str(self.folder / "fetch.json"), str(self.folder / "state")]), 0)
        sent, log = make.call_args.args
        self.assertEqual(sent, {**document, "client": {"python": sys.executable}})
        self.assertEqual(log.path.parent, self.layout.log)
        self.assertTrue((self.folder / "state").is_dir())
        self.assertEqual(said.getvalue(), '{"changed":true}\n')


class HostFacts(Scratch):
    def test_what_is_not_known_is_left_out_but_for_the_toolkit(self):
        for name in ("acs", "iommu", "disks", "nics", "operating_system", "numa"):
            self.put(facts, name, lambda: None)
        self.put(facts, "memory", lambda: {"MemTotal": 7, "MemAvailable": 3})
        for name in ("driver", "driver_cuda", "cards", "topology"):
            self.put(facts.gpus, name, lambda: None)
        self.put(facts.gpus, "peer_access", dict)
        self.put(facts.toolkit, "cuda", lambda: None)
        self.put(facts.toolkit, "compilers", lambda: {"gcc": "12"})
        self.put(facts.pythons, "versions", lambda: ["3.12"])
        found = facts.host_facts()
        self.assertEqual((found["memoryBytes"], found["toolkit"], found["schema"]), (7, None, 1))
        self.assertEqual((found["compilers"], found["python"]), ({"gcc": "12"}, ["3.12"]))
        self.assertIn(found["cgroup"], ("v1", "v2"))
        self.assertEqual(
            sorted(found), ["cgroup", "compilers", "hostname", "memoryBytes", "python", "schema", "toolkit"]
        )

    def test_each_fact_is_under_its_own_name(self):
        for name in ("acs", "iommu", "disks", "nics"):
            self.put(facts, name, lambda name=name: name)
        self.put(facts, "operating_system", lambda: "os")
        self.put(facts, "numa", lambda: "numactl")
        self.put(facts, "memory", lambda: {"MemTotal": 7})
        for name, field in (
            ("driver", "driver"),
            ("driver_cuda", "cudaDriver"),
            ("cards", "gpus"),
            ("topology", "topology"),
        ):
            self.put(facts.gpus, name, lambda field=field: field)
        self.put(facts.gpus, "peer_access", lambda: "p2p")
        self.put(facts.toolkit, "cuda", lambda: "toolkit")
        self.put(facts.toolkit, "compilers", lambda: "compilers")
        self.put(facts.pythons, "versions", lambda: "python")
        found = facts.host_facts()
        for field in ("cgroup", "hostname", "memoryBytes", "schema"):
            del found[field]
        self.assertEqual(found, {field: field for field in found})
        self.assertEqual(len(found), 14)

    def test_cards_of_a_network_are_devices_that_may_do_rdma(self):
        for name, parts in (("eth0", ["device"]), ("ib0", ["device/infiniband"]), ("lo", [])):
            files.make_directory(self.folder / "net" / name)
            for part in parts:
                files.make_directory(self.folder / "net" / name / part)
        self.put(facts, "Path", lambda path: self.folder / "net")
        self.assertEqual(facts.nics(), [{"name": "eth0", "rdma": False}, {"name": "ib0", "rdma": True}])
