"""Fetches a published SGLang wheel once and tells what it says of itself.

    python3 scripts/wheel.py fetch VERSION PACKAGE
    python3 scripts/wheel.py read PACKAGE

``fetch`` makes PACKAGE, a zip of the wheel's Python files and metadata with explicit folders, which Python imports as
it is (a wheel's compiled parts, most of its size, are not needed by the argument parser). ``read`` prints one JSON
document: ``{"pins": {...}, "architectures": [...]}``. Standard library and pip only.
"""

import ast
import email.parser
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile

# Python and platform of SGLang's compiled wheels; older ones are pure Python and match anything
_WHEEL_TAGS = ["--only-binary", ":all:", "--python-version", "311", "--platform", "manylinux_2_34_x86_64"]


def fetch(version, package):
    """Downloads a release and puts its slim package in place, whole or not at all."""
    folder = os.path.dirname(os.path.abspath(package))
    os.makedirs(folder, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *_WHEEL_TAGS, "--dest", scratch]
        subprocess.run([*command, "sglang==" + version], check=True, stdout=sys.stderr)
        (wheel,) = [name for name in os.listdir(scratch) if name.endswith(".whl")]
        slim = os.path.join(scratch, "slim.zip")
        _slim(os.path.join(scratch, wheel), slim)
        os.replace(slim, package)


def _slim(wheel, target):
    with zipfile.ZipFile(wheel) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as slim:
        names = [n for n in source.namelist() if n.endswith((".py", ".dist-info/METADATA"))]
        folders = {name[: at.start() + 1] for name in names for at in re.finditer("/", name)}
        for folder in sorted(folders):  # an import from a zip sees a folder without __init__.py only when it is listed
            slim.writestr(folder, b"")
        for name in names:
            slim.writestr(name, source.read(name))


def pins(package):
    """What the release requires, from the wheel's metadata; requirements of extras are left out."""
    with zipfile.ZipFile(package) as archive:
        (name,) = [n for n in archive.namelist() if n.endswith(".dist-info/METADATA")]
        metadata = email.parser.Parser().parsestr(archive.read(name).decode())
    requirements = {}
    for line in metadata.get_all("Requires-Dist") or []:
        requirement, _, marker = line.partition(";")
        match = re.match(r"([\w.-]+)(?:\[[\w,-]+\])?\s*(.*)", requirement.strip())
        if "extra" not in marker and _on_linux_x86(marker):
            requirements[re.sub(r"[-_.]+", "-", match.group(1)).lower()] = match.group(2).strip("() ") or "*"
    return {"python": metadata["Requires-Python"], "requirements": requirements}


def _on_linux_x86(marker):
    return not re.search(
        r"""platform_machine\s*==\s*["'](aarch64|arm64)|sys_platform\s*==\s*["'](darwin|win32)""", marker
    )


def architectures(package):
    """Names of the model classes, read from ``EntryClass`` of each file in ``srt/models`` without running it."""
    found = set()
    with zipfile.ZipFile(package) as archive:
        for name in archive.namelist():
            if name.startswith("sglang/srt/models/") and name.endswith(".py"):
                found |= _entry_classes(ast.parse(archive.read(name)), name)
    return sorted(found)


def _entry_classes(tree, file):
    found = set()
    for node in ast.walk(tree):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == "EntryClass" for target in targets):
            items = node.value.elts if isinstance(node.value, (ast.List, ast.Tuple)) else [node.value]
            if not all(isinstance(item, ast.Name) for item in items):
                raise ValueError(file + ": EntryClass is not a list of names")
            found |= {item.id for item in items}
    return found


if __name__ == "__main__":
    if sys.argv[1] == "fetch":
        fetch(sys.argv[2], sys.argv[3])
    else:
        print(json.dumps({"pins": pins(sys.argv[2]), "architectures": architectures(sys.argv[2])}, sort_keys=True))
