"""What the command says on stderr, as text or into a document, and the exceptions that end it with a message.

All of the command imports this, so it imports nothing that the interpreter has not loaded anyway.
"""

import os
import sys


class Stop(Exception):
    """Ends the command with an exit status; the message, if any, has the C compilers' shape."""

    def __init__(self, message=None, status=1, kind="error"):
        Exception.__init__(self, message)
        self.message, self.status, self.kind = message, status, kind


class HelpWanted(Exception):
    """--help among the words of a compilation: start.py, which knows the commands, shows it."""


class Messages:
    """What collects the messages of a call for one document (report.py)."""

    where = 2           # the descriptor that the document goes to

    def take(self, data):
        raise NotImplementedError

    def finish(self, status):
        raise NotImplementedError


document: "Messages | None" = None       # None: messages are text on stderr


def write_stderr(data):
    """All of `data` to stderr, past Python's own buffering, so that it keeps its place among the tools' output."""
    if document is not None:
        document.take(data)
        return
    sys.stderr.flush()
    write_all(2, data)


def write_all(fd, data):
    try:
        put(fd, data)
    except OSError:
        pass


def put(fd, data):
    """All of `data`; an error names the stream."""
    try:
        while data:
            data = data[os.write(fd, data):]
    except OSError as error:
        error.filename = "standard output" if fd == 1 else None
        raise


def colour_of(when, stream=2):
    """'always' or 'never' for an option that may also be None or 'auto'."""
    if when in ("always", "never"):
        return when
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return "never"
    return "always" if os.isatty(stream) else "never"


def message(kind, text, colour=None):
    """One line on stderr in the C compilers' shape."""
    if colour_of(colour) == "always" and document is None:
        shade = "35" if kind == "warning" else "31"
        line = "\033[1mcilkc:\033[0m \033[1;%sm%s:\033[0m %s\n" % (shade, kind, text)
    else:
        line = "cilkc: %s: %s\n" % (kind, text)
    write_stderr(line.encode("utf-8", "surrogateescape"))
