"""What a watching job makes of the cluster: why pods do not come up, whether waiting helps, what counts as a yes."""

import argparse
import contextlib
import io
import unittest
from unittest import mock

from test.agent import support  # noqa: F401

from sglang_agent.pod import arrival, patience, reasons, workload
from sglang_agent.pod import verdict as rollout

YES = {"verdict": "yes", "passed": 3, "generation": "gen1"}
NO = {"verdict": "no", "passed": 1, "generation": "gen1", "check": "greedy[0].answer", "reason": "Rome", "evidence": {}}
FULL = "preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod."
NEVER = "preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."


class Reasons(unittest.TestCase):
    """Statuses and events as a real API server gave them (1.34)."""

    def reason(self, events=(), **status):
        return reasons.of_pod({"metadata": {"uid": "u1"}, "status": status}, lambda uid: list(events))

    def unschedulable(self, message, events=()):
        condition = {"message": message, "reason": "Unschedulable", "status": "False", "type": "PodScheduled"}
        return self.reason(events, conditions=[condition])

    def test_a_full_node_is_waited_for_and_one_that_could_never_take_it_is_not(self):
        full = self.unschedulable(f"0/2 nodes are available: 2 Insufficient nvidia.com/gpu. {FULL}")
        self.assertEqual((full.text[:22], full.after), ("[Unschedulable] 0/2 no", None))
        never = self.unschedulable(f"0/2 nodes are available: 2 Insufficient example.com/gpu. {NEVER}")
        self.assertEqual(never.after, reasons.PATIENCE_SECONDS)
        mixed = FULL.replace("2 No", "1 No").replace("pod.", "pod, 1 Preemption is not helpful for scheduling.")
        self.assertIsNone(self.unschedulable(f"0/2 nodes are available: 2 Insufficient nvidia.com/gpu. {mixed}").after)

    def test_a_node_that_is_away_and_one_that_is_being_made_are_waited_for(self):
        taint = "1 node(s) had untolerated taint {node.kubernetes.io/unreachable: }"
        self.assertIsNone(self.unschedulable(f"0/2 nodes are available: {taint}. {NEVER}").after)
        self.assertIsNone(self.unschedulable(f"0/2 nodes are available: 2 node(s) were unschedulable. {NEVER}").after)
        scaled = self.unschedulable(f"0/2 nodes are available. {NEVER}", [{"reason": "TriggeredScaleUp"}])
        self.assertIsNone(scaled.after)

    def test_an_image_that_cannot_be_pulled_is_given_a_while(self):
        waiting = {"message": "Back-off pulling image", "reason": "ImagePullBackOff"}
        first = {"name": "stage", "state": {"waiting": waiting}}
        second = {"name": "server", "state": {"waiting": {"reason": "PodInitializing"}}}
        told = self.reason(phase="Pending", initContainerStatuses=[first], containerStatuses=[second])
        self.assertEqual(told, ("stage: [ImagePullBackOff] Back-off pulling image", reasons.PATIENCE_SECONDS))

    def test_a_secret_that_is_not_there_is_told_in_the_place_of_the_timeout_that_follows(self):
        missing = 'MountVolume.SetUp failed for volume "key" : secret "nope" not found'
        events = [
            {"reason": "FailedMount", "message": missing},
            {"reason": "FailedMount", "message": "Unable to attach or mount volumes: timed out waiting"},
        ]
        waiting = {"name": "server", "state": {"waiting": {"reason": "PodInitializing"}}}
        told = self.reason(events, phase="Pending", containerStatuses=[waiting])
        self.assertEqual(told, (f"[FailedMount] {missing}", reasons.PATIENCE_SECONDS))
        self.assertIsNone(self.reason(events[1:], phase="Pending").after)

    def test_a_container_that_ended_is_told_and_ends_the_wait_only_where_it_will_end_so_again(self):
        def ended(kind, reason, restarts):
            waiting = {"message": "back-off 10s", "reason": "CrashLoopBackOff"}
            last = {"terminated": {"exitCode": 137, "message": "", "reason": reason}}
            status = {"lastState": last, "name": "one", "restartCount": restarts, "state": {"waiting": waiting}}
            return self.reason(**{kind: [status]})

        self.assertEqual(ended("containerStatuses", "OOMKilled", 1), ("one: [OOMKilled] exit code 137", None))
        self.assertEqual(ended("containerStatuses", "OOMKilled", 2).after, 0)
        self.assertIsNone(ended("containerStatuses", "Error", 9).after)
        self.assertIsNone(ended("initContainerStatuses", "Error", 1).after)
        self.assertEqual(ended("initContainerStatuses", "Error", 2).after, 0)

    def test_a_pod_that_is_not_even_made_is_told_by_who_would_make_it(self):
        failed = {"reason": "FailedCreate", "message": "exceeded quota"}
        self.assertEqual(reasons.of_owner([failed]), ("[FailedCreate] exceeded quota", reasons.PATIENCE_SECONDS))
        self.assertIsNone(reasons.of_owner([failed, {"reason": "SuccessfulCreate"}]))

    def test_a_claim_that_nothing_provides_is_told(self):
        refused = {"reason": "ProvisioningFailed", "message": 'storageclass "x" not found'}
        told = reasons.of_claim("tiny-weights", [refused])
        self.assertEqual(told.text, 'claim tiny-weights: storageclass "x" not found')
        self.assertIsNone(reasons.of_claim("tiny-weights", [{"reason": "ExternalProvisioning"}]))

    def test_none_of_a_pod_that_comes_up(self):
        done = {"name": "stage", "state": {"terminated": {"exitCode": 0, "reason": "Completed"}}}
        running = {"name": "server", "state": {"running": {}}}
        self.assertIsNone(self.reason(phase="Running", initContainerStatuses=[done], containerStatuses=[running]))


class Clock:
    """Time that passes only while somebody waits."""

    def __init__(self):
        self.now = 1000.0

    def monotonic(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds


class Waits(unittest.TestCase):
    def over_after(self, why, passing=lambda second: False):
        clock = Clock()
        with mock.patch.object(patience, "time", clock), contextlib.redirect_stdout(io.StringIO()):
            wait = patience.Patience(300, "nothing yet")
            for _ in wait.looks():
                if wait.is_over(why, passing(clock.now - 1000)):
                    return clock.now - 1000
        return None

    def test_end_once_what_is_in_the_way_has_stood_there_for_its_time(self):
        self.assertEqual(self.over_after(reasons.Reason("no such label", 40)), 40)
        self.assertEqual(self.over_after(reasons.Reason("stage failed", 0)), 0)
        self.assertIsNone(self.over_after(reasons.Reason("a full node")))
        self.assertIsNone(self.over_after(None))

    def test_last_on_while_another_pod_ends_that_may_be_what_is_in_the_way(self):
        self.assertEqual(self.over_after(reasons.Reason("quota", 40), lambda second: second < 60), 100)


def deployment(generation=2, seen=2, updated=1, total=1, ready=1):
    status = {"observedGeneration": seen, "replicas": total, "updatedReplicas": updated, "readyReplicas": ready}
    annotations = {workload.REVISION: "2"}
    metadata = {"uid": "d1", "generation": generation, "annotations": annotations}
    return {"metadata": metadata, "spec": {"replicas": 1}, "status": status}


def replica_set(uid, revision):
    return {"metadata": {"uid": uid, "annotations": {workload.REVISION: revision}, "ownerReferences": [{"uid": "d1"}]}}


def pod(name="chat-a", owner="rs2", ready=True, address="10.0.0.7", rollout="r", **more):
    condition = {"type": "Ready", "status": "True" if ready else "False"}
    return {
        "metadata": {
            "annotations": {workload.ROLLOUT: rollout},
            "labels": {},
            "name": name,
            "ownerReferences": [{"uid": owner}],
            "uid": name,
            **more,
        },
        "spec": {},
        "status": {"conditions": [condition], "phase": "Running", "podIP": address},
    }


class Rollouts(unittest.TestCase):
    """A rollout sees an object, pods and boards; here all are tables."""

    def end(self, boards, whole=None, pods=None, applied="d1/2", ranks=1, kind="Deployment"):
        self.said = []
        whole, pods = whole or deployment(), [pod()] if pods is None else pods
        sets = [replica_set("rs1", "1"), replica_set("rs2", "2")]
        given = argparse.Namespace(
            object=f"{kind}/chat", selector="s", rollout="r", generation="gen1", pods=ranks, port="30080", seconds=100
        )
        seen = workload.Workload(kind, whole, pods, sets, "r")
        asked = {f"http://{address}:30080/state": board for address, board in boards.items()}
        with (
            mock.patch.object(rollout.workload, "look", return_value=seen),
            mock.patch.object(rollout.ask, "board", asked.get),
            mock.patch.object(rollout.termination, "tell", self.said.append),
            mock.patch.object(patience, "time", Clock()),
            mock.patch.object(patience.cluster, "events", return_value=[]),
            contextlib.redirect_stdout(io.StringIO()),
        ):
            return rollout.Rollout(given, applied).end()

    def board(self, verdict=None, serving=None, rank=0):
        return {"verdict": verdict, "serving": serving, "rank": rank}

    def one(self, verdict=None, serving=None):
        return {"10.0.0.7": self.board(verdict, serving)}

    def test_a_yes_is_0_when_all_that_runs_is_of_it_and_ready(self):
        self.assertEqual(self.end(self.one(YES, "gen1")), 0)
        self.assertEqual(self.said, [])
        for less in ({"ready": 0}, {"updated": 0}, {"total": 2}, {"seen": 1}):
            self.assertEqual(self.end(self.one(YES, "gen1"), deployment(**less)), 1, less)
            self.assertIn("no verdict on gen1 after 100 s", self.said[0])

    def test_a_yes_of_a_pod_of_another_template_is_none(self):
        self.assertEqual(self.end(self.one(YES, "gen1"), pods=[pod(owner="rs1")]), 1)
        self.assertEqual(self.end(self.one(YES, "gen1"), pods=[pod(rollout="r0")]), 1)
        self.assertEqual(self.end(self.one(YES, "gen1"), pods=[pod(deletionTimestamp="now")]), 1)
        self.assertEqual(self.end(self.one({**YES, "generation": "gen0"}, "gen0")), 1)
        self.assertEqual(self.end(self.one(YES, "gen0")), 1)

    def test_an_object_that_somebody_else_wrote_since_is_no_yes(self):
        self.assertEqual(self.end(self.one(YES, "gen1"), deployment(generation=3, seen=3)), 1)
        self.assertIn("Deployment/chat was changed by somebody else", self.said[0])
        self.assertIn("up --refresh", self.said[0])
        self.assertEqual(self.end(self.one(YES, "gen1"), deployment(generation=3, seen=3), applied=""), 0)

    def test_a_no_is_78_and_says_what_serves_in_its_place(self):
        self.assertEqual(self.end(self.one({**NO, "back": "gen0"}, "gen0")), 78)
        self.assertIn("gen0 serves in its place", self.said[0])
        self.assertIn("greedy[0].answer: Rome", self.said[0])
        self.assertEqual(self.end(self.one({**NO, "back": "gen0"}, "gen1")), 78)
        self.assertIn("gen0 did not come back in time", self.said[0])
        self.assertEqual(self.end(self.one({**NO, "back": "gen0"}, "gen0"), pods=[pod(ready=False)]), 78)
        self.assertIn("gen0 did not come back in time", self.said[0])
        self.assertEqual(self.end(self.one(NO)), 78)
        self.assertIn("nothing serves in its place", self.said[0])
        self.assertEqual(self.end(self.one(NO), pods=[pod(), pod("chat-b", "rs1", address="10.0.0.6")]), 78)
        self.assertIn("what served before still does; the gate said no", self.said[0])

    def several(self, first, second):
        whole = {"metadata": {"uid": "d1", "generation": 2}, "spec": {"replicas": 2}}
        whole["status"] = {**deployment(updated=2, total=2, ready=2)["status"], "updateRevision": "h2"}
        labels = {"controller-revision-hash": "h2"}
        pods = [pod("chat-0", labels=labels), pod("chat-1", address="10.0.0.8", labels=labels)]
        boards = {"10.0.0.7": first, "10.0.0.8": second}
        return self.end(boards, whole, pods, ranks=2, kind="StatefulSet")

    def test_a_yes_of_several_ranks_needs_all_of_them_on_the_same_revision(self):
        self.assertEqual(self.several(self.board(YES, "gen1"), self.board(None, "gen1", 1)), 0)
        self.assertEqual(self.several(self.board(YES, "gen1"), self.board(None, "gen0", 1)), 1)
        self.assertEqual(self.several(self.board(YES, "gen1"), None), 1)
        for first, second in ((0, 0), (1, 1), (0, 2)):
            boards = [self.board(YES, "gen1", rank) for rank in (first, second)]
            self.assertEqual(self.several(*boards), 1, (first, second))
        back = {**NO, "back": "gen0"}
        self.assertEqual(self.several(self.board(back, "gen0"), self.board(None, "gen1", 1)), 78)
        self.assertIn("did not come back", self.said[0])
        self.assertEqual(self.several(self.board(back, "gen0"), self.board(None, "gen0", 1)), 78)
        self.assertIn("gen0 serves in its place", self.said[0])

    def test_no_pod_at_all_is_said(self):
        self.assertEqual(self.end({}, pods=[]), 1)
        self.assertIn("no pod has been made for it", self.said[0])


class Arrivals(unittest.TestCase):
    def end(self, condition=None, way=None):
        self.said = []
        conditions = [{"type": condition, "status": "True"}] if condition else []
        job = {"metadata": {"uid": "j1"}, "status": {"conditions": conditions}}
        with (
            mock.patch.object(arrival.cluster, "get", return_value=job),
            mock.patch.object(arrival.cluster, "items", return_value=[]),
            mock.patch.object(arrival.patience, "in_the_way", return_value=way),
            mock.patch.object(patience, "time", Clock()),
            mock.patch.object(arrival.termination, "tell", self.said.append),
            contextlib.redirect_stdout(io.StringIO()),
        ):
            return arrival.main(["--job", "tiny-fetch-1", "--seconds", "100"])

    def test_end_as_the_job_does(self):
        self.assertEqual(self.end("Complete"), 0)
        self.assertEqual(self.end("Failed", reasons.Reason("fetch: [Error] 401")), 1)
        self.assertEqual(self.said, ["fetch: [Error] 401"])

    def test_end_before_it_where_it_cannot_end_well(self):
        self.assertEqual(self.end(way=reasons.Reason("0/2 nodes", 40)), 1)
        self.assertEqual(self.said, ["0/2 nodes"])
        self.assertEqual(self.end(way=reasons.Reason("slow")), 1)
        self.assertEqual(self.said, ["tiny-fetch-1 did not end in 100 s: slow"])
