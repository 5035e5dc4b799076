"""HTTP on 127.0.0.1: the page, its requests, and the pages that tools made.

The address of the page holds a token, a new one for each start. Every request must have it, and the host's name that
we listen under: so neither another user of this machine nor a page of the network can have programs run here. A
tool's page is served once more under an address of its own, as a document without an origin.
"""

import hmac
import json
import os
import secrets
import select
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cilkc_driver.console import Stop

from . import work as work_of

HERE = os.path.dirname(os.path.abspath(__file__))
MOST_BODY = 1 << 20
KEPT = 40                   # pages of tools that can still be asked for
PAGE_POLICY = (
    "default-src 'none'; script-src 'nonce-%s'; style-src 'nonce-%s'; connect-src 'self'; img-src blob: data:; frame-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
MADE_POLICY = "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"
EXAMPLES = ("fib.cilk", "queens.cilk", "first.cilk", "race.cilk", "threads.cilk1", "opencilk.c")


def examples():
    made = []
    for name in EXAMPLES:
        with open(os.path.join(HERE, "examples", name), encoding="utf-8") as file:
            made.append([name, file.read()])
    return made


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port, work, first):
        super().__init__(("127.0.0.1", port), Handler)
        self.work, self.first, self.token = work, first, secrets.token_urlsafe(24)
        self.made, self.lock = {}, threading.Lock()
        with open(os.path.join(HERE, "page.html"), encoding="utf-8") as file:
            self.page = file.read()

    @property
    def address(self):
        return "http://127.0.0.1:%d/?token=%s" % (self.server_port, self.token)

    def keep(self, page):
        name = secrets.token_urlsafe(24)
        with self.lock:
            self.made[name] = page
            while len(self.made) > KEPT:
                del self.made[next(iter(self.made))]
        return name

    def handle_error(self, request, client_address):
        pass                    # the browser went away


class Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    timeout = 60

    def log_message(self, *words):
        pass

    def answer(self, status, kind, data, policy="default-src 'none'"):
        data = data.encode("utf-8") if isinstance(data, str) else data
        self.send_response(status)
        for name, value in (
            ("Content-Type", kind + "; charset=utf-8"),
            ("Content-Length", str(len(data))),
            ("Content-Security-Policy", policy),
            ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def refuse(self, status, text):
        self.close_connection = True
        self.answer(status, "text/plain", text + "\n")

    def allowed(self, token):
        """Does this request come from our page?"""
        if self.headers.get("Host") not in ("127.0.0.1:%d" % self.server.server_port,
                                            "localhost:%d" % self.server.server_port):
            self.refuse(421, "this server has another name")
        elif not hmac.compare_digest((token or "").encode(), self.server.token.encode()):
            self.refuse(403, "the token is wrong: open the printed address")
        else:
            return True
        return False

    def gone(self):
        """Has the client closed its end?"""
        poll = select.poll()
        poll.register(self.connection, select.POLLRDHUP)
        return bool(poll.poll(0))

    def do_GET(self):
        try:
            parts = urllib.parse.urlsplit(self.path)
        except ValueError:
            self.refuse(400, "this is not an address")
            return
        if parts.path.startswith("/made/"):
            with self.server.lock:
                page = self.server.made.get(parts.path[len("/made/"):])
            if page is None or self.headers.get("Host", "").partition(":")[0] not in ("127.0.0.1", "localhost"):
                self.refuse(404, "this page is gone")
            else:
                self.answer(200, "text/html", page, MADE_POLICY)
        elif parts.path == "/favicon.ico":
            self.answer(204, "image/x-icon", b"")
        elif parts.path != "/":
            self.refuse(404, "there is nothing here")
        elif self.allowed(urllib.parse.parse_qs(parts.query).get("token", [""])[0]):
            nonce = secrets.token_urlsafe(16)
            data = json.dumps({"token": self.server.token, "first": self.server.first, "examples": examples()}).replace(
                "<", "\\u003c"
            )
            self.answer(200, "text/html", self.server.page.replace("@NONCE@", nonce).replace("@DATA@", data),
                        PAGE_POLICY % (nonce, nonce))

    def do_POST(self):
        if not self.allowed(self.headers.get("X-Token")):
            return
        try:
            size = int(self.headers.get("Content-Length", ""))
            if not 0 <= size <= MOST_BODY or self.path != "/do":
                raise ValueError
            request = json.loads(self.rfile.read(size))
            if not isinstance(request, dict):
                raise ValueError
            made = self.server.work.do(request, self.gone)
        except (ValueError, RecursionError):        # too deep for the reader of JSON
            self.refuse(400, "this is not a request of the page")
            return
        except work_of.Wrong as wrong:
            self.refuse(400, str(wrong))
            return
        except Stop as stop:                        # a part that a tool needs cannot be built
            self.refuse(500, stop.message)
            return
        if made["kind"] == "html" and made["out"]:
            made["page"] = "/made/" + self.server.keep(made.pop("out"))
        self.answer(200, "application/json", json.dumps(made))
