"""The agent on its host: recorded as installed, and the host compared with the facts of the plan."""

from __future__ import annotations

from sglang_agent import gpus, receipts
from sglang_agent.answer import AgentError
from sglang_agent.documents import Expected, Install, InstallAnswer
from sglang_agent.layout import Layout


def install(desired: Install) -> InstallAnswer:
    """Claim the archive, so that the last stack to go takes it along; raises AgentError `facts` for another machine."""
    layout = Layout(desired["root"])
    receipts.claim(layout, "agent", desired)
    problems = differences(desired.get("expect") or {})
    if problems:
        raise AgentError(
            "facts",
            "this host is not the one whose facts the stack has recorded (record them again with `pulumi-sglang "
            "facts`, or correct the address):\n  " + "\n  ".join(problems),
        )
    receipts.settle(layout, "agent", desired)
    return {"installed": desired["generation"]}


def differences(expect: Expected) -> list[str]:
    """What of the expected driver and cards is otherwise here."""
    problems = []
    if expect.get("driver"):
        have = gpus.driver()
        if have != expect["driver"]:
            problems.append(f"driver: recorded {expect['driver']}, the host has {have or 'none'}")
    cards = {card.get("index"): card for card in gpus.cards()} if expect.get("gpus") else {}
    for card in expect.get("gpus") or []:
        have_card = cards.get(card["index"])
        if have_card is None:
            problems.append(
                f"GPU {card['index']}: recorded {card.get('name') or 'a card'}, the host has none of this index"
            )
            continue
        for field in ("name", "computeCapability", "memoryMiB"):
            if card.get(field) is not None and card[field] != have_card.get(field):
                problems.append(
                    f"GPU {card['index']}: {field}: recorded {card[field]}, the host has {have_card.get(field)}"
                )
    return problems
