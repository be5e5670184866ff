"""The faults of the stand-in, switched on by the environment, by a file, or by one argument's value.

`STANDIN_FAULT=bang` has the fault always; `STANDIN_FAULT_WHEN=fp4-gemm-backend=flashinfer_cutlass:bang;…` only with
that argument. The same lines may stand in the file `STANDIN_FILE` (default `/etc/standin-sglang.env`), for a server
whose environment is written by somebody else. The environment wins.
"""

import os
import sys

NAMES = (
    "nan-weights",
    "bang",
    "nan-marker",
    "garbage-under-load",
    "slow-load",
    "crash-in-decode",
    "never-ready",
    "die-at-start",
    "wrong-answer",
    "no-tool-call",
    "empty",
    "noise",
    "wrong-in-batch",
    "wrong-when-long",
    "wrong-on-prefix-hit",
    "empty-content",
    "slow-when-cold",
)


def settings():
    """Every `STANDIN_…` value that holds, from the file and the environment."""
    found = {}
    path = os.environ.get("STANDIN_FILE", "/etc/standin-sglang.env")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                name, equals, value = line.strip().partition("=")
                if equals and name.startswith("STANDIN_"):
                    found[name] = value
    found.update({name: value for name, value in os.environ.items() if name.startswith("STANDIN_")})
    return found


def active(server_args, found):
    """The fault in force as `(name, parameter)`, or `(None, "")`."""
    wanted = found.get("STANDIN_FAULT", "")
    for rule in filter(None, found.get("STANDIN_FAULT_WHEN", "").split(";")):
        condition, _, fault = rule.strip().partition(":")
        option, _, value = condition.partition("=")
        if value.strip().lower() in given(server_args, option.strip()):
            wanted = fault
    name, _, parameter = wanted.strip().partition(":")
    if name and name not in NAMES:
        raise SystemExit("stand-in: no fault is called %r; there are: %s" % (name, ", ".join(NAMES)))
    return name or None, parameter


def given(server_args, option):
    """The values of an option, by its attribute or as it stands on the command line: the two may have other names."""
    found = [getattr(server_args, option.replace("-", "_"), None)]
    for at, word in enumerate(sys.argv[:-1]):
        if word == "--" + option:
            found.append(sys.argv[at + 1])
    return {str(one).lower() for one in found}
