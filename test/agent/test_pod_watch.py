"""Pods as the cluster tells of them: how they are asked for, and why one does not come up."""

import io
from unittest import mock

from test.agent.support import Scratch

from sglang_agent.pod import watch


class Watching(Scratch):
    """The API server's answers."""

    def pods(self, reply, host="10.0.0.1"):
        for name in ("namespace", "token", "ca.crt"):
            (self.folder / name).write_text(f"the-{name}\n")
        self.put(watch, "ACCOUNT", self.folder)
        self.put(watch.ssl, "create_default_context", mock.Mock())
        self.set(KUBERNETES_SERVICE_HOST=host, KUBERNETES_SERVICE_PORT="443")
        self.asked = self.put(watch.urllib.request, "urlopen", mock.Mock(side_effect=[reply]))
        return watch.pods("a=b,c=d", "r1")

    def test_are_asked_for_by_their_labels_with_the_accounts_token(self):
        self.pods(io.BytesIO(b'{"items": []}'))
        request = self.asked.call_args.args[0]
        self.assertEqual(
            request.full_url, "https://10.0.0.1:443/api/v1/namespaces/the-namespace/pods?labelSelector=a%3Db%2Cc%3Dd"
        )
        self.assertEqual(request.get_header("Authorization"), "Bearer the-token")
        watch.ssl.create_default_context.assert_called_once_with(cafile=str(self.folder / "ca.crt"))

    def test_an_address_of_six_has_brackets(self):
        self.pods(io.BytesIO(b'{"items": []}'), "fd00::1")
        self.assertTrue(self.asked.call_args.args[0].full_url.startswith("https://[fd00::1]:443/"))

    def test_no_answer_is_none_and_not_no_pods(self):
        self.assertEqual(self.pods(io.BytesIO(b'{"items": []}')), [])
        self.assertIsNone(self.pods(OSError("refused")))
        self.assertIsNone(self.pods(io.BytesIO(b"<html>")))


class Conditions(Scratch):
    def test_ready_is_what_the_kubelet_says_is_true(self):
        for conditions, ready in (
            ([{"type": "Ready", "status": "True"}], True),
            ([{"type": "Ready", "status": "False"}], False),
            ([{"type": "ContainersReady", "status": "True"}], False),
            (None, False),
        ):
            self.assertEqual(watch.ready({"status": {"conditions": conditions}}), ready)

    def test_the_end_that_is_comes_before_the_end_that_was(self):
        now = {"exitCode": 1, "message": " now \n", "reason": "Error"}
        before = {"exitCode": 1, "message": "before", "reason": "Error"}
        status = {"name": "server", "state": {"terminated": now}, "lastState": {"terminated": before}}
        self.assertEqual(watch.reason({"status": {"containerStatuses": [status]}}), "server: [Error] now")

    def test_a_pod_that_is_scheduled_has_no_reason(self):
        condition = {"type": "PodScheduled", "status": "True", "reason": "x", "message": "y"}
        other = {"type": "Ready", "status": "False", "reason": "x", "message": "y"}
        self.assertIsNone(watch.reason({"status": {"conditions": [condition, other]}}))

    def test_a_container_that_is_being_made_has_no_reason(self):
        status = {"name": "server", "state": {"waiting": {"reason": "ContainerCreating"}}}
        self.assertIsNone(watch.reason({"status": {"containerStatuses": [status]}}))
