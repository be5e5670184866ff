"""Whether anybody still waits for an answer: a session may be cut off while its verb goes on."""

import os
import unittest
from unittest import mock

from test.agent import support  # noqa: F401

from sglang_agent import answer


class Heard(unittest.TestCase):
    def heard(self, write):
        with mock.patch.object(answer.sys, "stdout", os.fdopen(write, "w")) as stdout:
            self.addCleanup(stdout.close)
            return answer.heard()

    def test_while_the_other_end_is_open(self):
        read, write = os.pipe()
        self.addCleanup(os.close, read)
        self.assertTrue(self.heard(write))

    def test_not_when_the_other_end_has_gone(self):
        read, write = os.pipe()
        os.close(read)
        self.assertFalse(self.heard(write))
