"""An HTTPS server on loopback that behaves as badly as a test asks it to."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx2

CERTIFICATE = Path(__file__).parents[2] / "fixtures" / "loopback.pem"


@dataclass
class Server:
    """What the server holds and how it misbehaves, and the requests that it has seen.

    ``cuts`` are numbers of bytes, one a request, after which the connection is closed;
    ``ranges``: whether it knows them; ``stall``: it sends no more than this and
    waits until it is ``released``, and ``stalled`` counts those who are kept waiting;
    ``length``: what it says of the length instead of the truth, below zero for nothing.
    """

    content: bytes
    etag: str = '"one"'
    status: int = 200
    cuts: list[int] = field(default_factory=list)
    ranges: bool = True
    redirects: dict[str, str] = field(default_factory=dict)
    length: int | None = None
    stall: int | None = None
    encoding: str = ""
    media_type: str = ""
    missing: frozenset[str] = frozenset()
    requests: list[dict[str, str]] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)
    stalled: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    port: int = 0

    def url(self, name: str = "data.txt") -> str:
        return f"https://localhost:{self.port}/{name}"

    def transport(self) -> httpx2.HTTPTransport:
        context = ssl.create_default_context(cafile=str(CERTIFICATE))
        return httpx2.HTTPTransport(verify=context)


class _Handler(BaseHTTPRequestHandler):
    server: _Listening

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        site = self.server.site
        site.requests.append(dict(self.headers))
        if self.path in site.redirects:
            self.send_response(302)
            self.send_header("Location", site.redirects[self.path])
            self.end_headers()
            return
        if self.path.lstrip("/") in site.missing:
            self.send_response(404)
            self.end_headers()
            return
        start = 0
        asked = self.headers.get("Range", "")
        if asked and site.ranges and self.headers.get("If-Range") == site.etag:
            start = int(asked.removeprefix("bytes=").removesuffix("-"))
            if start >= len(site.content):
                self.send_response(416)
                self.end_headers()
                return
            self.send_response(206)
            end = len(site.content)
            self.send_header("Content-Range", f"bytes {start}-{end - 1}/{end}")
        else:
            self.send_response(site.status)
        body = site.content[start:]
        if site.length is None:
            self.send_header("Content-Length", str(len(body)))
        elif site.length >= 0:
            self.send_header("Content-Length", str(site.length))
        if site.etag:
            self.send_header("ETag", site.etag)
        if site.encoding:
            self.send_header("Content-Encoding", site.encoding)
        if site.media_type:
            self.send_header("Content-Type", site.media_type)
        self.end_headers()
        cut = site.cuts.pop(0) if site.cuts else None
        if site.stall is not None:
            self.wfile.write(body[: site.stall])
            self.wfile.flush()
            site.stalled.release()
            site.released.wait(60)
            body = body[site.stall :]
        self.wfile.write(body if cut is None else body[:cut])
        self.close_connection = True


class _Listening(ThreadingHTTPServer):
    daemon_threads = True
    site: Server

    def handle_error(self, request: object, client_address: object) -> None:
        pass


@contextmanager
def serving(site: Server) -> Iterator[Server]:
    """Run the server for as long as the block runs."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    listening = _Listening(("localhost", 0), _Handler)
    listening.site = site
    listening.socket = context.wrap_socket(
        listening.socket, server_side=True, do_handshake_on_connect=False
    )
    site.port = listening.server_address[1]
    thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield site
    finally:
        site.released.set()
        listening.shutdown()
        listening.server_close()
        thread.join()
