"""Units that somebody else made, and what a stack does not know it has put there."""

import json
import os
import stat
import subprocess
import sys

from test.agent.serving import SENT, Service

KEY_OF_THEIRS = "sk-TheirKey-42"
THEIRS = (
    "import os, socket, time; "
    "socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'READY=1', os.environ['NOTIFY_SOCKET']); "
    "time.sleep(600)"
)


class ActivateForeign(Service):
    def hand_made(self):
        """A server of somebody else's, in a unit of the service's name."""
        unit = self.system / "etc/systemd/system/sglang-chat.service"
        environment = self.top / "theirs.env"
        environment.write_text("")
        unit.write_text(
            "[Service]\nType=notify\n"
            f'ExecStart={sys.executable} -c "{THEIRS}" --api-key {KEY_OF_THEIRS}\n'
            f'EnvironmentFile="{environment}"\nRuntimeDirectory=sglang-chat\n'
        )
        unit.write_text(unit.read_text().replace(f'"{environment}"', str(environment)))
        environment = {**os.environ, **self.environment}
        subprocess.run(["systemctl", "start", "sglang-chat.service"], env=environment, check=True)
        return unit

    def intend(self, service):
        sent = self.sent(service)
        return {name: sent[name] for name in ("contract", "generation", "name", "owner", "prepared", "root")}

    def test_a_unit_that_somebody_else_made_is_named_and_not_touched(self):
        unit = self.hand_made()
        text = unit.read_text()
        pid = json.loads((self.system / "standin-systemd/sglang-chat.service").read_text())["pid"]
        service = self.service()
        part = {name: value for name, value in service.items() if name not in SENT}
        prepare = self.desired(name="chat", build={"digest": "bbbb0001"}, needs={}, service=part)
        for code, verb, document in (
            ("not-ready", "prepare", prepare),
            ("foreign-unit", "intend", self.intend(service)),
            ("foreign-unit", "activate", service),
        ):
            with self.subTest(verb):
                message = self.fail_with(code, verb, document)["message"]
                self.assertIn(f"{unit} is there already and was not made for this service (active, ", message)
                self.assertIn(f"(pid {pid}", message)
                self.assertIn(f"ExecStart={sys.executable} -c ", message)
                self.assertIn("`adopt: true`", message)
                self.assertNotIn(KEY_OF_THEIRS, message)
        self.assertEqual((unit.read_text(), self.starts()), (text, 1))
        self.assertFalse(self.succeed("remove", service, "service")["removed"])
        self.assertTrue(unit.exists())
        os.kill(pid, 0)

    def test_an_adopted_unit_is_kept_aside_comes_back_after_a_no_and_with_the_removal(self):
        unit = self.hand_made()
        text = unit.read_text()
        error = self.fail_with("gate-failed", "activate", self.service(fault="bang", adopt=True))
        self.assertIn(f"generation aaaa0001 failed and is stopped; {unit} is as it was before", error["message"])
        self.assertEqual((unit.read_text(), self.starts()), (text, 3))
        self.succeed("intend", self.intend(self.service("aaaa0002", adopt=True)))
        self.succeed("activate", self.service("aaaa0002", adopt=True))
        self.assertTrue(self.answers())
        kept = self.root / "services/chat/adopted.service"
        self.assertEqual((kept.read_text(), stat.S_IMODE(kept.stat().st_mode)), (text, 0o600))
        self.assertFalse(self.succeed("activate", self.service("aaaa0002"))["restarted"])
        answer = self.succeed("remove", self.service("aaaa0002"), "service")
        self.assertEqual(answer, {"removed": True, "kept": str(unit)})
        self.assertEqual(unit.read_text(), text)
        self.assertFalse(self.answers())

    def test_an_edited_unit_is_still_the_services_own_and_one_in_its_place_is_not(self):
        unit = self.system / "etc/systemd/system/sglang-chat.service"
        self.succeed("activate", self.service())
        unit.write_text(unit.read_text() + "Nice=3\n")
        self.assertTrue(self.succeed("activate", self.service())["changed"])
        self.assertNotIn("Nice", unit.read_text())
        unit.write_text("[Service]\nExecStart=/usr/bin/their-own\n")
        self.fail_with("foreign-unit", "activate", self.service())
        self.assertEqual(self.succeed("remove", self.service(), "service"), {"removed": True, "kept": str(unit)})
        self.assertIn("their-own", unit.read_text())

    def test_an_intent_is_another_one_each_time_and_removes_what_was_made_for_it(self):
        first, second = (self.succeed("intend", self.intend(self.service()))["attempt"] for _ in range(2))
        self.assertNotEqual(first, second)
        self.assertEqual(self.starts(), 0)
        self.succeed("activate", self.service())
        self.assertFalse(self.succeed("activate", self.service())["changed"])
        # an intent that nothing came of, and the one before it again
        self.succeed("intend", self.intend(self.service("aaaa0002")))
        self.succeed("intend", self.intend(self.service()))
        self.assertFalse(self.succeed("activate", self.service())["changed"])
        # the stack's state has the last intent that was answered; the receipt has that or one before it
        self.succeed("intend", self.intend(self.service("aaaa0002")))
        self.assertTrue(self.succeed("remove", self.intend(self.service("aaaa0002")), "service")["removed"])
        self.assertFalse(self.answers())

    def test_the_agent_takes_along_what_the_state_of_the_stack_never_learned_of(self):
        agent = self.desired(name="node1", generation="0123abcd")
        self.succeed("install", agent)
        self.succeed("activate", self.service())
        self.assertTrue(self.succeed("remove", agent, "agent")["removed"])
        self.assertFalse(self.answers())
        self.assertFalse(self.root.exists())
        self.assertTrue((self.model / "config.json").exists())

    def test_after_a_failed_change_the_stack_can_remove_what_it_knows(self):
        self.succeed("activate", self.service())
        self.fail_with("gate-failed", "activate", self.service("ffff0001", "bang"))
        self.assertTrue(self.succeed("remove", self.service(), "service")["removed"])
        self.assertFalse(self.answers())
