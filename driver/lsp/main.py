"""`cilkc lsp`: starts the server on standard input and output."""

import signal
import sys

from cilkc_driver import tools


def main():
    tools.cilkc1()          # a clear message, where it is not built
    if sys.stdin is None or sys.stdin.closed:
        raise tools.Stop("an editor starts this command and speaks with it on standard input", 2)
    from .server import make
    server = make()

    def end(*_):                # an editor that is in a hurry: the folder of copies is removed
        raise KeyboardInterrupt
    signal.signal(signal.SIGTERM, end)
    try:
        server.start_io()
    finally:
        server.close()
    return 0
