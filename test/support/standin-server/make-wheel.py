#!/usr/bin/env python3
"""make-wheel.py OUT VERSION: packs the stand-in as OUT/sglang-VERSION-py3-none-any.whl, the same bytes every time.

The options of that release are packed with it when the project has their table, so that the stand-in refuses what the
release refuses; without one it takes any option. make-wheel.py --tree OUT VERSION writes the same as a source tree, in
which this file is the build backend, so that `pip install` needs no other.
"""

import base64
import hashlib
import json
import os
import pathlib
import shutil
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = """[build-system]
requires = []
build-backend = "standin_backend"
backend-path = ["."]

[project]
name = "sglang"
dynamic = ["version"]
"""


def package(version):
    """The files of the package, as `{path: bytes}`."""
    found = [path for path in sorted((HERE / "sglang").rglob("*")) if path.suffix in (".py", ".json")]
    files = {str(path.relative_to(HERE)): path.read_bytes() for path in found}
    start = files["sglang/__init__.py"].decode().replace('"0.0.0"', '"%s"' % version)
    files["sglang/__init__.py"] = start.encode()
    return files


def with_options(files, version):
    """The same with the release's own option table, where the project has one."""
    tables = HERE.parents[2] / "knowledge" / "sglang" / "data"
    order = list(json.loads((tables / "releases.json").read_text()))
    if version not in order:
        return files
    at = order.index(version)
    options = [
        {key: value for key, value in span.items() if key not in ("since", "until")}
        for _, history in sorted(json.loads((tables / "options.json").read_text()).items())
        for span in history
        if order.index(span["since"]) <= at <= order.index(span.get("until", order[-1]))
    ]
    return dict(files, **{"sglang/srt/options.json": json.dumps(options, sort_keys=True, indent=1).encode()})


def pack(files, out, version):
    """Writes the wheel; returns its path."""
    info = "sglang-%s.dist-info/" % version
    files = dict(files)
    files[info + "METADATA"] = (
        b"Metadata-Version: 2.1\nName: sglang\nVersion: %s\nSummary: stand-in\n" % version.encode()
    )
    files[info + "WHEEL"] = b"Wheel-Version: 1.0\nGenerator: stand-in\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[info + "entry_points.txt"] = b"[console_scripts]\nsglang = sglang.cli:main\n"
    record = ["%s,sha256=%s,%d" % (name, digest(data), len(data)) for name, data in sorted(files.items())]
    files[info + "RECORD"] = ("\n".join(record) + "\n%sRECORD,,\n" % info).encode()
    path = pathlib.Path(out) / ("sglang-%s-py3-none-any.whl" % version)
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.external_attr = 0o100644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, files[name])
    return path


def digest(data):
    """A file's hash as a wheel's record writes it."""
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The hook of a build backend: packs the tree that this file lies in."""
    version = os.environ.get("SETUPTOOLS_SCM_PRETEND_VERSION", "0.0.0")
    return pack(package(version), wheel_directory, version).name


def write_tree(out, version):
    """Writes the package as a source tree that pip can install."""
    for name, data in with_options(package(version), version).items():
        path = pathlib.Path(out, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    shutil.copy(__file__, pathlib.Path(out, "standin_backend.py"))
    pathlib.Path(out, "pyproject.toml").write_text(PROJECT)


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "--tree":
        write_tree(*sys.argv[2:])
    elif len(sys.argv) == 3:
        print(pack(with_options(package(sys.argv[2]), sys.argv[2]), *sys.argv[1:]))
    else:
        sys.exit(__doc__)
