"""What the agent asks of systemd, and what it understands of the answers; and telling it how far a service is."""

import os
import socket
from unittest import mock

from test.agent.support import Scratch

from sglang_agent import files, notify, systemd
from sglang_agent.answer import AgentError


class Systemctl(Scratch):
    """A systemctl that writes down what it is asked, and says and does what it is told to."""

    def systemctl(self, said="", status=0):
        (self.folder / "said").write_text(said)
        script = f"echo \"$@\" >> '{self.folder}/asked'; cat '{self.folder}/said' >&{2 if status else 1}; exit {status}"
        self.program("systemctl", script)
        self.program("systemd-run", script)

    def asked(self):
        return (self.folder / "asked").read_text().splitlines()

    def test_manages_a_machine_where_it_is_there_and_runs(self):
        self.systemctl()
        self.assertFalse(systemd.running())
        files.make_directory(self.folder / "system/run/systemd/system")
        self.assertTrue(systemd.running())
        with mock.patch.object(systemd, "which", return_value=None):
            self.assertFalse(systemd.running())

    def test_a_unit_that_has_ended_is_let_go_and_one_that_is_not_there_left_alone(self):
        self.systemctl("LoadState=loaded\nActiveState=inactive\n")
        systemd.forget("job.service")
        self.assertEqual([line.split()[1] for line in self.asked()[1:]], ["stop", "reset-failed"])
        (self.folder / "asked").unlink()
        self.systemctl("LoadState=not-found\n")
        systemd.forget("job.service")
        self.assertEqual([line.split()[0] for line in self.asked()], ["show"])

    def test_a_control_that_fails_is_told_with_what_systemd_said(self):
        self.systemctl()
        systemd.control("start", "chat.service")
        self.assertEqual(self.asked(), ["--no-ask-password start chat.service"])
        self.systemctl("Unit chat.service not found.\n", 5)
        with self.assertRaisesRegex(AgentError, "^systemctl start chat.service: Unit chat.service not found.$") as told:
            systemd.control("start", "chat.service")
        self.assertEqual(told.exception.code, "systemd")
        self.systemctl("", 5)
        with self.assertRaisesRegex(AgentError, "exit status 5"):
            systemd.control("start", "chat.service")

    def test_no_systemctl_is_told(self):
        with (
            mock.patch.object(systemd.subprocess, "run", side_effect=FileNotFoundError(2, "No such file")),
            self.assertRaisesRegex(AgentError, "cannot run systemctl: No such file"),
        ):
            systemd.control("daemon-reload")

    def test_forgiving_what_is_not_loaded_is_no_failure(self):
        self.systemctl("not loaded", 1)
        systemd.forgive("chat.service")
        self.assertEqual(self.asked(), ["--no-ask-password reset-failed chat.service"])

    def test_properties_are_read_by_name_and_empty_where_there_are_none(self):
        self.systemctl("ActiveState=active\nExecStart={ path=/bin/a ; argv[]=a=b }\n")
        found = systemd.properties("chat.service", "ActiveState", "ExecStart", "MainPID")
        self.assertEqual(found, {"ActiveState": "active", "ExecStart": "{ path=/bin/a ; argv[]=a=b }", "MainPID": ""})
        self.assertEqual(self.asked(), ["show chat.service --property=ActiveState,ExecStart,MainPID"])
        self.assertEqual(
            sorted(systemd.show("chat.service")), ["ActiveState", "LoadState", "Result", "SubState", "UnitFileState"]
        )

    def test_a_unit_is_alive_until_it_has_stopped(self):
        for state, alive in (
            ("active", True),
            ("activating", True),
            ("reloading", True),
            ("deactivating", True),
            ("inactive", False),
            ("failed", False),
            ("", False),
        ):
            self.systemctl(f"ActiveState={state}\n")
            self.assertEqual(systemd.alive("chat.service"), alive, state)

    def test_waiting_for_an_end_ends_with_it_or_with_patience(self):
        self.put(systemd.time, "sleep", lambda seconds: None)
        with mock.patch.object(systemd, "alive", side_effect=[True, True, False]):
            self.assertTrue(systemd.wait_dead("chat.service", 60))
        with mock.patch.object(systemd, "alive", return_value=True):
            self.assertFalse(systemd.wait_dead("chat.service", 0))

    def test_a_transient_unit_gets_its_properties_and_the_agents_environment(self):
        self.systemctl()
        systemd.run_transient("job.service", ["/bin/a", "-b"], {"Type": "exec", "KillMode": "mixed"})
        [asked] = self.asked()
        self.assertTrue(asked.startswith("--quiet --collect --no-ask-password --unit=job.service "))
        self.assertIn("--property=KillMode=mixed --property=Type=exec --setenv=", asked)
        self.assertIn("--setenv=LANG=C.UTF-8 ", asked)
        self.assertTrue(asked.endswith(" -- /bin/a -b"))
        self.systemctl("Unit job.service was already loaded.", 1)
        with self.assertRaisesRegex(AgentError, "systemd-run job.service: Unit job.service was already loaded."):
            systemd.run_transient("job.service", ["/bin/a"], {})


class Notify(Scratch):
    def heard(self, address, say):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as link:
            link.bind("\0" + address[1:] if address.startswith("@") else address)
            link.settimeout(10)
            self.set(NOTIFY_SOCKET=address)
            say()
            return link.recv(4096).decode()

    def test_each_stage_is_told_with_its_words(self):
        address = str(self.folder / "notify")
        for say, told in (
            (lambda: notify.ready("serving"), "READY=1\nSTATUS=serving"),
            (lambda: notify.status("löading"), "STATUS=löading"),
            (lambda: notify.stopping("draining"), "STOPPING=1\nSTATUS=draining"),
        ):
            self.assertEqual(self.heard(address, say), told)
            os.unlink(address)

    def test_an_address_may_be_an_abstract_one(self):
        self.assertEqual(self.heard(f"@sglang-{os.getpid()}", lambda: notify.status("x")), "STATUS=x")

    def test_where_nobody_listens_nothing_is_said(self):
        self.set(NOTIFY_SOCKET="")
        notify.ready("serving")
        self.set(NOTIFY_SOCKET=str(self.folder / "nobody"))
        notify.ready("serving")
