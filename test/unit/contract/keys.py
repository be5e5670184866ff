"""The constant keys by which the agent reads and makes documents, found in its source.

python3 keys.py FOLDER      prints {module: {"read": [...], "made": [...], "listed": [...]}}
"""

import ast
import json
import sys
from pathlib import Path

READS = ("get", "pop")


def text(node):
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def keys(tree):
    read, made, listed = set(), set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript):
            (read if isinstance(node.ctx, ast.Load) else made).add(text(node.slice))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in READS:
            read.update(map(text, node.args[:1]))
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            read.add(text(node.left))
        elif isinstance(node, ast.Dict):
            made.update(text(key) for key in node.keys if key)
        elif isinstance(node, ast.Tuple):
            listed.update(map(text, node.elts))  # a table of fields, such as that of nvidia-smi
    return {"read": sorted(read - {None}), "made": sorted(made - {None}), "listed": sorted(listed - {None})}


def annotations(tree):
    """Types are written like subscripts: `Literal["a"]` reads no key."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.AnnAssign, ast.arg)):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef):
            node.returns = None


found = {}
top = Path(sys.argv[1])
for path in sorted(top.rglob("*.py")):
    if path.name != "documents.py":
        tree = ast.parse(path.read_text("utf-8"))
        annotations(tree)
        found[path.relative_to(top).as_posix()] = keys(tree)
print(json.dumps(found))
