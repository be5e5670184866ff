"""Log-probabilities from /generate: what is asked, and what an answer says, as an entry of an oracle."""

from __future__ import annotations

from typing import Any

from sglang_agent.documents import OracleEntry
from sglang_agent.gate import checks
from sglang_agent.gate.no import No
from sglang_agent.gate.questions import GENERATE, Question

ANSWER_TOKENS = 16
BEST = 5


def question(check: str, prompt: str | list[int], answer_tokens: int, whole: bool = True) -> Question:
    """`whole`: of the prompt's tokens too. SGLang then computes all of it; without, it takes what its cache has."""
    body: dict[str, Any] = {
        "return_logprob": True,
        "sampling_params": {"max_new_tokens": answer_tokens, "temperature": 0},
        "top_logprobs_num": BEST,
    }
    body["text" if isinstance(prompt, str) else "input_ids"] = prompt
    if whole:
        body["logprob_start_len"] = 0
    return Question(check, GENERATE, body, (checks.nan_marker,))


def entry(asked: Question, document: Any, name: str, whole: bool = True) -> OracleEntry:
    """Raises No for an answer without log-probabilities."""
    meta = document.get("meta_info") if isinstance(document, dict) else None
    meta = meta if isinstance(meta, dict) else {}
    prompt = _rows(meta.get("input_token_logprobs")) if whole else []
    answer = _rows(meta.get("output_token_logprobs"))
    best = [_rows(row) for row in meta.get("output_top_logprobs") or []]
    if prompt is None or answer is None or (whole and not prompt) or None in best:
        raise No(asked.check, "the answer has no log-probabilities of its tokens")
    return {
        "name": name,
        "kind": "text",
        "ids": [token for _, token in prompt],
        "logprobs": [value for value, _ in prompt],
        "answerIds": [token for _, token in answer],
        "answerLogprobs": [value for value, _ in answer],
        "topIds": [[token for _, token in row] for row in best if row is not None],
        "topLogprobs": [[value for value, _ in row] for row in best if row is not None],
    }


def _rows(found: Any) -> list[tuple[float | None, int]] | None:
    """Rows of `[log-probability, token id, …]`; None for anything else."""
    if not isinstance(found, list):
        return None
    rows: list[tuple[float | None, int]] = []
    for row in found:
        if not isinstance(row, list) or len(row) < 2 or not isinstance(row[1], int):
            return None
        value = row[0] if isinstance(row[0], (int, float)) and not isinstance(row[0], bool) else None
        rows.append((value, row[1]))
    return rows
