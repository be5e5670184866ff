"""What a service is to be, written down before anything is done for it."""

from __future__ import annotations

import secrets

from sglang_agent import claims, foreign, locks, prepared, receipts
from sglang_agent.answer import AgentError
from sglang_agent.documents import Intend, IntendAnswer
from sglang_agent.layout import Layout


def intend(desired: Intend) -> IntendAnswer:
    """Claim the service for the generation that is to serve; touches nothing that does.

    The answer is another one each time. The engine hands it to `activate`, which so runs after every intent that was
    answered, also where the engine's state knows of no change: that of an `activate` that was cut off is the old one.
    The receipt has the generation from here on, so that the intent can be taken back whatever became of `activate`.
    """
    layout = Layout(desired["root"])
    with locks.held(layout, f"service-{desired['name']}"):
        part = prepared.part(desired)
        problem = foreign.problem(layout, desired["name"], bool(part.get("adopt")))
        if problem:
            raise AgentError("foreign-unit", problem)
        taken = receipts.taken_by_another(layout, "service", desired)
        if taken:
            raise AgentError("owned-by-another", taken)
        claims.take(layout, desired["name"], desired["owner"], desired["generation"], part)
        receipts.claim(layout, "service", desired, secrets=[part.get("apiKeyFile")])
    return {"attempt": secrets.token_hex(6)}
