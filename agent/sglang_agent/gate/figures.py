"""The distance between two servers over the same prompts, token by token.

The same arithmetic as the program's own `oracle compare`; test/fixtures/oracle/distances.json holds both to it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Optional, cast

from sglang_agent.documents import Figures, OracleEntry

# Tokens in a row, looked at together: damage that begins at a place of a long prompt is in no mean of the whole.
STRETCH_TOKENS = 16
LEAST = 1e-9
MORE_IS_BETTER = ("topAgreement", "topOverlap")
WORDS = (
    ("promptMean", "the mean distance of prompt tokens"),
    ("promptTail", "the 95th percentile of prompt tokens"),
    ("promptStretch", "the mean distance of the worst 16 prompt tokens in a row"),
    ("promptLargest", "the largest distance of a prompt token"),
    ("answerMean", "the mean distance of answer tokens"),
    ("answerTail", "the 95th percentile of answer tokens"),
    ("answerLargest", "the largest distance of an answer token"),
    ("topMean", "the mean distance of the best tokens"),
    ("topAgreement", "the share of places with the same best token"),
    ("topOverlap", "the share of best tokens that both have"),
    ("topDivergence", "the divergence (KL) over the best tokens"),
)
Numbers = Sequence[Optional[float]]


class _Places:
    """What is collected of one prompt."""

    def __init__(self) -> None:
        self.prompt: list[float] = []
        self.answer: list[float] = []
        self.top: list[float] = []
        self.same: list[float] = []
        self.overlap: list[float] = []
        self.divergence: list[float] = []


def distance(reference: list[OracleEntry], other: list[OracleEntry]) -> Figures:
    """How far `other` is from `reference`; entries are of the same prompts in the same order, every number is one."""
    places = [_places(ours, theirs) for ours, theirs in zip(reference, other)]
    prompt = [value for one in places for value in one.prompt]
    answer = [value for one in places for value in one.answer]
    return {
        "promptMean": _mean(prompt),
        "promptTail": _tail(prompt),
        "promptStretch": max([_stretch(one.prompt) for one in places], default=0.0),
        "promptLargest": max(prompt, default=0.0),
        "answerMean": _mean(answer),
        "answerTail": _tail(answer),
        "answerLargest": max(answer, default=0.0),
        "topMean": _mean([value for one in places for value in one.top]),
        "topAgreement": _mean([value for one in places for value in one.same], 1.0),
        "topOverlap": _mean([value for one in places for value in one.overlap], 1.0),
        "topDivergence": _mean([value for one in places for value in one.divergence]),
    }


def _places(reference: OracleEntry, other: OracleEntry) -> _Places:
    """An answer is comparable up to the first place where the two say something else, and with it."""
    found = _Places()
    # one that was asked for its answer alone has no numbers of its prompt
    for ours, theirs in list(zip(reference["logprobs"], other["logprobs"]))[1:]:
        found.prompt.append(_apart(ours, theirs))
    for place, (our, their) in enumerate(zip(reference["answerIds"], other["answerIds"])):
        ranks, others = _ranked(reference, place), _ranked(other, place)
        found.same.append(1.0 if our == their else 0.0)
        if our == their:
            found.answer.append(_apart(reference["answerLogprobs"][place], other["answerLogprobs"][place]))
        both = [token for token in ranks if token in others]
        most = min(len(ranks), len(others))
        if most:
            found.overlap.append(len(both) / most)
            found.top.append(_mean([abs(ranks[token] - others[token]) for token in both]))
            found.divergence.append(_divergence(both, ranks, others))
        if our != their:
            break
    return found


def _apart(ours: float | None, theirs: float | None) -> float:
    return abs(cast(float, ours) - cast(float, theirs))


def _ranked(entry: OracleEntry, place: int) -> dict[int, float]:
    if place >= len(entry["topIds"]):
        return {}
    return {token: cast(float, value) for token, value in zip(entry["topIds"][place], entry["topLogprobs"][place])}


def _divergence(both: list[int], ours: dict[int, float], theirs: dict[int, float]) -> float:
    """Over the tokens that both have, and the rest as one more."""
    total, our_rest, their_rest = 0.0, 1.0, 1.0
    for token in both:
        p, q = math.exp(ours[token]), math.exp(theirs[token])
        total += p * (ours[token] - theirs[token])
        our_rest -= p
        their_rest -= q
    rest = max(LEAST, our_rest)
    return max(0.0, total + rest * math.log(rest / max(LEAST, their_rest)))


def _mean(values: list[float], of_none: float = 0.0) -> float:
    return sum(values) / len(values) if values else of_none


def _tail(values: list[float]) -> float:
    return sorted(values)[math.floor(len(values) * 0.95)] if values else 0.0


def _stretch(values: list[float]) -> float:
    """The largest mean of tokens in a row; a shorter end counts as if the others were right."""
    starts = range(0, len(values), STRETCH_TOKENS)
    return max([sum(values[at : at + STRETCH_TOKENS]) / STRETCH_TOKENS for at in starts], default=0.0)


def beyond(figures: Figures, limits: Figures) -> str | None:
    """What is farthest beyond its limit, in words; None when nothing is."""
    worst, told = 1.0, None
    for name, words in WORDS:
        value, limit = cast("dict[str, float]", figures)[name], cast("dict[str, float]", limits)[name]
        more = name in MORE_IS_BETTER
        share = (1 - value if more else value) / max(1 - limit if more else limit, 1e-12)
        if share > worst:
            worst, told = share, f"{words} is {value:.4g}, at {'least' if more else 'most'} {limit:.4g} is sound"
    return told


def gap(entries: list[OracleEntry]) -> str | None:
    """The first place without a number, or with one that no logarithm of a probability can be."""
    for index, entry in enumerate(entries):
        rows: list[tuple[str, int, Numbers]] = [
            ("of the prompt", 1, entry["logprobs"][1:]),
            ("of the answer", 0, entry["answerLogprobs"]),
            ("among the best tokens", 0, [value for place in entry["topLogprobs"] for value in place]),
        ]
        for what, first, values in rows:
            for place, value in enumerate(values, first):
                if value is None or not math.isfinite(value) or value > 1e-3:
                    return f"log-probability {place} {what} {index} is {'no number' if value is None else value}"
        if not entry["answerIds"]:
            return f"prompt {index} has no answer"
    return None


def tokens_differ(ours: list[OracleEntry], theirs: list[OracleEntry]) -> str | None:
    """Where the token ids of the same prompts part."""
    for index, (one, other) in enumerate(zip(ours, theirs)):
        if one["ids"] != other["ids"]:
            pairs = zip(one["ids"], other["ids"])
            shorter = min(len(one["ids"]), len(other["ids"]))
            place = next((at for at, (a, b) in enumerate(pairs) if a != b), shorter)
            return f"token ids differ at place {place} of prompt {index} ({one['name'][:60]!r})"
    return None


def rounded(found: Figures) -> Figures:
    """With the digits that say something."""
    return cast(Figures, {name: float(f"{value:.4g}") for name, value in cast("dict[str, float]", found).items()})
