"""A line of a container's log is out when it is said: what is held back is lost when the kubelet kills the process."""

import contextlib
import io

from test.agent.support import Scratch

from sglang_agent import files, hub_client, serve
from sglang_agent.pod import revisions, termination


class Log(io.StringIO):
    """What was said, and how much of it is out."""

    out = 0

    def flush(self):
        self.out = len(self.getvalue())


class SaidAtOnce(Scratch):
    @contextlib.contextmanager
    def said(self, expected):
        log = Log()
        with contextlib.redirect_stdout(log), contextlib.redirect_stderr(log):
            yield
        self.assertIn(expected, log.getvalue())
        self.assertEqual(log.out, len(log.getvalue()))

    def test_the_last_words(self):
        self.set(SGLANG_TERMINATION_FILE=str(self.folder / "message"))
        with self.said("the end\n"):
            termination.tell("the end")
        self.set(SGLANG_TERMINATION_FILE=str(self.folder))
        with self.said("cannot write"):
            termination.tell("the end")

    def test_which_revision_serves(self):
        no = {"check": "x", "reason": "y", "verdict": "no", "generation": "gen2"}
        model = self.folder / "model"
        for name in ("manifest.json", ".complete"):
            files.write_json(model / name, {"files": []})
        desired, good = (
            {"generation": generation, "image": "i", "build": "b", "model": {"path": str(model)}}
            for generation in ("gen2", "gen1")
        )
        with self.said("no way back from gen2, so it is tried again: no revision has passed"):
            revisions.choose(desired, no, None)
        with self.said("gen1 serves in place of gen2, which was refused"):
            revisions.choose(desired, no, good)

    def test_why_there_is_no_way_back(self):
        files.write_json(self.folder / "last-good.json", {"contract": 99})
        with self.said("no way back to the last good revision: "):
            self.assertIsNone(revisions.last_good(self.folder / "last-good.json"))

    def test_a_wrong_word(self):
        with self.said("got 'other'"):
            serve.serve(["other"])

    def test_a_download_that_is_tried_again(self):
        outcomes = [RuntimeError("lost"), "/f"]

        def snapshot_download(*words, **given):
            outcome = outcomes.pop(0)
            if isinstance(outcome, Exception):
                raise outcome
            return outcome

        self.put(hub_client.time, "sleep", lambda seconds: None)
        library = type("Library", (), {"snapshot_download": staticmethod(snapshot_download)})
        with self.said("RuntimeError: lost; trying again in 1 s"):
            self.set_module("huggingface_hub", library)
            hub_client.download({"repository": "r", "revision": "v", "folder": "f", "paths": [], "workers": 1})

    def set_module(self, name, module):
        hub_client.sys.modules[name] = module
        self.addCleanup(hub_client.sys.modules.pop, name)
