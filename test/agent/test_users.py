"""The account of a service: made once, remembered as ours, and gone with the last service that runs as it."""

import os
import pwd
import stat
import unittest
from types import SimpleNamespace
from unittest import mock

from test.agent.support import Scratch

from sglang_agent import files, receipts, users
from sglang_agent.answer import AgentError


class Accounts(Scratch):
    def setUp(self):
        super().setUp()
        self.there = set()
        self.ran = []
        self.put(users, "_exists", lambda name: name in self.there)
        self.put(users, "run", self.run_program)
        self.put(users, "which", lambda program: f"/usr/sbin/{program}")
        self.put(users.os, "geteuid", lambda: 0)

    def run_program(self, argv, log, what, code):
        self.ran.append(argv)
        (self.there.add if argv[0] == "useradd" else self.there.discard)(argv[-1])

    def ensure(self):
        users.ensure(self.layout, "sglang", None)

    def forget(self):
        users.forget(self.layout, "sglang", None)

    def test_an_account_is_made_without_home_and_shell_and_only_once(self):
        self.ensure()
        self.ensure()
        [argv] = self.ran
        for words in (["--system"], ["--user-group"], ["--no-create-home"], ["--home-dir", "/nonexistent"]):
            self.assertIn(" ".join(words), " ".join(argv))
        self.assertEqual(argv[-3:], ["--shell", "/usr/sbin/nologin", "sglang"])

    def test_where_it_cannot_be_made_that_is_said(self):
        for name, value in (("geteuid", lambda: 1000), ("which", lambda program: None)):
            target = users.os if name == "geteuid" else users
            with (
                mock.patch.object(target, name, value),
                self.assertRaisesRegex(AgentError, "user sglang does not exist"),
            ):
                self.ensure()
        self.assertEqual(self.ran, [])

    def test_one_that_was_made_here_goes_when_no_service_runs_as_it(self):
        self.ensure()
        receipts.claim(self.layout, "service", self.slot(), user="sglang")
        self.forget()
        self.assertIn("sglang", self.there)
        receipts.claim(self.layout, "service", self.slot(), user="other")
        self.forget()
        self.assertEqual((self.there, self.ran[-1]), (set(), ["userdel", "sglang"]))
        self.forget()
        self.assertEqual(len(self.ran), 2)

    def test_one_that_was_there_before_stays(self):
        self.there.add("sglang")
        self.ensure()
        self.forget()
        self.assertEqual((self.there, self.ran), ({"sglang"}, []))

    def test_one_that_somebody_deleted_is_forgotten(self):
        self.ensure()
        self.there.clear()
        self.forget()
        self.assertEqual([argv[0] for argv in self.ran], ["useradd"])
        self.assertEqual(list(self.layout.receipts.iterdir()), [])

    def test_the_mark_of_an_account_is_no_receipt_of_a_service(self):
        self.ensure()
        self.assertEqual(list(receipts.every(self.layout, "service")), [])
        [mark] = self.layout.receipts.iterdir()
        self.assertEqual(stat.S_IMODE(mark.stat().st_mode), 0o600)

    def test_two_services_that_start_at_once_make_it_once(self):
        held = []
        with mock.patch.object(users.locks, "held", lambda layout, slot: held.append(slot) or mock.MagicMock()):
            self.ensure()
        self.assertEqual(held, ["user-sglang"])


class Directories(Scratch):
    def account(self, uid, gid):
        self.put(users.pwd, "getpwnam", lambda name: SimpleNamespace(pw_uid=uid, pw_gid=gid))

    def test_a_new_one_is_for_the_account_alone(self):
        self.account(os.geteuid(), os.getegid())
        users.own_directory(self.folder / "cache", "sglang")
        self.assertEqual(stat.S_IMODE((self.folder / "cache").stat().st_mode), 0o700)

    @unittest.skipIf(os.geteuid() != 0, "only root gives files away")
    def test_all_in_it_becomes_the_accounts_and_what_a_link_leads_to_does_not(self):
        outside = files.make_directory(self.folder / "outside")
        files.write(self.folder / "cache/sub/file", "x")
        (self.folder / "cache/link").symlink_to(outside)
        self.account(12345, 12346)
        users.own_directory(self.folder / "cache", "sglang")
        owners = {
            path.name: (path.lstat().st_uid, path.lstat().st_gid)
            for path in [self.folder / "cache", *(self.folder / "cache").rglob("*")]
        }
        self.assertEqual(owners, dict.fromkeys(("cache", "sub", "file", "link"), (12345, 12346)))
        self.assertEqual(outside.stat().st_uid, 0)

    @unittest.skipIf(os.geteuid() != 0, "only root gives files away")
    def test_one_that_is_the_accounts_already_is_not_walked(self):
        files.write(self.folder / "cache/file", "x")
        os.chown(self.folder / "cache", 12345, 12346)
        self.account(12345, 12346)
        users.own_directory(self.folder / "cache", "sglang")
        self.assertEqual((self.folder / "cache/file").stat().st_uid, 0)


class Reach(Scratch):
    """Which folders an account cannot enter: by its own bits, its group's, or those of everybody else."""

    def closed(self, mode, uid, gid):
        target = files.make_directory(self.folder / "a/b")
        (self.folder / "a").chmod(mode)
        account = SimpleNamespace(pw_uid=uid, pw_gid=gid)
        with mock.patch.object(users.pwd, "getpwnam", lambda name: account):
            found = users.unreachable(target, "sglang")
        (self.folder / "a").chmod(0o755)
        return str(self.folder / "a") in found

    def test_each_bit_counts_for_whom_it_is(self):
        own, group = os.geteuid(), os.getegid()
        for mode, uid, gid, closed in (
            (0o700, 4242, 4242, True),
            (0o701, 4242, 4242, False),
            (0o710, 4242, 4242, True),
            (0o710, 4242, group, False),
            (0o701, 4242, group, True),
        ):
            self.assertEqual(self.closed(mode, uid, gid), closed, (oct(mode), uid, gid))
        if own != 0:
            self.assertFalse(self.closed(0o700, own, 4242))

    def test_root_enters_everything_and_a_file_is_no_folder(self):
        self.assertFalse(self.closed(0o000, 0, 0))
        files.write(self.folder / "file", "x", 0o600)
        account = SimpleNamespace(pw_uid=4242, pw_gid=4242)
        with mock.patch.object(users.pwd, "getpwnam", lambda name: account):
            self.assertNotIn(str(self.folder / "file"), users.unreachable(self.folder / "file", "sglang"))

    def test_an_account_is_there_or_not(self):
        self.assertTrue(users._exists(pwd.getpwuid(os.geteuid()).pw_name))
        self.assertFalse(users._exists("no-such-account"))
