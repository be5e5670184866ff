"""`python -m sglang.launch_server --model-path …`: the entry point of the stand-in server."""

import sys

from sglang.srt.entrypoints.http_server import launch_server
from sglang.srt.server_args import prepare_server_args


def run_server(server_args):
    """Serves until a signal ends the process."""
    launch_server(server_args)


if __name__ == "__main__":
    run_server(prepare_server_args(sys.argv[1:]))
