"""What the agent finds wrong with documents: `[[kind, document], …]` on stdin, a list of messages (or null) out."""

import json
import sys

from sglang_agent import contract
from sglang_agent.answer import AgentError


def wrong(kind, document):
    try:
        contract.sent(kind, document, kind)
    except AgentError as error:
        return error.message
    return None


print(json.dumps([wrong(kind, document) for kind, document in json.load(sys.stdin)]))
