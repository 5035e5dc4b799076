"""`cilkc step --serve`: the page of a run, on which a click lets another worker go on: that is another run, by a longer
list of switches, which is what the page's address has.

The server and its refusals are those of `cilkc play`. Nothing is kept between two requests.
"""

import threading
import urllib.parse

from cilkc_driver.console import Stop
from tools import instrumented, step

from . import server

POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'"


def main(words, settings):
    return instrumented.session(lambda temp: run(words, settings, temp), step.NOT_RUN)


def run(words, settings, temp):
    if settings["output"] or settings["tui"]:
        raise Stop("--serve writes no page: it cannot be used with -o and --tui")
    stepping = step.Stepping(words, settings, temp)
    first = stepping.first()
    if first is None:
        return step.NOT_RUN
    try:
        made = Server(settings["port"], stepping, first)
    except OSError as error:
        raise Stop("cannot listen on port %d: %s" % (settings["port"], error.strerror))
    print("cilkc step: open %s in a browser; ctrl-C ends it" % made.address, flush=True)
    made.until_interrupted()
    return 0


class Server(server.Server):
    def __init__(self, port, stepping, first):
        super().__init__(port, None, first, handler=Handler)
        self.stepping, self.one = stepping, threading.Lock()

    def shown(self, listed):
        """The page of a list of switches; of the run that the options ask for where there is none."""
        with self.one:
            made = self.first
            if listed is not None:
                made = self.stepping.by(step.switches(listed, self.first.story.workers))
            return made.page(switches=made.switches)


class Handler(server.Handler):
    server: Server

    def do_GET(self):
        parts = urllib.parse.urlsplit(self.path)
        asked = urllib.parse.parse_qs(parts.query, keep_blank_values=True)
        if parts.path != "/":
            self.refuse(404, "there is nothing here")
        elif self.allowed(asked.get("token", [""])[0]):
            try:
                self.answer(200, "text/html", self.server.shown(asked.get("schedule", [None])[0]), POLICY)
            except Stop as stop:
                self.refuse(400, stop.message)

    def do_POST(self):
        self.refuse(405, "there is nothing to send")
