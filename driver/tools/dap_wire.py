"""Messages of the Debug Adapter Protocol on two descriptors: a header with the length, then JSON. gdb_dap.py reads and
writes them inside gdb, and the tests outside of it."""

import json
import os
import threading

MOST = 1 << 24          # bytes of a message


class Broken(Exception):
    """What came is no message; where the next one begins is not known."""


class Wire:
    def __init__(self, reads, writes):
        self.input, self.output = os.fdopen(reads, "rb"), writes
        self.lock, self.number = threading.Lock(), 0

    def read(self):
        """The next message; None at the end of the input. ValueError: its JSON is wrong."""
        length = None
        for count in range(20):
            line = self.input.readline(1000)
            if not line and not count:
                return None
            if line in (b"\r\n", b"\n"):
                break
            name, colon, value = line.partition(b":")
            if not colon or not line.endswith(b"\n"):
                raise Broken("not a header: %r" % line[:60])
            if name.strip().lower() == b"content-length":
                length = int(value) if value.strip().isdigit() else -1
        if length is None or not 0 <= length <= MOST:
            raise Broken("a header without a Content-Length of 0 to %d" % MOST)
        body = self.input.read(length)
        if len(body) < length:
            raise Broken("the input ends within a message")
        try:
            message = json.loads(body)
        except RecursionError:
            raise ValueError("nested too deeply")
        if not isinstance(message, dict):
            raise ValueError("not an object")
        return message

    def write(self, kind, **fields):
        with self.lock:
            self.number += 1
            text = json.dumps(dict(fields, seq=self.number, type=kind)).encode()
            data = b"Content-Length: %d\r\n\r\n" % len(text) + text
            while data:
                data = data[os.write(self.output, data):]

    def event(self, name, **body):
        self.write("event", event=name, body=body)
