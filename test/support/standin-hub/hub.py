#!/usr/bin/env python3
"""A stand-in for a model hub: speaks the hub's protocol to the real `huggingface_hub` client. Standard library only.

hub.py HOST PORT < repositories.json      prints its endpoint, serves until killed

Repositories: `{"acme/tiny": {"token": "hf_…"?, "denied": "hf_…"?, "files": {PATH: TEXT or {"bytes": N, "seed": N}}}}`.
A file given by its size is pseudo-random and an LFS file; a repository with a `token` is gated, and `denied` is a token
without access to it. A repository has one revision, whose id is made from its files, and which `main` names.

Control, for tests: GET /_standin/repositories (revisions and file lists), GET /_standin/requests (what was asked for),
POST /_standin/fault
`{"kind": "drop" | "status" | "corrupt" | "slow", "path": GLOB, "after": BYTES, "status": 503, "times": N}`,
which holds for the next N downloads of matching files; POST /_standin/fault `{}` ends all faults.
"""

import fnmatch
import hashlib
import json
import random
import socket
import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CHUNK = 64 * 1024


class Entry:
    """One file of a repository."""

    def __init__(self, path, content):
        self.path = path
        self.lfs = isinstance(content, dict)
        self.data = random.Random(content["seed"]).randbytes(content["bytes"]) if self.lfs else content.encode()
        self.size = len(self.data)
        self.sha256 = hashlib.sha256(self.data).hexdigest()
        stored = self.data
        if self.lfs:
            version = "https://git-lfs.github.com/spec/v1"
            stored = ("version %s\noid sha256:%s\nsize %d\n" % (version, self.sha256, self.size)).encode()
        self.pointer_size = len(stored)
        self.blob = hashlib.sha1(b"blob %d\0" % len(stored) + stored).hexdigest()
        self.etag = self.sha256 if self.lfs else self.blob

    def identity(self):
        """As a lock file has it."""
        return dict(
            {"path": self.path, "size": self.size}, **({"sha256": self.sha256} if self.lfs else {"gitBlob": self.blob})
        )

    def sibling(self):
        """As `model_info` has it."""
        lfs = {"sha256": self.sha256, "size": self.size, "pointerSize": self.pointer_size}
        one = {"rfilename": self.path, "size": self.size, "blobId": self.blob}
        return dict(one, lfs=lfs) if self.lfs else one

    def leaf(self):
        """As the tree listing has it."""
        one = {"type": "file", "oid": self.blob, "size": self.size, "path": self.path}
        lfs = {"oid": self.sha256, "size": self.size, "pointerSize": self.pointer_size}
        return dict(one, lfs=lfs) if self.lfs else one


class Repository:
    """One repository at its one revision."""

    def __init__(self, name, given):
        self.name = name
        self.token = given.get("token")
        self.denied = given.get("denied")
        self.files = {path: Entry(path, content) for path, content in sorted(given["files"].items())}
        tree = "".join("%s %s\n" % (one.blob, path) for path, one in self.files.items())
        self.revision = hashlib.sha1((name + "\n" + tree).encode()).hexdigest()

    def info(self):
        """The body of `model_info`."""
        siblings = [one.sibling() for one in self.files.values()]
        named = {"_id": self.revision[:24], "id": self.name, "modelId": self.name, "sha": self.revision}
        return dict(named, private=False, gated="manual" if self.token else False, disabled=False, tags=[], downloads=0,
                    likes=0, siblings=siblings)  # fmt: skip

    def tree(self, under):
        """Files and folders, recursively."""
        inside = [path for path in self.files if not under or path.startswith(under + "/")]
        folders = sorted({path.rsplit("/", 1)[0] for path in inside if "/" in path})
        return [{"type": "directory", "oid": "0" * 40, "size": 0, "path": folder} for folder in folders] + [
            self.files[path].leaf() for path in inside
        ]


class Refusal(Exception):
    """An answer other than 200, with the code that the client turns into its exception."""

    def __init__(self, status, code, message):
        super().__init__(message)
        self.status, self.code = status, code


class Hub:
    """Repositories, faults in force, and what was asked for."""

    def __init__(self, given):
        self.repositories = {name: Repository(name, one) for name, one in given.items()}
        self.faults = []
        self.requests = []
        self.lock = threading.Lock()

    def repository(self, name, revision, authorization):
        """The repository, for whoever may see it."""
        found = self.repositories.get(name)
        if found is None:
            raise Refusal(401, "RepoNotFound", "Repository not found")
        if found.token and authorization != "Bearer " + found.token:
            known = authorization == "Bearer %s" % found.denied
            raise Refusal(403 if known else 401, "GatedRepo", "Access to model %s is restricted." % name)
        if revision not in ("main", found.revision):
            raise Refusal(404, "RevisionNotFound", "Invalid rev id: " + revision)
        return found

    def fault(self, path):
        """The first fault in force for a file, counted down; `{}` when there is none."""
        with self.lock:
            for one in self.faults:
                if one["times"] > 0 and fnmatch.fnmatch(path, one.get("path", "*")):
                    one["times"] -= 1
                    return one
        return {}


def handler_of(hub):
    """The request handler class over one hub."""

    class Handler(BaseHTTPRequestHandler):
        """One request."""

        protocol_version = "HTTP/1.1"
        sent = 0

        def log_message(self, *_):
            """Nothing: tests ask for the list of requests."""

        def do_GET(self):
            """Every GET and HEAD."""
            url = urllib.parse.urlsplit(self.path)
            parts = [urllib.parse.unquote(part) for part in url.path.strip("/").split("/")]
            seen = {"method": self.command, "path": url.path, "range": self.headers.get("Range")}
            seen["authorized"] = self.headers.get("Authorization") is not None
            self.sent = 0
            try:
                self.route(parts)
            except Refusal as refusal:
                body = {"error": str(refusal)}
                self.answer(refusal.status, body, {"X-Error-Code": refusal.code, "X-Error-Message": str(refusal)})
            finally:
                if parts[0] != "_standin":
                    hub.requests.append(dict(seen, sent=self.sent))

        do_HEAD = do_GET

        def do_POST(self):
            """Faults, and the client's `paths-info`."""
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            parts = self.path.strip("/").split("/")
            if parts == ["_standin", "fault"]:
                fault = json.loads(raw)
                with hub.lock:
                    hub.faults = hub.faults + [dict({"times": 1, "after": 0}, **fault)] if fault else []
                return self.answer(200, {})
            if parts[:2] == ["api", "models"] and parts[4] == "paths-info":
                found = hub.repository("/".join(parts[2:4]), parts[5], self.headers.get("Authorization"))
                wanted = json.loads(raw)["paths"]
                return self.answer(200, [one.leaf() for path, one in found.files.items() if path in wanted])
            return self.answer(404, {"error": "not found"})

        def route(self, parts):
            """Which endpoint this is."""
            who = self.headers.get("Authorization")
            if parts == ["_standin", "requests"]:
                return self.answer(200, hub.requests)
            if parts == ["_standin", "repositories"]:
                listed = {
                    name: {"revision": one.revision, "files": [file.identity() for file in one.files.values()]}
                    for name, one in hub.repositories.items()
                }
                return self.answer(200, listed)
            if parts[0] == "cdn" and len(parts) > 3:
                found = hub.repositories["/".join(parts[1:3])]
                return self.content(found, found.files["/".join(parts[3:])])
            if parts[:2] == ["api", "models"] and len(parts) >= 4:
                rest = parts[4:]
                found = hub.repository("/".join(parts[2:4]), rest[1] if len(rest) > 1 else "main", who)
                listing = rest[:1] == ["tree"]
                return self.answer(200, found.tree("/".join(rest[2:])) if listing else found.info())
            if len(parts) >= 5 and parts[2] == "resolve":
                found = hub.repository("/".join(parts[:2]), parts[3], who)
                path = "/".join(parts[4:])
                if path not in found.files:
                    raise Refusal(404, "EntryNotFound", "Entry not found")
                return self.resolve(found, found.files[path])
            raise Refusal(404, "RepoNotFound", "Not found")

        def resolve(self, found, entry):
            """A small file as it is; an LFS file as a redirect to where its bytes are, with size and hash."""
            if not entry.lfs:
                return self.content(found, entry)
            base = "http://%s" % self.headers["Host"]
            where = {"Location": "%s/cdn/%s/%s" % (base, found.name, urllib.parse.quote(entry.path))}
            linked = {"X-Linked-Size": str(entry.size), "X-Linked-Etag": '"%s"' % entry.etag}
            return self.answer(302, {}, dict(where, **linked, **{"X-Repo-Commit": found.revision}))

        def content(self, found, entry):
            """The bytes, from the asked offset on, as the fault in force allows."""
            first, _, last = (self.headers.get("Range") or "bytes=0-").partition("=")[2].partition("-")
            begin, end = int(first or 0), int(last) + 1 if last else entry.size
            fault = hub.fault(entry.path) if self.command == "GET" else {}
            if fault.get("kind") == "status":
                return self.answer(fault.get("status", 503), {"error": "stand-in fault"})
            if begin >= entry.size > 0:
                return self.answer(416, {"error": "range"}, {"Content-Range": "bytes */%d" % entry.size})
            data = bytearray(entry.data[begin:end])
            if fault.get("kind") == "corrupt" and data:
                data[len(data) // 2] ^= 0xFF
            self.send_response(206 if self.headers.get("Range") else 200)
            headers = {"ETag": '"%s"' % entry.etag, "X-Repo-Commit": found.revision, "Accept-Ranges": "bytes"}
            headers["Content-Length"] = str(len(data))
            if self.headers.get("Range"):
                headers["Content-Range"] = "bytes %d-%d/%d" % (begin, end - 1, entry.size)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            return self.send_bytes(data, fault) if self.command == "GET" else None

        def send_bytes(self, data, fault):
            """Sends, slowly or only up to where the connection is to drop."""
            limit = fault["after"] if fault.get("kind") == "drop" else len(data)
            while self.sent < limit:
                piece = data[self.sent : min(limit, self.sent + CHUNK)]
                self.wfile.write(piece)
                self.sent += len(piece)
                if fault.get("kind") == "slow":
                    time.sleep(0.2)
            if limit < len(data):
                self.wfile.flush()
                self.connection.shutdown(socket.SHUT_RDWR)
                self.close_connection = True

        def answer(self, status, body, headers=()):
            """A whole JSON answer."""
            data = json.dumps(body).encode()
            self.send_response(status)
            for name, value in dict(
                {"Content-Type": "application/json", "Content-Length": str(len(data))}, **dict(headers)
            ).items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data)

    return Handler


def main(host, port):
    """Serves the repositories of stdin."""
    hub = Hub(json.load(sys.stdin))
    server = ThreadingHTTPServer((host, int(port)), handler_of(hub))
    server.daemon_threads = True
    print("http://%s:%d" % server.server_address[:2], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
