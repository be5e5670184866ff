"""Runs SGLang's own argument parser, to list its options or to check arguments, without a GPU.

Usage, with any Python that can import what the parser needs (one JSON document on standard output):

    python -I parser_harness.py options [--package DIR] [--stubs]
    python -I parser_harness.py check   [--package DIR] [--stubs] < arguments.json

DIR holds an unpacked ``sglang`` package; without it the installed one is used. ``options`` prints
``{"version", "options": [...]}``. ``check`` reads a list of argument lists and prints a list of results in the same
order, ``{"ok", "problems": [{"argument", "message"}]}``; abbreviations are off, so a shortened option is unknown.

By default every import is real. ``--stubs`` is for a place that has SGLang's Python files and little else: then only
``sglang`` itself, the standard library, packaging, pydantic and msgspec are real. Everything else is answered by an
inert stand-in, except modules of other platforms, which are missing as they are on an NVIDIA host. A stand-in that
reaches an option's names, choices, default or type ends the run with exit status 3: it is never read as an answer.
"""

from __future__ import annotations

import argparse
import enum
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import io
import json
import math
import os
import re
import sys
import sysconfig
import types
from collections.abc import Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, NoReturn

_REAL = {
    "sglang", "packaging", "msgspec", "pydantic", "pydantic_core", "annotated_types", "typing_extensions",
    "typing_inspection",
}  # fmt: skip
_OTHER_PLATFORMS = {
    "aiter", "habana_frameworks", "intel_extension_for_pytorch", "mlx", "mlx_lm", "mooncake", "sgl_kernel_npu",
    "torch_musa", "torch_npu", "torch_xla", "torchada", "vllm",
}  # fmt: skip

# what code asks for while it is imported, as an NVIDIA host answers it
_ABSENT = {"torch.hpu", "torch.mlu", "torch.musa", "torch.npu"}
_KNOWN = {
    "dill.dumps().hex()": "00",
    "torch.cuda.get_device_capability()": (12, 0),
    "torch.distributed.ReduceOp.SUM": 0,
    "triton.runtime.driver.active.get_current_target().backend": "cuda",
}

_STANDARD_LIBRARY = [
    folder
    for path in (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"))
    for folder in (path, os.path.join(path, "lib-dynload"))
]


class HarnessError(Exception):
    """The parser could not be run, or its answer cannot be trusted."""


def _stub(name: str) -> Any:
    if name in _ABSENT or name.rpartition(".")[2].startswith("__"):
        raise AttributeError(name)
    return _KNOWN[name] if name in _KNOWN else Stub(name)


class _StubBase:
    """Base of the classes whose real base is a stub."""

    def __init_subclass__(cls, **kwargs: object) -> None:
        pass

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> dict[str, str]:
        return {"type": "any"}


class Stub:
    """Stands in for anything of a package that is not there: inert, false, and recognisable."""

    _stub_name: str

    def __init__(self, name: str) -> None:
        self.__dict__["_stub_name"] = name

    def __getattr__(self, name: str) -> Any:
        return _stub(self._stub_name + "." + name)

    def __setattr__(self, name: str, value: object) -> None:
        pass

    def __call__(self, *args: object, **kwargs: object) -> Any:
        if len(args) == 1 and not kwargs and isinstance(args[0], types.FunctionType):
            return args[0]  # used as a decorator
        return _stub(self._stub_name + "()")

    def __mro_entries__(self, bases: tuple[object, ...]) -> tuple[type, ...]:
        first = next(base for base in bases if isinstance(base, Stub))
        return (_StubBase,) if self is first else ()

    def __getitem__(self, key: object) -> Stub:
        return Stub(self._stub_name + "[]")

    def __setitem__(self, key: object, value: object) -> None:
        pass

    def __iter__(self) -> Iterator[object]:
        return iter(())

    def __bool__(self) -> bool:
        return False

    def __or__(self, other: object) -> Stub:
        return Stub(self._stub_name)

    __ror__ = __or__

    def __enter__(self) -> Stub:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def __repr__(self) -> str:
        return "<stub " + self._stub_name + ">"

    def __str__(self) -> str:
        raise HarnessError("text was made of " + repr(self))

    def __get_pydantic_core_schema__(self, source: object, handler: object) -> dict[str, str]:
        return {"type": "any"}


class _StubModule(types.ModuleType):
    """A package that is not there; every attribute is a :class:`Stub`."""

    __version__ = "0.0.0"

    def __getattr__(self, name: str) -> Any:
        return _stub(self.__name__ + "." + name)


class _StubFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Answers imports of third-party packages with stubs, whether or not this machine has them."""

    def find_spec(
        self, fullname: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        top = fullname.partition(".")[0]
        if top in _OTHER_PLATFORMS:
            raise ModuleNotFoundError("No module named " + repr(fullname), name=fullname)
        if top in _REAL or _in_standard_library(top):
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return _StubModule(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        pass


def _in_standard_library(name: str) -> bool:
    if name in sys.builtin_module_names or importlib.machinery.FrozenImporter.find_spec(name):
        return True
    return importlib.machinery.PathFinder.find_spec(name, _STANDARD_LIBRARY) is not None


def _package_folder(package: str | None) -> str:
    """Folder of the ``sglang`` package itself, found without importing it."""
    if package is not None:
        if importlib.machinery.PathFinder.find_spec("sglang", [os.path.abspath(package)]) is None:
            raise HarnessError("there is no package sglang in " + package)
        return os.path.join(os.path.abspath(package), "sglang")
    spec = importlib.util.find_spec("sglang")
    if spec is None or not spec.submodule_search_locations:
        raise HarnessError("sglang is not installed here: give --package DIR")
    return list(spec.submodule_search_locations)[0]


class _Parser(argparse.ArgumentParser):
    """The parser that SGLang fills: an error is raised, and abbreviations are off."""

    def __init__(self) -> None:
        super().__init__(prog="sglang", allow_abbrev=False)
        self.exit_on_error = False

    def error(self, message: str) -> NoReturn:
        raise argparse.ArgumentError(None, message)


def load_parser(package: str | None = None, stubs: bool = False) -> argparse.ArgumentParser:
    """SGLang's parser with all its options. Raises HarnessError when it cannot be imported."""
    folder = _package_folder(package)
    if stubs:
        sys.meta_path.insert(0, _StubFinder())
        sys.modules["orjson"] = json  # some options read their value with it
        empty = types.ModuleType("sglang")
        empty.__path__ = [folder]
        sys.modules["sglang"] = empty
    elif package is not None:
        sys.path.insert(0, os.path.abspath(package))
    # what decides defaults must not come from this machine's environment
    for name in [name for name in os.environ if name.startswith(("SGLANG_", "SGL_"))]:
        del os.environ[name]
    parser = _Parser()
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            importlib.import_module("sglang.srt.server_args").ServerArgs.add_cli_args(parser)
    except HarnessError:
        raise
    except Exception as error:
        raise HarnessError("SGLang's parser cannot be imported: " + type(error).__name__ + ": " + str(error)) from error
    if stubs:
        _refuse_stubs(parser)
    return parser


def _refuse_stubs(parser: argparse.ArgumentParser) -> None:
    for action in parser._actions:
        for field, value in sorted(vars(action).items()):
            values = list(value) if isinstance(value, (list, tuple, set, dict)) else [value]
            for item in [value] + values:
                if field != "container" and isinstance(item, (Stub, _StubModule)):
                    raise HarnessError(repr(item) + " reached " + field + " of " + "/".join(action.option_strings))


def _plain(value: Any, where: str) -> Any:
    """The value as JSON, independent of the run: sets are sorted, enumerations are their values."""
    if isinstance(value, enum.Enum):
        return _plain(value.value, where)
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else repr(value)
    if isinstance(value, (list, tuple)):
        return [_plain(item, where) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted((_plain(item, where) for item in value), key=repr)
    if isinstance(value, dict):
        return {str(key): _plain(item, where) for key, item in sorted(value.items(), key=lambda pair: str(pair[0]))}
    raise HarnessError(where + " has a value that JSON cannot hold: " + repr(value))


def _replacement(action: argparse.Action) -> str | None:
    """What the release itself says to use in place of a deprecated option, or None."""
    new_flag = getattr(action, "new_flag", None)
    if new_flag:
        return str(new_flag)
    named = re.search(r"(?:[Uu]se|[Aa]lias (?:for|of)|[Rr]eplaced by)\s+['`]?(--[\w-]+(?:=[\w-]+)?)", action.help or "")
    return named.group(1) if named else None


def _deprecated(action: argparse.Action) -> bool:
    head = re.match(r"\W*(?:note: )?\W*[\w-]*\s*(?:is )?(?:now )?deprecated", action.help or "", re.IGNORECASE)
    return type(action).__name__.startswith("Deprecated") or head is not None


def describe(action: argparse.Action) -> dict[str, Any]:
    """One option as plain data. ``kind`` is argparse's action: store, store_true, count, help, or a class name."""
    where = "/".join(action.option_strings) or action.dest
    kind = {
        "_StoreAction": "store", "_StoreTrueAction": "store_true", "_StoreFalseAction": "store_false",
        "_StoreConstAction": "store_const", "_AppendAction": "append", "_HelpAction": "help",
        "_CountAction": "count", "BooleanOptionalAction": "boolean",
    }.get(type(action).__name__, type(action).__name__)  # fmt: skip
    option = {
        "names": list(action.option_strings),
        "dest": action.dest,
        "kind": kind,
        "type": getattr(action.type, "__name__", None) or (None if action.type is None else type(action.type).__name__),
        "nargs": action.nargs,
        "choices": None if action.choices is None else sorted(_plain(list(action.choices), where), key=repr),
        "default": None if action.default is argparse.SUPPRESS else _plain(action.default, where),
        "required": action.required,
        "deprecated": _deprecated(action),
    }
    if option["deprecated"]:
        option["replacement"] = _replacement(action)
    return option


def options(package: str | None = None, stubs: bool = False) -> list[dict[str, Any]]:
    """Every option of the release, in the order of its first name."""
    return sorted((describe(a) for a in load_parser(package, stubs)._actions), key=lambda option: option["names"])


def check_one(parser: argparse.ArgumentParser, argv: Iterable[str]) -> dict[str, Any]:
    """Parses one argument list; names every argument that the parser refuses, not only the first."""
    required = [action for action in parser._actions if action.required]
    problems: list[dict[str, Any]] = []
    try:
        _collect(parser, list(argv), problems)
    finally:
        for action in required:
            action.required = True
    return {"ok": not problems, "problems": problems}


def _collect(parser: argparse.ArgumentParser, argv: list[str], problems: list[dict[str, Any]]) -> None:
    """Parses again and again without what was refused, until nothing is."""
    while True:
        try:
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                values, unknown = parser.parse_known_args(argv)
        except argparse.ArgumentError as error:
            problems.append({"argument": error.argument_name, "message": error.message})
            shorter = _without(argv, (error.argument_name or "").split("/"))
            missing = [action for action in parser._actions if action.required]
            if shorter == argv and not missing:
                return
            if shorter == argv:
                for action in missing:
                    action.required = False
            argv = shorter
        except SystemExit:
            problems.append({"argument": None, "message": "ends the parser"})
            return
        except Exception as error:  # a custom action that fails on its value
            problems.append({"argument": None, "message": type(error).__name__ + ": " + str(error)})
            return
        else:
            if any(isinstance(value, Stub) for value in vars(values).values()):
                raise HarnessError("a stand-in was read as a value in " + json.dumps(argv))
            problems += [{"argument": word, "message": "unrecognized argument"} for word in unknown]
            return


def _without(argv: list[str], names: list[str]) -> list[str]:
    """The arguments without these options and the words that follow each."""
    kept, dropping = [], False
    for word in argv:
        if word.startswith("--"):
            dropping = word.partition("=")[0] in names
        if not dropping:
            kept.append(word)
    return kept


def check(arguments: list[list[str]], package: str | None = None, stubs: bool = False) -> list[dict[str, Any]]:
    """Results of :func:`check_one` for each argument list, in order."""
    parser = load_parser(package, stubs)
    return [check_one(parser, argv) for argv in arguments]


def main(argv: list[str] | None = None) -> int:
    """Entry point. Exit status 0: answered; 2: wrong use; 3: the parser cannot be run or cannot be trusted."""
    usage = argparse.ArgumentParser(prog="parser_harness.py", allow_abbrev=False)
    usage.add_argument("mode", choices=["options", "check"])
    usage.add_argument("--package")
    usage.add_argument("--stubs", action="store_true")
    given = usage.parse_args(argv)
    try:
        if given.mode == "options":
            answer: Any = {"options": options(given.package, given.stubs)}
        else:
            answer = check(json.load(sys.stdin), given.package, given.stubs)
    except HarnessError as error:
        print("parser_harness: " + str(error), file=sys.stderr)
        return 3
    print(json.dumps(answer, sort_keys=True, separators=(",", ":")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
