"""What a machine is, as a verdict keeps it."""

import unittest
from unittest import mock

from test.agent import support  # noqa: F401  (puts the agent on the path)

from sglang_agent import proved


class Machine(unittest.TestCase):
    def machine(self, cards, driver):
        with (
            mock.patch.object(proved.gpus, "cards", lambda: cards),
            mock.patch.object(proved.gpus, "driver", lambda: driver),
            mock.patch.object(proved.platform, "release", lambda: "6.8.0"),
        ):
            return proved.machine()

    def test_its_cards_by_product_its_driver_and_kernel(self):
        cards = [{"index": 0, "name": "RTX PRO 6000"}, {"index": 1, "name": "RTX 5090"}, {"index": 2}]
        expected = {"driver": "590.1", "gpus": ["RTX PRO 6000", "RTX 5090"], "kernel": "6.8.0"}
        self.assertEqual(self.machine(cards, "590.1"), expected)

    def test_one_without_a_driver(self):
        self.assertEqual(self.machine([], None), {"gpus": [], "kernel": "6.8.0"})
