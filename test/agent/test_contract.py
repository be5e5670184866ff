"""Programs and agents of different versions: said in one sentence, and what an older agent kept goes on being read."""

import contextlib
import io
import json
import os

from test.agent.support import AgentTest
from test.agent.test_pod import POD

from sglang_agent import builds_kept, contract, prepared, receipts
from sglang_agent.answer import AgentError
from sglang_agent.layout import Layout
from sglang_agent.pod import revisions

OWN = contract.version()
NEWER = OWN + 1

PART = {name: POD[name] for name in ("endpoint", "environment", "gate", "model", "release")}
PART.update(startupBudgetSeconds=20, stopGraceSeconds=5, unit="[Service]\nExecStart=/bin/true\n", user="sglang")
SHORT = {"arguments": {}, "build": "bbbb0001", "settingsDigest": "dddd0001"}


class Sent(AgentTest):
    def said(self, verb, document):
        message = self.fail_with("contract", verb, document)["message"]
        self.assertNotIn("\n", message)
        return message

    def test_a_document_of_a_newer_program(self):
        document = {**self.desired(), "contract": NEWER, "a field of later": 1}
        self.assertEqual(
            self.said("install", document),
            f"install: this agent speaks version {OWN} of the contract, the document is of version {NEWER}: run "
            "`pulumi up` with the release of pulumi-sglang that sent it, which installs its own agent",
        )

    def test_a_document_of_an_older_program(self):
        document = self.desired()
        del document["contract"]
        self.assertEqual(
            self.said("install", document),
            f"install: this agent speaks version {OWN} of the contract, the document is of version 1: send it with "
            "the release of pulumi-sglang that this agent came with",
        )

    def test_a_version_that_is_none(self):
        self.assertIn('of version "two"', self.said("install", {**self.desired(), "contract": "two"}))

    def test_the_state_of_an_older_program_can_still_be_removed(self):
        document = self.desired(generation="0123abcd")
        self.succeed("install", document)
        older = {name: value for name, value in document.items() if name != "contract"}
        self.assertTrue(self.succeed("remove", {**older, "a field of then": 1}, "agent")["removed"])

    def test_a_mounted_document_of_another_version(self):
        path = self.top / "desired.json"
        path.write_text(json.dumps({**POD, "contract": NEWER}))
        with self.assertRaisesRegex(AgentError, f"desired.json: this agent speaks version {OWN} of the contract"):
            revisions.read("pod", str(path))


class Kept(AgentTest):
    def setUp(self):
        super().setUp()
        self.layout = Layout(str(self.root))

    def change(self, path, **fields):
        """A kept document with other fields; a field that is None is left out."""
        document = {**json.loads(path.read_text()), **fields}
        path.write_text(json.dumps({name: value for name, value in document.items() if value is not None}))

    def write(self, path, document):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(document))

    def test_a_receipt_of_an_older_agent_is_read_and_written_anew(self):
        document = self.desired(generation="0123abcd")
        self.succeed("install", document)
        [path] = (self.root / "receipts").iterdir()
        self.change(path, contract=None)
        self.succeed("install", {**document, "generation": "0123abce"})
        receipt = json.loads(path.read_text())
        self.assertEqual((receipt["contract"], receipt["history"]), (OWN, ["0123abcd"]))

    def test_a_receipt_of_a_newer_agent_is_left_as_it_is(self):
        document = self.desired(generation="0123abcd")
        self.succeed("install", document)
        [path] = (self.root / "receipts").iterdir()
        self.change(path, contract=NEWER)
        before = path.read_bytes()
        for verb, words in (("install", []), ("remove", ["agent"])):
            message = self.fail_with("contract", verb, document, *words)["message"]
            self.assertEqual(
                message,
                f"{path} is of version {NEWER} of the contract, this agent reads versions 1 to {OWN}: run `pulumi up` "
                "with the release of pulumi-sglang that wrote it, or a later one",
            )
        self.assertEqual(path.read_bytes(), before)

    def completed(self, part):
        self.write(self.layout.service("chat") / "prepared-cccc0001.json", part)
        return prepared.complete({**self.desired(name="chat"), **SHORT, "prepared": "cccc0001"})

    def test_what_an_older_agent_prepared_is_gone_by(self):
        whole = self.completed(PART)
        self.assertEqual((whole["contract"], whole["user"], whole["build"]), (OWN, "sglang", "bbbb0001"))

    def test_what_a_newer_agent_prepared_is_to_be_prepared_again(self):
        with self.assertRaises(AgentError) as caught:
            self.completed({**PART, "contract": NEWER})
        self.assertEqual(caught.exception.code, "not-prepared")
        self.assertIn(f"is of version {NEWER} of the contract", caught.exception.message)
        self.assertIn("run its `prepare` again", caught.exception.message)

    def serve(self, **fields):
        """A generation that serves, as far as its documents say."""
        folder = self.layout.generation("chat", "aaaa1111")
        self.write(folder / "desired.json", {**self.desired(name="chat"), **SHORT, **PART, **fields})
        self.write(folder / "verdict.json", {"generation": "aaaa1111", "verdict": "yes", **fields})
        os.symlink("aaaa1111", folder.parent / "current")

    def status(self):
        return self.succeed("status", {"contract": OWN, "name": "chat", "root": str(self.root)})

    def test_the_status_of_a_service_of_an_older_agent(self):
        self.serve(contract=1)
        status = self.status()
        self.assertEqual((status["build"], status["verdict"]["verdict"]), ("bbbb0001", "yes"))

    def test_the_status_of_a_service_of_a_newer_agent_leaves_out_what_it_says(self):
        self.serve(contract=NEWER)
        status = self.status()
        self.assertEqual((status["generation"], status["build"], status["verdict"]), ("aaaa1111", None, None))

    def test_no_build_goes_while_a_service_of_a_newer_agent_may_hold_it(self):
        build = self.desired(name="build", generation="bbbb0001")
        for generation in ("bbbb0001", "bbbb0002"):
            receipts.claim(self.layout, "build", {**build, "generation": generation})
            self.layout.build(generation).mkdir(parents=True)
        self.serve(contract=NEWER)
        builds_kept.prune(self.layout, build, 1)
        self.assertTrue(self.layout.build("bbbb0001").exists())
        (self.layout.service("chat") / "current").unlink()
        builds_kept.prune(self.layout, build, 1)
        self.assertFalse(self.layout.build("bbbb0001").exists())

    def test_the_last_good_revision_of_another_agent(self):
        path = self.top / "last-good.json"
        self.write(path, {name: value for name, value in POD.items() if name != "contract"})
        self.assertEqual(revisions.last_good(path)["generation"], POD["generation"])
        self.change(path, contract=NEWER)
        with contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertIsNone(revisions.last_good(path))
        self.assertIn(f"is of version {NEWER} of the contract", said.getvalue())
