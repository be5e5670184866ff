"""What a bad generation, a killed run and two runs at once leave: what served before serves again."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

from test.agent.serving import Service


class ActivateFaults(Service):
    def test_each_fault_brings_the_old_generation_back(self):
        self.succeed("activate", self.service())
        expected = {
            "nan-weights": "greedy[0].numbers: ",
            "bang": "greedy[0].numbers: all 32 token ids are 3",
            "garbage-under-load": "concurrent[",
            "crash-in-decode": "death: the server was up and is gone after greedy[0].numbers",
            "die-at-start": "start: the server ended before it was up",
            "wrong-answer": "greedy[0].answer: expected '42' in the answer",
            "empty": "greedy[0].answer: the answer is",
            "nan-marker": "the server reports 'NaN happened'",
        }
        for number, (fault, reason) in enumerate(expected.items()):
            with self.subTest(fault):
                error = self.fail_with("gate-failed", "activate", self.service(f"ffff000{number}", fault))
                self.assertIn(f"generation ffff000{number} of chat failed and is stopped", error["message"])
                self.assertIn("the previous generation aaaa0001 serves again and has passed its gate", error["message"])
                self.assertIn(reason, error["message"])
                self.assertLessEqual(len(json.dumps(error["evidence"])), 4096)
                self.assertTrue(self.answers())
                self.assertEqual(self.serving(), "aaaa0001")
        before = self.starts()
        self.assertFalse(self.succeed("activate", self.service())["changed"])
        self.assertEqual(self.starts(), before)
        self.succeed("activate", self.service("aaaa0002"))
        self.assertEqual((self.serving(), self.starts()), ("aaaa0002", before + 1))

    def test_never_ready_is_a_no_when_its_budget_ends(self):
        self.succeed("activate", self.service())
        error = self.fail_with(
            "gate-failed", "activate", self.service("ffff0001", "never-ready", startupBudgetSeconds=2)
        )
        self.assertIn("not up within the startup budget of 2 s", error["message"])
        self.assertTrue(self.answers())

    def test_slow_is_not_yet(self):
        self.succeed("activate", self.service(fault="slow-load:4"))

    def test_a_first_deployment_that_fails_is_stopped_and_can_be_retried(self):
        error = self.fail_with("gate-failed", "activate", self.service(fault="bang"))
        self.assertIn("there is none before it to go back to", error["message"])
        self.assertFalse(self.answers())
        status = self.status()
        self.assertEqual((status["active"], status["enabled"], status["verdict"]["verdict"]), (False, False, "no"))
        self.succeed("activate", self.service("aaaa0002"))
        self.assertTrue(self.answers())

    def test_a_run_killed_in_the_middle_is_made_good_by_the_next(self):
        self.succeed("activate", self.service())
        for generation, fault, healed in (("aaaa0002", "slow-load:3", True), ("ffff0003", "bang", False)):
            with self.subTest(generation):
                started = self.starts()
                client = subprocess.Popen(
                    [sys.executable, "-I", str(self.program), "activate"],
                    stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment,
                )  # fmt: skip
                client.stdin.write(json.dumps(self.sent(self.service(generation, fault))).encode())
                client.stdin.close()
                while self.starts() == started:
                    time.sleep(0.02)
                client.kill()
                client.wait()
                job = json.loads((self.system / "standin-systemd/sglang-job-activate-chat.service").read_text())["pid"]
                os.kill(job, signal.SIGKILL)
                if healed:
                    self.succeed("activate", self.service(generation, fault))
                    self.assertEqual(self.serving(), generation)
                else:
                    self.fail_with("gate-failed", "activate", self.service(generation, fault))
                    self.assertEqual(self.serving(), "aaaa0002")
                self.assertTrue(self.answers())
                self.assertFalse(self.status()["switching"])

    def test_a_lost_session_does_not_end_the_job_and_the_next_one_attaches(self):
        slow = self.service(fault="slow-load:3")
        client = subprocess.Popen(
            [sys.executable, "-I", str(self.program), "activate"],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment,
        )  # fmt: skip
        client.stdin.write(json.dumps(self.sent(slow)).encode())
        client.stdin.close()
        while self.starts() == 0:
            time.sleep(0.02)
        client.kill()
        client.wait()
        self.succeed("activate", slow)
        self.assertEqual(self.starts(), 1)

    def test_two_runs_at_once_start_it_once(self):
        outcomes = []
        runs = [
            threading.Thread(target=lambda: outcomes.append(self.run_agent("activate", self.service())[0]))
            for _ in range(2)
        ]
        for run in runs:
            run.start()
        for run in runs:
            run.join()
        self.assertEqual((outcomes, self.starts()), ([0, 0], 1))
