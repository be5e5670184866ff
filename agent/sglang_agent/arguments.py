"""A service's arguments: as an argument list, and as the build's own parser judges them."""

from __future__ import annotations

import difflib
import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Union

from sglang_agent import archive, build
from sglang_agent.answer import AgentError
from sglang_agent.documents import BuildReceipt, CheckArgumentsAnswer, Service
from sglang_agent.layout import Layout
from sglang_agent.tools import base_environment

Arguments = dict[str, Union[str, float, bool, list[Union[str, float]]]]

MODULE = "sglang.launch_server"
PARSER_SECONDS = 600


def as_list(arguments: Arguments) -> list[str]:
    """`{"tp-size": 8, "trust-remote-code": true}` as `--tp-size 8 --trust-remote-code`, in the order of the names.

    `true` is a bare flag; `false` leaves it out; a list becomes several values.
    """
    words: list[str] = []
    for name in sorted(arguments):
        value = arguments[name]
        if value is False:
            continue
        if not isinstance(value, (list, bool)) and str(value).startswith("-"):
            words.append(f"--{name}={value}")  # argparse takes a word that begins with a dash for an option
            continue
        words.append(f"--{name}")
        if value is not True:
            words += [str(item) for item in (value if isinstance(value, list) else [value])]
    return words


def check(desired: Service) -> CheckArgumentsAnswer:
    """Raises AgentError `arguments` with each argument that the build's parser refuses."""
    layout = Layout(desired["root"])
    receipt = build.receipt_of(layout, desired["build"])
    words = as_list(desired["arguments"])
    answer = ask(layout, desired["build"], receipt, "check", json.dumps([words]))[0]
    problems = list(answer["problems"])
    if any(word == "--api-key" or word.startswith("--api-key=") for word in words):
        problems.append({"argument": "--api-key", "message": "a key is never an argument: give its file as apiKeyFile"})
    if not problems:
        return {"accepted": len(words)}
    options = ask(layout, desired["build"], receipt, "options", "")["options"]
    known = [name for option in options for name in option["names"]]
    # Of an option that is not known the parser names the value too.
    strays = {
        word
        for name in desired["arguments"]
        if f"--{name}" not in known
        for word in as_list({name: desired["arguments"][name]})[1:]
    }
    problems = [problem for problem in problems if problem["argument"] not in strays]
    raise AgentError(
        "arguments",
        f"SGLang {receipt['release']} of build {desired['build']} refuses these arguments; nothing was stopped:\n  "
        + "\n  ".join(_line(problem, known) for problem in problems),
        evidence={"problems": problems},
    )


def _line(problem: dict[str, Any], known: list[str]) -> str:
    argument = str(problem.get("argument") or "")
    flag = argument.split("=")[0].split(" ")[0]
    near = difflib.get_close_matches(flag, known, 1, 0.6) if flag.startswith("--") and flag not in known else []
    return f"{argument}: {problem['message']}" + (f"; the nearest option of this release is {near[0]}" if near else "")


def ask(layout: Layout, digest: str, receipt: BuildReceipt, mode: str, stdin: str) -> Any:
    """Run the parser harness with the build's own Python; real imports, and stubs only in a parser-only build."""
    command = [build.python_of(layout, digest), "-I"]
    options = (
        ["--package", str(Path(receipt["package"]).parent), "--stubs"]
        if receipt["dependencies"] == "parser-only"
        else []
    )
    with tempfile.TemporaryDirectory(dir=layout.root) as folder:
        harness = Path(folder, "parser_harness.py")
        harness.write_text(archive.resource(harness.name), "utf-8")
        try:
            done = subprocess.run(
                [*command, str(harness), mode, *options],
                capture_output=True,
                check=False,
                cwd=folder,
                env=base_environment(),
                input=stdin.encode(),
                timeout=PARSER_SECONDS,
            )
        except subprocess.TimeoutExpired:
            raise AgentError("parser", f"the parser of build {digest} gave no answer in {PARSER_SECONDS} s") from None
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip()[-800:]
        raise AgentError("parser", f"the parser of build {digest} cannot be run: {said}")
    return json.loads(done.stdout)
