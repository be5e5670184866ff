"""A parser-only build has no kernels: a server that calls itself a stand-in may serve from it, and nothing else."""

from __future__ import annotations

from sglang_agent import build
from sglang_agent.answer import AgentError
from sglang_agent.documents import BuildReceipt
from sglang_agent.layout import Layout
from sglang_agent.tools import output_of

_ASK = "import sglang; print(getattr(sglang, '__standin__', False) is True)"


def refuse_real_server(layout: Layout, digest: str, receipt: BuildReceipt) -> None:
    """AgentError `parser-only` for a build without dependencies that holds the real SGLang."""
    if receipt["dependencies"] != "parser-only":
        return
    said = output_of([build.python_of(layout, digest), "-I", "-c", _ASK])
    if (said or "").strip() != "True":
        raise AgentError(
            "parser-only",
            f"build {digest} has no dependencies (`dependencies: parser-only`): it can check arguments, not serve; "
            "build it with `dependencies: full`",
        )
