"""The CUDA toolkit and the compilers: FlashInfer, Triton and SGLang's own kernels compile while the server runs."""

from __future__ import annotations

import glob
import os
import re

from sglang_agent.tools import output_of, which


def cuda(wanted: str | None = None) -> dict[str, str] | None:
    """Path and version of the toolkit: the one of this version, else CUDA_HOME, the default link, the newest."""
    found = [toolkit for toolkit in map(_at, _candidates()) if toolkit]
    if wanted:
        return next((one for one in found if one["version"] == wanted or one["version"].startswith(wanted + ".")), None)
    return found[0] if found else None


def _candidates() -> list[str]:
    versioned = glob.glob("/usr/local/cuda-*")
    versioned.sort(key=lambda path: [int(part) for part in re.findall(r"\d+", path)], reverse=True)
    named = [os.environ.get("CUDA_HOME", ""), "/usr/local/cuda", *versioned]
    compiler = which("nvcc")
    if compiler:
        named.append(os.path.dirname(os.path.dirname(os.path.realpath(compiler))))
    return [path for path in dict.fromkeys(named) if path]


def _at(path: str) -> dict[str, str] | None:
    text = output_of([os.path.join(path, "bin/nvcc"), "--version"])
    found = re.search(r"release ([0-9.]+)", text or "")
    return {"path": os.path.realpath(path), "version": found.group(1)} if found else None


def compilers() -> dict[str, str]:
    """Version by name, of those that are there: gcc, g++, ninja."""
    found = {}
    for name, flag in (("g++", "-dumpfullversion"), ("gcc", "-dumpfullversion"), ("ninja", "--version")):
        version = (output_of([name, flag]) or "").strip()
        if version:
            found[name] = version
    return found
