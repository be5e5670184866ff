"""A card as SGLang's code asks for it: the functions and the platform object of every release, for one capability."""

import logging
from types import SimpleNamespace as Given

CARDS = (9, 10, 12)
logging.disable()


class Environment:
    """SGLang's registry of environment variables, none of them set."""

    def __getattr__(self, name):
        return Given(get=lambda: False)


def torch_with(card):
    """Stand-in for torch with one kind of card."""
    cuda = Given(get_device_capability=lambda *device: (card, 0), set_device=lambda device: None)
    return Given(cuda=cuda, device=lambda name: name, bfloat16=Given(itemsize=2))


def asked(card):
    """What a function may call to learn of the card, by every name that a release has for it."""
    platform = Given(
        is_sm90=card == 9, is_sm100=card == 10, is_sm110=False, is_sm120=card == 12, is_blackwell=card in (10, 12),
        is_hip=False, is_npu=False, is_xpu=False, is_cuda=True,
    )  # fmt: skip
    no = lambda *_: False  # noqa: E731
    return {
        "get_platform": lambda: platform,
        "is_sm90_supported": lambda: card == 9,
        "is_sm100_supported": lambda: card == 10,
        "is_sm120_supported": lambda: card == 12,
        "is_blackwell_supported": lambda: card in (10, 12),
        "is_cuda": lambda: True,
        "is_flashinfer_available": lambda: True,
        "get_device_sm": lambda: card * 10,
        "get_device_capability": lambda *device: (card, 0),
        "is_gfx95_supported": no, "is_hip": no, "is_npu": no, "is_xpu": no,
        "_is_hip": False, "_is_npu": False, "get_bool_env_var": no, "envs": Environment(),
        "logger": logging.getLogger("sglang"),
    }  # fmt: skip


def answer(probe):
    """What the code says, or the error by which it refuses."""
    try:
        return probe()
    except (ValueError, KeyError, RuntimeError, AssertionError) as error:
        return f"{type(error).__name__}: {error}"
