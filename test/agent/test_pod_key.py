"""The API key of a pod: read from the file that is mounted, and given to the server and to whoever asks it."""

import unittest

from test.agent import test_pod_run

from sglang_agent.answer import AgentError


class Key(unittest.TestCase):
    setUp, revision, pod, serve = (
        getattr(test_pod_run.Container, name) for name in ("setUp", "revision", "pod", "serve")
    )

    def key(self, **more):
        self.serve(self.pod(**more), test_pod_run.YES)
        return self.server.call_args.args[2]

    def test_is_the_text_of_its_file(self):
        (self.folder / "key").write_text("secret-key\n")
        self.assertEqual(self.key(apiKeyFile=str(self.folder / "key")), "secret-key")

    def test_is_none_where_there_is_no_file(self):
        self.assertIsNone(self.key())

    def test_a_file_that_is_not_there_is_told(self):
        with self.assertRaisesRegex(AgentError, "the file of the API key is not there"):
            self.key(apiKeyFile=str(self.folder / "none"))
