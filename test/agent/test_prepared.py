"""What `prepare` kept of a service, for as long as a run that was killed may still ask for it."""

import os
import stat

from test.agent import support
from test.agent.support import Scratch

from sglang_agent import contract, files, kept, prepared
from sglang_agent.answer import AgentError


class Prepared(Scratch):
    def setUp(self):
        super().setUp()
        self.service = support.example("host/prepare")["service"]

    def keep(self, digest):
        prepared.keep(self.layout, "chat", digest, self.service)
        return self.layout.service("chat") / f"prepared-{digest}.json"

    def kept(self):
        return sorted(path.stem[len("prepared-") :] for path in self.layout.service("chat").iterdir())

    def test_is_for_root_alone_and_says_of_which_contract_it_is(self):
        path = self.keep("aa11")
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        self.assertEqual(files.read_json(path), {**self.service, "contract": contract.version()})

    def test_the_last_five_stay(self):
        for number in range(7):
            os.utime(self.keep(f"aa1{number}"), ns=(number, number))
        self.assertEqual(self.kept(), ["aa12", "aa13", "aa14", "aa15", "aa16"])

    def test_what_is_prepared_again_is_the_newest_again(self):
        for number in range(5):
            os.utime(self.keep(f"aa1{number}"), ns=(number, number))
        self.keep("aa10")
        self.keep("aa15")
        self.assertEqual(self.kept(), ["aa10", "aa12", "aa13", "aa14", "aa15"])

    def test_generations_beside_it_are_not_touched(self):
        files.write(self.layout.service("chat") / "gen1/desired.json", "{}")
        for number in range(7):
            self.keep(f"aa1{number}")
        self.assertTrue((self.layout.service("chat") / "gen1/desired.json").exists())

    def activate(self, digest="aa11"):
        document = {**support.example("host/activate"), "name": "chat", "root": str(self.layout.root)}
        return {**document, "prepared": digest}

    def test_completes_what_activate_is_sent(self):
        self.keep("aa11")
        whole = prepared.complete(self.activate())
        self.assertEqual({name: whole[name] for name in self.service}, self.service)
        self.assertEqual((whole["generation"], whole["name"]), (self.activate()["generation"], "chat"))
        self.assertNotIn("prepared", whole)

    def test_what_was_not_prepared_here_is_said_with_what_to_run(self):
        self.keep("aa11")
        with self.assertRaisesRegex(
            AgentError, "chat is not prepared on this host for bb22: run its `prepare`"
        ) as told:
            prepared.complete(self.activate("bb22"))
        self.assertEqual(told.exception.code, "not-prepared")

    def test_what_cannot_be_read_is_not_prepared_and_why_is_said(self):
        kept.write(self.layout.service("chat") / "prepared-aa11.json", {"unit": 7})
        with self.assertRaisesRegex(AgentError, r"(?s)for aa11 \(.*unit: expected") as told:
            prepared.part(self.activate())
        self.assertEqual(told.exception.code, "not-prepared")
