"""HTTP: the page, its requests, and the pages that tools made.

Who may ask, and under which name, a door decides (doors.py). A tool's page is served once more under an address of its
own, as a document without an origin.
"""

import json
import os
import secrets
import select
import signal
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cilkc_driver.console import Stop

from . import doors, turns, tutorial
from . import work as work_of

HERE = os.path.dirname(os.path.abspath(__file__))
MOST_BODY = 1 << 20
CONNECTIONS = 3000          # at the same time; a browser keeps up to six
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


def new_token():
    return secrets.token_urlsafe(24)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, port, work, first, door=None, listen="127.0.0.1", shares=None, handler=None):
        self.door = door or doors.OneUser()
        super().__init__((listen, port), handler or Handler)
        self.work, self.first, self.shares = work, first, shares
        self.made, self.lock, self.room = {}, threading.Lock(), threading.BoundedSemaphore(CONNECTIONS)
        self.address = self.door.listen_on(self.server_port)
        self.tutorial = tutorial.steps()
        with open(os.path.join(HERE, "page.html"), encoding="utf-8") as file:
            self.page = file.read()

    def keep(self, page):
        """The name under which a page can be asked for, until newer ones need its room."""
        name = new_token()
        with self.lock:
            self.made[name] = page
            while len(self.made) > 1 and sum(map(len, self.made.values())) > self.door.kept_bytes:
                del self.made[next(iter(self.made))]
        return name

    def process_request(self, request, client_address):
        if self.room.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request, client_address):
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.room.release()

    def until_interrupted(self):
        def end(*_):
            raise KeyboardInterrupt
        signal.signal(signal.SIGTERM, end)
        try:
            self.serve_forever(0.2)
        except KeyboardInterrupt:
            pass
        finally:
            self.server_close()

    def handle_error(self, request, client_address):
        pass                    # the browser went away


class Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    timeout = 60

    def log_message(self, *words):
        pass

    def answer(self, status, kind, data, policy="default-src 'none'", more=()):
        data = data.encode("utf-8") if isinstance(data, str) else data
        self.send_response(status)
        for name, value in (
            ("Content-Type", kind + "; charset=utf-8"),
            ("Content-Length", str(len(data))),
            ("Content-Security-Policy", policy),
            ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
            *more,
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def refuse(self, status, text):
        self.close_connection = True
        self.answer(status, "text/plain", text + "\n")

    def allowed(self, token):
        """Does this request come from our page?"""
        try:
            self.server.door.admit(self.headers, token)
        except doors.Refused as refused:
            self.refuse(refused.status, refused.text)
            return False
        return True

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
        door, query = self.server.door, urllib.parse.parse_qs(parts.query)
        if parts.path.startswith("/made/"):
            with self.server.lock:
                page = self.server.made.get(parts.path[len("/made/"):])
            if page is None or not door.named(self.headers):
                self.refuse(404, "this page is gone")
            else:
                self.answer(200, "text/html", page, MADE_POLICY)
        elif parts.path == "/favicon.ico":
            self.answer(204, "image/x-icon", b"")
        elif parts.path != "/":
            self.refuse(404, "there is nothing here")
        elif not door.named(self.headers):
            self.refuse(421, "this server has another name")
        elif door.is_class:
            self.page(query)
        elif self.allowed(query.get("token", [""])[0]):
            self.page(query)

    def page(self, query):
        server, nonce, missing = self.server, secrets.token_urlsafe(16), False
        first, of_link = server.first, query.get("s", [""])[0]
        if of_link and server.shares:
            found = server.shares.get(of_link)
            first, missing = (json.loads(found), False) if found else (first, True)
        data = {"token": server.door.token, "first": first, "examples": examples(), "tutorial": server.tutorial, "shares": bool(server.shares),
                "shared": bool(of_link) and not missing, "missing": missing}
        self.answer(200, "text/html",
                    server.page.replace("@NONCE@", nonce).replace("@DATA@", json.dumps(data).replace("<", "\\u003c")),
                    PAGE_POLICY % (nonce, nonce), server.door.page_headers(self.headers))

    def do_POST(self):
        try:
            visitor = self.server.door.admit(self.headers, self.headers.get("X-Token"))
            made = self.made(visitor)
        except doors.Refused as refused:
            self.refuse(refused.status, refused.text)
        except (ValueError, RecursionError):        # too deep for the reader of JSON
            self.refuse(400, "this is not a request of the page")
        except work_of.Wrong as wrong:
            self.refuse(400, str(wrong))
        except turns.Full as full:
            self.refuse(429, str(full))
        except turns.Gone:
            self.close_connection = True
        except Stop as stop:                        # a part that a tool needs cannot be built
            self.refuse(500, stop.message)
        else:
            self.answer(200, "application/json", json.dumps(made))

    def made(self, visitor):
        """The answer to a request: a result, a place in the queue, or the name of a shared program."""
        size = int(self.headers.get("Content-Length", ""))
        if not 0 <= size <= MOST_BODY:
            raise ValueError
        body = self.rfile.read(size)
        request = json.loads(body)
        if not isinstance(request, dict):
            raise ValueError
        if self.path == "/place":
            return {"place": self.server.work.turns.place(visitor, request.get("ticket"))}
        if self.path == "/share" and self.server.shares:
            return {"name": self.server.shares.put(work_of.shared(request))}
        if self.path != "/do":
            raise ValueError
        made = self.server.work.do(request, self.gone, visitor)
        if made["kind"] == "html" and made["out"]:
            made["page"] = "/made/" + self.server.keep(made.pop("out"))
        return made
