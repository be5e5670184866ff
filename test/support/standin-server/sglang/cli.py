"""`sglang serve …`: the console script of the stand-in server."""

import sys

from sglang.launch_server import run_server
from sglang.srt.server_args import prepare_server_args


def main():
    """Runs the one verb that the stand-in has."""
    if sys.argv[1:2] != ["serve"]:
        sys.exit("usage: sglang serve --model-path MODEL [options]")
    run_server(prepare_server_args(sys.argv[2:]))
