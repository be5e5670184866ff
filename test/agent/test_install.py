"""Whether a host is the one that was recorded: card by card, what is known of each."""

from unittest import mock

from test.agent.support import Scratch

from sglang_agent import install, receipts
from sglang_agent.answer import AgentError

CARD = {"index": 0, "name": "NVIDIA RTX PRO 6000", "computeCapability": "12.0", "memoryMiB": 97887}


class Install(Scratch):
    def differences(self, expect, cards=(CARD,), driver="595.58"):
        with (
            mock.patch.object(install.gpus, "cards", return_value=list(cards)),
            mock.patch.object(install.gpus, "driver", return_value=driver),
        ):
            return install.differences(expect)

    def test_the_same_host_differs_in_nothing(self):
        self.assertEqual(self.differences({"driver": "595.58", "gpus": [CARD]}), [])
        self.assertEqual(self.differences({}), [])
        self.assertEqual(self.differences({"gpus": [{"index": 0}]}), [])

    def test_more_cards_than_recorded_are_no_difference(self):
        self.assertEqual(self.differences({"gpus": [CARD]}, cards=[CARD, {**CARD, "index": 1}]), [])

    def test_each_field_that_differs_is_told(self):
        for field, other in (("name", "RTX 5090"), ("computeCapability", "12.1"), ("memoryMiB", 32607)):
            told = self.differences({"gpus": [{**CARD, field: other}]})
            self.assertEqual(told, [f"GPU 0: {field}: recorded {other}, the host has {CARD[field]}"])

    def test_a_card_and_a_driver_that_are_missing_are_told(self):
        told = self.differences({"driver": "595.58", "gpus": [CARD, {"index": 1}]}, cards=[], driver=None)
        self.assertEqual(
            told,
            [
                "driver: recorded 595.58, the host has none",
                "GPU 0: recorded NVIDIA RTX PRO 6000, the host has none of this index",
                "GPU 1: recorded a card, the host has none of this index",
            ],
        )

    def test_cards_are_asked_for_only_where_some_are_recorded(self):
        with mock.patch.object(install.gpus, "cards") as cards:
            install.differences({})
        cards.assert_not_called()

    def test_another_host_is_claimed_and_not_settled_so_that_it_can_be_removed(self):
        wanted = {**self.slot(root=str(self.layout.root)), "name": "rack1", "expect": {"driver": "1.0"}}
        with mock.patch.object(install.gpus, "driver", return_value="2.0"):
            with self.assertRaisesRegex(AgentError, "is not the one whose facts") as told:
                install.install(wanted)
            self.assertEqual(told.exception.code, "facts")
            self.assertIsNotNone(receipts.owned(self.layout, "agent", wanted))
            self.assertFalse(receipts.settled(self.layout, "agent", wanted))
        with mock.patch.object(install.gpus, "driver", return_value="1.0"):
            self.assertEqual(install.install(wanted), {"installed": "gen1"})
        self.assertTrue(receipts.settled(self.layout, "agent", wanted))
