"""Runs single functions of SGLang's source without its imports: what a function uses is given by the caller."""

import ast
import importlib.abc
import importlib.machinery
import os
import re
import sys
import types
from unittest import mock


class Source:
    """One unpacked SGLang package. ``root`` is the folder that holds ``sglang``."""

    def __init__(self, root):
        self.root = root

    def has(self, file, text=""):
        """Whether the release has this file, with this text in it."""
        path = f"{self.root}/sglang/srt/{file}"
        if not os.path.exists(path):
            return False
        with open(path, encoding="utf-8") as content:
            return text in content.read()

    def tree(self, file):
        with open(f"{self.root}/sglang/srt/{file}", encoding="utf-8") as text:
            return ast.parse(text.read())

    def load(self, file, names, given):
        """Executes the named top-level functions, classes and constants of a file; ``Class.method`` is one method.

        A name that the file does not have is left out. Decorators are dropped, annotations are not evaluated.
        """
        tree = self.tree(file)
        found = [node for node in (_find(tree.body, name.split(".")) for name in names) if node is not None]
        return run(sorted(found, key=lambda node: node.lineno), given)

    def conditions(self, file, method, words):
        """The ``if`` statements at the top of a method whose condition matches the words, as a function of ``self``."""
        (body,) = [n.body for n in ast.walk(self.tree(file)) if isinstance(n, ast.FunctionDef) and n.name == method]
        chosen = [node for node in body if isinstance(node, ast.If) and re.search(words, ast.unparse(node.test))]
        function = ast.parse("def check(self): pass").body[0]
        function.body = chosen or function.body
        return lambda self, given: run([function], given)["check"](self)


def run(nodes, given):
    """Executes the nodes in a namespace that holds what is given; answers the namespace."""
    for node in nodes:
        if hasattr(node, "decorator_list"):
            node.decorator_list = []
    header = ast.parse("from __future__ import annotations").body
    module = ast.fix_missing_locations(ast.Module(body=header + nodes, type_ignores=[]))
    namespace = dict(given)
    exec(compile(module, "sglang", "exec"), namespace)
    return namespace


def _find(body, path):
    for node in body:
        targets = getattr(node, "targets", [])
        if getattr(node, "name", None) == path[0] or any(getattr(t, "id", None) == path[0] for t in targets):
            return node if len(path) == 1 else _find(node.body, path[1:])
    return None


class _Inert(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Answers what a function imports for itself: any attribute of these packages is a mock."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname.partition(".")[0] in {"sglang", "torch", "deep_gemm"}:
            return importlib.machinery.ModuleSpec(fullname, self, is_package=True)
        return None

    def create_module(self, spec):
        module = types.ModuleType(spec.name)
        module.__getattr__ = lambda name: mock.MagicMock()
        return module

    def exec_module(self, module):
        pass


sys.meta_path.insert(0, _Inert())
