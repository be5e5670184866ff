"""Several nodes as one server: rank 0 waits until all have joined, the others until rank 0 is gone.

A rank says at its joining what it was started with, so that `/get_server_info` of rank 0 shows a mix of settings; that
of a real server does not.
"""

import json
import os
import socket
import threading
import time


def join(server_args, gone):
    """Returns when every node is connected; calls `gone()` later, when one of the connections ends."""
    host, _, port = server_args.dist_init_addr.rpartition(":")
    address = (host.strip("[]"), int(port))
    if server_args.node_rank == 0:
        listener = socket.create_server(address)
        peers = [listener.accept()[0] for _ in range(server_args.nnodes - 1)]
        server_args.standin_ranks = [json.loads(peer.makefile().readline()) for peer in peers]
        for peer in peers:
            peer.sendall(b"go")
    else:
        time.sleep(float(os.environ.get("STANDIN_IMPORT_SECONDS", 0)))
        peers = [connect(address)]
        told = {key: getattr(server_args, key, None) for key in ("node_rank", "max_running_requests")}
        peers[0].sendall(json.dumps(told).encode() + b"\n")
        if peers[0].recv(2) != b"go":
            gone()
    for peer in peers:
        threading.Thread(target=watch, args=(peer, gone), daemon=True).start()


def connect(address):
    """A connection to rank 0, tried until it listens."""
    while True:
        try:
            return socket.create_connection(address, timeout=None)
        except OSError:
            time.sleep(0.2)


def watch(peer, gone):
    """Waits for the other side's end."""
    try:
        peer.recv(1)
    except OSError:
        pass
    gone()
