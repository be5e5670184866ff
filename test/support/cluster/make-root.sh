#!/bin/sh
# Makes the root folder of the image that test pods run: Python, the stand-in for SGLang, and the hub's real client.
#
#   make-root.sh PYTHON.tar ROOT [RELEASE]
#
# PYTHON.tar is any image with Python 3.11 as a docker-archive of one layer. Pack ROOT with any tool, and give the image
# to the nodes of the cluster; README.md beside this file says how the tests are told of it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
archive=$1 root=$2 release=${3:-0.5.17}
packages=usr/local/lib/python3.11/dist-packages

mkdir -p "$root"
layer=$(tar -xOf "$archive" manifest.json | python3 -c 'import json, sys; print(json.load(sys.stdin)[0]["Layers"][-1])')
tar -xOf "$archive" "$layer" | tar -x -C "$root"
mkdir -p "$root/$packages"

# Threads that end need it, and a small Python image may lack it.
library=$(ldconfig -p | sed -n 's/.*libgcc_s.so.1 (.*x86-64.*=> //p' | head -1)
cp -L "$library" "$root/usr/lib/x86_64-linux-gnu/"

wheels=$(mktemp -d)
trap 'rm -rf "$wheels"' EXIT
wheel=$(python3 "$here/../standin-server/make-wheel.py" "$wheels" "$release")
python3 -m pip install -q --disable-pip-version-check --root-user-action=ignore --no-compile --python-version 3.11 \
  --only-binary=:all: --target "$root/$packages" "$wheel" huggingface_hub==1.33.0
rm -rf "$root/$packages/bin"
# Which number of concurrent requests has which fault: a test switches one on by a setting, as a user would.
cat > "$root/etc/standin-sglang.env" <<FAULTS
STANDIN_FAULT_WHEN=max-running-requests=11:bang;max-running-requests=12:die-at-start;max-running-requests=13:slow-load:70
FAULTS
