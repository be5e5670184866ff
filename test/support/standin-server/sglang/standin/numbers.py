"""Log-probabilities by token id: the same for the same tokens, but for what a fault changes."""

import zlib

NOISE = 0.27
"""Width of `noise`: its mean distance is that of a real model with 5 % noise in its weights."""

SEEN_TOKENS = 8
"""So many tokens before one decide its log-probability."""

SECOND_BEST = -3.0
"""Log-probability below which the other tokens of a place stand."""


def share(*values):
    """A steady number from 0 to 1."""
    return zlib.crc32(repr(values).encode()) % 100003 / 100003


def token_after(ids):
    """The greedy next token."""
    return 10 + zlib.crc32(repr(ids[-SEEN_TOKENS:]).encode()) % 150000


class Numbers:
    """One request's: `prompt` and `answer` as rows of `[log-probability, token id, None]`, the best of each place."""

    def __init__(self, ids, limit, top, noise=0.0, garbage=0, nan=False):
        self.noise, self.garbage, self.nan = noise, garbage, nan
        ids = list(ids)
        self.prompt = [[self.spoiled(-0.05 - 4 * share(ids[max(0, at - SEEN_TOKENS) : at + 1]), ids, at), token, None]
                       for at, token in enumerate(ids)]  # fmt: skip
        if self.prompt:
            self.prompt[0][0] = None
        self.answer, self.best = [], []
        for _ in range(limit):
            token = token_after(ids + [garbage] if garbage else ids)
            ids.append(token)
            value = self.spoiled(-0.02 - 0.1 * share(ids[-SEEN_TOKENS:]), ids, len(ids))
            self.answer.append([value, token, None])
            others = [[self.spoiled(SECOND_BEST - rank, ids, rank), token + rank, None] for rank in range(1, top)]
            self.best.append([[value, token, None], *others] if top else [])

    def spoiled(self, value, ids, place):
        """The number as the fault leaves it."""
        if self.nan:
            return None
        if self.garbage:
            return value - 6 * share(self.garbage, ids[-3:], place)
        return min(-1e-4, value + self.noise * (share("noise", ids[max(0, place - 2) : place + 1], place) - 0.5))
