"""Telling systemd how far the service is (the sd_notify protocol); silent where nobody listens."""

from __future__ import annotations

import os
import socket


def notify(*lines: str) -> None:
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as link:
        try:
            link.connect("\0" + address[1:] if address.startswith("@") else address)
            link.sendall("\n".join(lines).encode("utf-8"))
        except OSError:
            pass


def ready(text: str) -> None:
    notify("READY=1", f"STATUS={text}")


def status(text: str) -> None:
    notify(f"STATUS={text}")


def stopping(text: str) -> None:
    notify("STOPPING=1", f"STATUS={text}")
