"""A pod's board, its sources, and pods as the cluster tells of them."""

import contextlib
import io
import json
import os
import signal
import urllib.request
from types import SimpleNamespace
from unittest import mock

from test.agent.support import Scratch

from sglang_agent import files, patches, serve, tree
from sglang_agent.answer import AgentError
from sglang_agent.pod import ask, revisions, stage, termination, verdict, watch
from sglang_agent.pod.board import Board


class Boards(Scratch):
    def setUp(self):
        super().setUp()
        self.board = Board()
        server = self.board.open(0)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.url = f"http://127.0.0.1:{server.server_address[1]}"

    def status(self, path):
        try:
            return urllib.request.urlopen(self.url + path, timeout=10).status
        except urllib.error.HTTPError as error:
            return error.code

    def test_says_ready_by_the_status_that_a_probe_goes_by(self):
        self.assertEqual(self.status("/ready"), 503)
        self.board.ready = lambda: True
        self.assertEqual((self.status("/ready"), ask.board(self.url + "/ready")), (200, {"ready": True}))

    def test_has_nothing_before_there_is_something(self):
        for path in ("/verdict", "/serving", "/", "/other"):
            self.assertEqual((self.status(path), ask.board(self.url + path)), (404, None))

    def test_tells_its_verdict_and_what_serves(self):
        self.board.verdict = {"verdict": "no", "reason": "Röm"}
        self.board.serving = "gen1"
        self.assertEqual(ask.board(self.url + "/verdict"), {"verdict": "no", "reason": "Röm"})
        self.assertEqual(ask.board(self.url + "/serving"), {"generation": "gen1"})

    def test_is_asked_directly_whatever_the_proxy(self):
        self.set(http_proxy="http://127.0.0.1:9", HTTP_PROXY="http://127.0.0.1:9")
        self.board.serving = "gen1"
        self.assertEqual(ask.board(self.url + "/serving"), {"generation": "gen1"})

    def test_where_nobody_answers_is_none(self):
        self.assertIsNone(ask.board("http://127.0.0.1:9/serving"))
        with mock.patch.object(ask.urllib.request, "build_opener") as opener:
            opener.return_value.open.return_value.__enter__.return_value.read.return_value = b"<html>"
            self.assertIsNone(ask.board(self.url))

    def test_of_a_pod_is_at_its_address_of_either_kind(self):
        for status, url in (
            ({"podIP": "10.0.0.7"}, "http://10.0.0.7:30080"),
            ({"podIP": "fd00::7"}, "http://[fd00::7]:30080"),
            ({}, "http://127.0.0.1:30080"),
        ):
            self.assertEqual(verdict._board({"status": status}, "30080"), url)


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


class Endings(Scratch):
    def setUp(self):
        super().setUp()
        self.message = self.folder / "message"
        self.message.write_text("of before")
        self.set(SGLANG_TERMINATION_FILE=str(self.message))

    def serve(self, *words):
        with contextlib.redirect_stdout(io.StringIO()) as self.out, mock.patch.object(serve.signal, "signal") as listen:
            self.listen = listen
            return serve.serve(list(words))

    def test_a_failure_is_1_and_told_in_the_termination_message(self):
        with mock.patch("sglang_agent.pod.stage.main", side_effect=AgentError("image", "no package")):
            self.assertEqual(self.serve("stage"), 1)
        self.assertEqual(self.message.read_text(), "no package")
        self.assertIn("no package", self.out.getvalue())

    def test_ends_as_what_it_does_ends(self):
        for status in (0, 78):
            with mock.patch("sglang_agent.pod.verdict.main", return_value=status) as main:
                self.assertEqual(self.serve("verdict", "--a", "b"), status)
            main.assert_called_once_with(["--a", "b"])

    def test_hears_the_signal_that_stops_a_container(self):
        with mock.patch("sglang_agent.pod.verdict.main", return_value=0):
            self.serve("verdict")
        [(number, handler)] = [call.args for call in self.listen.call_args_list]
        self.assertEqual(number, signal.SIGTERM)
        with self.assertRaises(SystemExit) as ended:
            handler(number, None)
        self.assertEqual(ended.exception.code, 143)

    def test_what_it_does_not_know_is_2(self):
        for words in ((), ("other",)):
            self.assertEqual(self.serve(*words), 2)
            self.assertIn("expected fetch, run, stage, verdict", self.out.getvalue())

    def test_a_message_that_cannot_be_written_is_still_in_the_log(self):
        self.set(SGLANG_TERMINATION_FILE=str(self.folder))
        with contextlib.redirect_stdout(io.StringIO()) as out:
            termination.tell("the end")
        self.assertIn("the end\ncannot write", out.getvalue())

    def test_only_the_last_twelve_lines_of_a_log_are_told(self):
        no = {
            "check": "death",
            "reason": "gone",
            "generation": "gen1",
            "evidence": {"log": [str(n) for n in range(20)]},
        }
        self.assertEqual(termination.refusal(no).split("\n")[1:], [str(n) for n in range(8, 20)])

    def test_long_evidence_is_cut(self):
        no = {"check": "x", "reason": "y", "generation": "gen1", "evidence": {"b": "x" * 900, "a": 1}}
        told = termination.refusal(no).split("\n", 1)[1]
        self.assertTrue(told.startswith('{"a": 1, "b": "xxx'))
        self.assertEqual(len(told), termination.EVIDENCE_LIMIT)


class Sources(Scratch):
    """The copy of the image's SGLang."""

    def setUp(self):
        super().setUp()
        self.image = self.folder / "site/sglang"
        for name in ("a.py", "sub/b.py", "__pycache__/a.pyc", "data.json"):
            files.write(self.image / name, name)
        self.build = self.folder / "build"

    def copy(self, version="0.5.17", folder="", release="0.5.17"):
        found = (str(self.image) if folder == "" else folder, version)
        with mock.patch.object(stage, "_installed", return_value=found):
            return stage._copy({"release": release, "patches": []}, self.build)

    def test_has_everything_but_what_python_compiled(self):
        package = self.copy()
        self.assertEqual([str(path) for path in files.walk_files(package)], ["a.py", "data.json", "sub/b.py"])
        self.assertEqual(package, self.build / "sglang")

    def test_is_made_anew_after_a_run_that_was_interrupted(self):
        files.write(self.build / "sglang/of-before.py", "x")
        self.assertFalse((self.copy() / "of-before.py").exists())

    def test_an_image_of_another_release_or_without_sglang_is_refused(self):
        with self.assertRaisesRegex(AgentError, "this image has SGLang 0.5.18, the build says 0.5.17"):
            self.copy("0.5.18")
        with self.assertRaisesRegex(AgentError, "has no package sglang"):
            self.copy(None, None)

    def test_of_a_commit_or_without_a_version_nothing_is_asked(self):
        self.copy("0.5.18", release="")
        self.copy(None)

    def judge(self, done):
        files.make_directory(self.folder / "run")
        with mock.patch.object(stage.subprocess, "run", return_value=done) as self.ran:
            stage._judge({"arguments": {"tp-size": 8}, "generation": "gen1"}, self.build, self.folder / "run")
        return files.read_json(self.folder / "run" / revisions.VERDICT)

    def test_arguments_are_judged_by_the_patched_parser(self):
        done = SimpleNamespace(returncode=0, stdout=b'[{"problems": []}]', stderr=b"")
        self.assertIsNone(self.judge(done))
        words, given = self.ran.call_args
        self.assertEqual(words[0][-3:], ["check", "--package", str(self.build)])
        self.assertEqual(json.loads(given["input"]), [["--tp-size", "8"]])

    def test_a_refusal_is_a_no_that_names_each_argument(self):
        problems = [{"argument": "--a", "message": "one"}, {"argument": "--b", "message": "two"}]
        done = SimpleNamespace(returncode=0, stdout=json.dumps([{"problems": problems}]).encode(), stderr=b"")
        found = self.judge(done)
        self.assertEqual((found["verdict"], found["generation"], found["passed"]), ("no", "gen1", 0))
        self.assertEqual(found["reason"], "the release's own parser refuses: --a: one; --b: two")

    def test_a_parser_that_does_not_run_is_a_failure_and_no_verdict(self):
        done = SimpleNamespace(returncode=1, stdout=b"", stderr=b"ImportError: x\n")
        with self.assertRaisesRegex(AgentError, "the parser of this image cannot be run: ImportError: x"):
            self.judge(done)
        self.assertFalse((self.folder / "run" / revisions.VERDICT).exists())


class Trees(Scratch):
    def test_a_digest_has_every_python_file_by_its_path_and_nothing_else(self):
        package = self.folder / "sglang"
        for name in ("a.py", "a/b.py"):
            files.write(package / name, "x")
        before = tree.python_digest(package)
        files.write(package / "data.json", "x")
        self.assertEqual(tree.python_digest(package), before)
        for name, text in (("a.py", "y"), ("c.py", ""), ("a/b.py", "y")):
            old = (package / name).read_text() if (package / name).exists() else None
            files.write(package / name, text)
            self.assertNotEqual(tree.python_digest(package), before, name)
            files.write(package / name, old) if old is not None else files.remove(package / name)
        self.assertEqual(tree.python_digest(package), before)

    def test_a_patched_file_keeps_its_mode_and_a_new_one_can_be_read(self):
        package = files.make_directory(self.folder / "sglang")
        files.write(package / "tool", "one\n", 0o755)
        text = "--- a/tool\n+++ b/tool\n@@ -1 +1 @@\n-one\n+two\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+new\n"
        digest = patches.hashlib.sha256(text.encode()).hexdigest()
        patch = {"name": "p", "text": text, "sha256": digest, "base": "site-packages", "stripLevel": 1}
        changed = patches.apply_all([patch], {"site-packages": package})
        self.assertEqual(changed, [package / "new", package / "tool"])
        self.assertEqual([os.stat(path).st_mode & 0o777 for path in changed], [0o644, 0o755])
        self.assertEqual((package / "tool").read_text(), "two\n")
