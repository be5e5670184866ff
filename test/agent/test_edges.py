"""Where one more or one less decides: limits, folders of secrets, versions, pods that go, long texts."""

import contextlib
import io
import json
import os
import unittest
from unittest import mock

from test.agent import support
from test.agent.support import Scratch

from sglang_agent import contract, prepare, receipts, secret_files
from sglang_agent.answer import AgentError
from sglang_agent.pod import cluster, stage, termination


class Limits(unittest.TestCase):
    def test_a_budget_and_a_port_begin_at_one(self):
        for field, value in (("startupBudgetSeconds", 0), ("endpoint", {"host": "h", "port": 0})):
            document = support.example("host/prepare")
            contract.sent("prepare", document, "prepare")
            document["service"][field] = value
            with self.assertRaisesRegex(AgentError, field):
                contract.sent("prepare", document, "prepare")


class Secrets(Scratch):
    def test_a_folder_that_a_group_can_write_to_takes_no_secret(self):
        secrets = self.folder / "secrets"
        secrets.mkdir()
        for mode, taken in ((0o770, False), (0o702, False), (0o700, True)):
            secrets.chmod(mode)
            with contextlib.nullcontext() if taken else self.assertRaises(AgentError):
                secret_files.install([str(secrets / "key-1")], b"secret-key\n")


class Versions(Scratch):
    def test_a_driver_is_compared_by_its_numbers(self):
        for have, fine in (("1000.1", True), ("580", True), ("579.99", False), ("99.1", False)):
            with mock.patch.object(prepare.gpus, "driver", return_value=have):
                self.assertEqual(prepare._driver("580") == [], fine, have)

    def test_an_image_may_carry_a_local_version_of_the_release(self):
        package = self.folder / "site" / "sglang"
        package.mkdir(parents=True)
        plan = {"release": "0.5.16", "patches": []}
        for version, fine in (("0.5.16+cu130", True), ("0.5.16", True), ("0.5.160", False), ("0.5.17", False)):
            with (
                mock.patch.object(stage, "_installed", return_value=(str(package), version)),
                contextlib.nullcontext() if fine else self.assertRaises(AgentError),
            ):
                stage._copy(plan, self.folder / "build")


class Models(Scratch):
    def test_every_snapshot_that_a_slot_has_had_stays_its_own(self):
        for revision in ("0123", "4567"):
            claimed = self.slot(generation=f"gen-{revision}")
            receipts.claim(self.layout, "model", claimed, snapshot=self.folder / revision, retention="Purge")
        [found] = receipts.every(self.layout, "model")
        self.assertEqual(found["paths"], [str(self.folder / "0123"), str(self.folder / "4567")])


class Pods(Scratch):
    def test_a_rollout_has_neither_pods_that_go_nor_those_of_another(self):
        for name in ("namespace", "token", "ca.crt"):
            (self.folder / name).write_text(name)
        asked = mock.Mock(return_value=io.BytesIO(json.dumps({"items": [1]}).encode()))
        with (
            mock.patch.object(cluster, "ACCOUNT", self.folder),
            mock.patch.object(cluster.ssl, "create_default_context"),
            mock.patch.object(cluster.urllib.request, "urlopen", asked),
            mock.patch.dict(os.environ, {"KUBERNETES_SERVICE_HOST": "fd00::1", "KUBERNETES_SERVICE_PORT": "1"}),
        ):
            self.assertEqual(cluster.items(cluster.CORE, "pods", labelSelector="a=b"), [1])
            [request] = asked.call_args.args
            self.assertEqual(
                request.full_url, "https://[fd00::1]:1/api/v1/namespaces/namespace/pods?labelSelector=a%3Db"
            )
            self.assertEqual(request.get_header("Authorization"), "Bearer token")
            asked.side_effect = OSError
            self.assertIsNone(cluster.get(cluster.CORE, "pods"))

    def test_a_long_end_is_cut_by_bytes_and_stays_text(self):
        target = self.folder / "message"
        with (
            mock.patch.dict(os.environ, {"SGLANG_TERMINATION_FILE": str(target)}),
            contextlib.redirect_stdout(io.StringIO()),
        ):
            termination.tell("é" * 3000)
        self.assertLessEqual(len(target.read_bytes()), termination.LIMIT)
        self.assertEqual(set(target.read_text("utf-8")), {"é"})
