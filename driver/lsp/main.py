"""`cilkc lsp`: starts the server on standard input and output."""

import functools
import logging
import os
import signal
import sys

import attrs

from cilkc_driver import console, home


class OneLine(logging.Formatter):
    """What pygls reports of a wrong message, without its traceback."""

    def format(self, record):
        parts = [record.getMessage(), *([str(record.exc_info[1])] if record.exc_info else [])]
        return "cilkc lsp: " + ": ".join(part.partition("\n")[0] for part in parts)


def load_protocol():
    """Most of the start is attrs' work on 554 classes. A third of it makes texts for them that are never printed."""
    define = attrs.define
    attrs.define = functools.partial(define, repr=False)
    try:
        import lsprotocol.types  # noqa: F401
    finally:
        attrs.define = define


def main():
    home.cilkc1()          # a clear message, where it is not built
    if sys.stdin is None or sys.stdin.closed:
        raise console.Stop("an editor starts this command and speaks with it on standard input", 2)
    if not os.environ.get("CILKC_TRACEBACK"):
        handler = logging.StreamHandler()
        handler.setFormatter(OneLine())
        logging.getLogger().addHandler(handler)
    load_protocol()
    from . import runs
    from .server import make
    server = make()

    def end(number, _):         # an editor that is in a hurry; a thread may wait for more input, so we do not
        runs.end()
        server.close()
        os._exit(128 + number)
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    try:
        server.start_io()
    finally:
        server.close()
    return 0
