#!/usr/bin/env python3
"""make-wheel.py OUT VERSION: packs the stand-in as OUT/sglang-VERSION-py3-none-any.whl, the same bytes every time.

The options of that release are packed with it when the project has their table, so that the stand-in refuses what the
release refuses; without one it takes any option.
"""

import base64
import hashlib
import json
import pathlib
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
TABLES = HERE.parents[2] / "knowledge" / "sglang" / "data"


def entries(version):
    """Every file of the wheel but its record, as `{path: bytes}`."""
    info = "sglang-%s.dist-info" % version
    files = {str(path.relative_to(HERE)): path.read_bytes() for path in sorted((HERE / "sglang").rglob("*.py"))}
    start = files["sglang/__init__.py"].decode().replace('"0.0.0"', '"%s"' % version)
    files["sglang/__init__.py"] = start.encode()
    options = release_options(version)
    if options is not None:
        files["sglang/srt/options.json"] = json.dumps(options, sort_keys=True).encode()
    files[info + "/METADATA"] = b"Metadata-Version: 2.1\nName: sglang\nVersion: %s\nSummary: stand-in\n" % version.encode()
    files[info + "/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: stand-in\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[info + "/entry_points.txt"] = b"[console_scripts]\nsglang = sglang.cli:main\n"
    return files


def release_options(version):
    """The project's own option table of the release, or None for one that it does not know."""
    order = list(json.loads((TABLES / "releases.json").read_text()))
    if version not in order:
        return None
    at = order.index(version)
    histories = json.loads((TABLES / "options.json").read_text())
    return [
        {key: value for key, value in span.items() if key not in ("since", "until")}
        for _, history in sorted(histories.items())
        for span in history
        if order.index(span["since"]) <= at <= order.index(span.get("until", order[-1]))
    ]


def main(out, version):
    """Writes the wheel and prints its path."""
    files = entries(version)
    record = ["%s,sha256=%s,%d" % (name, digest(data), len(data)) for name, data in sorted(files.items())]
    name = "sglang-%s.dist-info/RECORD" % version
    files[name] = ("\n".join(record) + "\n%s,,\n" % name).encode()
    path = pathlib.Path(out) / ("sglang-%s-py3-none-any.whl" % version)
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.external_attr = 0o100644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, files[name])
    print(path)


def digest(data):
    """A file's hash as a wheel's record writes it."""
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
