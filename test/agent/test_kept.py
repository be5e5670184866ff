"""What the agent keeps: marked with its contract, read from older agents, and told apart from what is not there."""

from test.agent.support import Scratch

from sglang_agent import contract, desired, files, generation, kept, receipts
from sglang_agent.answer import AgentError

VERDICT = {"verdict": "yes", "passed": 3, "generation": "gen1"}


class Kept(Scratch):
    def setUp(self):
        super().setUp()
        self.path = self.folder / "verdict.json"

    def test_a_document_says_of_which_contract_it_is(self):
        kept.write(self.path, VERDICT)
        self.assertEqual(files.read_json(self.path), {**VERDICT, "contract": contract.version()})
        self.assertEqual(kept.read("verdict", self.path), {**VERDICT, "contract": contract.version()})

    def test_what_is_not_there_or_half_is_none(self):
        self.assertIsNone(kept.read("verdict", self.path))
        for text in ("", '{"a":', "[]", "7"):
            self.path.write_text(text)
            self.assertIsNone(kept.read("verdict", self.path))

    def test_what_cannot_be_understood_is_a_failure_or_none_as_asked(self):
        for document in ({**VERDICT, "contract": contract.version() + 1}, {**VERDICT, "passed": "x"}):
            files.write_json(self.path, document)
            with self.assertRaisesRegex(AgentError, str(self.path)):
                kept.read("verdict", self.path)
            self.assertIsNone(kept.find("verdict", self.path))

    def test_a_generation_that_another_agent_wrote_is_not_known(self):
        path = self.layout.generation("chat", "gen1") / "desired.json"
        self.assertIsNone(generation.desired_of(self.layout, "chat", "gen1"))
        files.write_json(path, {"contract": contract.version() + 1})
        self.assertIsNone(generation.desired_of(self.layout, "chat", "gen1"))


class Receipts(Scratch):
    def claim(self, kind="service", **more):
        return receipts.claim(self.layout, kind, self.slot(), **more)

    def test_a_receipt_has_who_what_and_where(self):
        self.claim(user="sglang")
        receipt = receipts.read(self.layout, "service", "chat")
        expected = {**self.slot(), "contract": contract.version(), "history": [], "kind": "service", "user": "sglang"}
        self.assertEqual({field: receipt.get(field) for field in expected}, expected)
        self.assertNotIn("settled", receipt)

    def test_what_is_not_said_again_stays(self):
        self.claim(user="sglang")
        self.assertEqual(self.claim()["user"], "sglang")
        self.assertEqual(self.claim(user="other")["user"], "other")
        self.claim("model", snapshot=self.folder / "a", retention="Purge")
        self.assertEqual(self.claim("model")["retention"], "Purge")
        self.assertEqual(self.claim("model", retention="Retain")["retention"], "Retain")

    def test_a_slot_that_was_never_claimed_is_not_settled(self):
        receipts.settle(self.layout, "service", self.slot())
        self.assertIsNone(receipts.read(self.layout, "service", "chat"))
        self.assertFalse(receipts.settled(self.layout, "service", self.slot()))

    def test_a_newer_agents_receipt_is_not_overwritten(self):
        self.claim()
        [path] = self.layout.receipts.iterdir()
        newer = {**files.read_json(path), "contract": contract.version() + 1}
        files.write_json(path, newer)
        for do in (lambda: self.claim(), lambda: list(receipts.every(self.layout, "service"))):
            with self.assertRaises(AgentError):
                do()
        self.assertEqual(files.read_json(path), newer)

    def test_receipts_of_a_kind_come_by_their_names_and_no_others_with_them(self):
        self.assertEqual(list(receipts.every(self.layout, "model")), [])
        for name in ("b", "a"):
            receipts.claim(self.layout, "model", {**self.slot(), "name": name})
        receipts.claim(self.layout, "build", {**self.slot(), "name": "c"})
        self.assertEqual([found["name"] for found in receipts.every(self.layout, "model")], ["a", "b"])

    def test_another_stacks_model_of_a_name_is_another_receipt_and_its_own_of_another_name_too(self):
        mine = self.claim("model")
        receipts.claim(self.layout, "model", self.slot("lab/b"))
        receipts.claim(self.layout, "model", {**self.slot(), "name": "embed"})
        found = sorted((one["name"], one["owner"]) for one in receipts.others(self.layout, mine))
        self.assertEqual(found, [("chat", "lab/b"), ("embed", "lab/a")])


class Sent(Scratch):
    def test_a_removal_needs_a_kind_and_takes_what_it_needs_of_any_document(self):
        raw = files.json_bytes({**self.slot(root="/opt/sglang"), "contract": 1, "arguments": {"a": 1}, "unit": None})
        owned, kind = desired.parse_removal(raw, "service")
        self.assertEqual(kind, "service")
        self.assertEqual(owned, {**self.slot(root="/opt/sglang"), "contract": contract.version()})
        for kind in ("", "user", "Service"):
            with self.assertRaisesRegex(AgentError, "remove: expected agent or build or model or service") as told:
                desired.parse_removal(raw, kind)
            self.assertEqual(told.exception.code, "usage")

    def test_what_is_no_document_is_told_without_its_text(self):
        for raw, told in (
            (b"secret-key", "not a JSON document"),
            (b"\xff", "not a JSON"),
            (b"[]", "must be one JSON object"),
        ):
            with self.assertRaisesRegex(AgentError, f"^build: {told}") as error:
                desired.parse("build", raw)
            self.assertEqual(error.exception.code, "desired-state")
            self.assertNotIn("secret-key", error.exception.message)
        with self.assertRaisesRegex(AgentError, "^remove: not a JSON"):
            desired.parse_removal(b"x", "service")
