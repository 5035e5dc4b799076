"""Turns: so many requests run at a time, and the next one is the visitor's who has the fewest running, in rotation.

A visitor who asks for ten things at once therefore delays another by one of them, not by ten. Each waits in a thread of
the server, until its turn comes or its client goes.
"""

import contextlib
import threading
from collections import deque

LOOK_AFTER = 0.5            # seconds between two looks whether the client is still there


class Full(Exception):
    """This visitor, or all together, wait for too many already."""


class Gone(Exception):
    """The client went before its turn came."""


class Waiter:
    def __init__(self, visitor, ticket):
        self.visitor, self.ticket, self.begun = visitor, ticket, threading.Event()


class Turns:
    """Thread-safe. `at_once`: how many run; `of_one`, `of_all`: how many may wait, of one visitor and in all."""

    def __init__(self, at_once, of_one=12, of_all=2000):
        self.free, self.of_one, self.of_all = at_once, of_one, of_all
        self.lock = threading.Lock()
        self.waiting: "dict[str, deque[Waiter]]" = {}           # in the order of their turns; no queue is empty
        self.running: "dict[str, int]" = {}

    @contextlib.contextmanager
    def turn(self, visitor, ticket, gone):
        waiter = Waiter(visitor, ticket)
        with self.lock:
            if len(self.waiting.get(visitor, ())) >= self.of_one:
                raise Full("you wait for %d results already" % self.of_one)
            if sum(map(len, self.waiting.values())) >= self.of_all:
                raise Full("too many wait: try again in a minute")
            self.waiting.setdefault(visitor, deque()).append(waiter)
            self._begin()
        try:
            while not waiter.begun.wait(LOOK_AFTER):
                if gone():
                    raise Gone
            yield
        finally:
            with self.lock:
                if waiter.begun.is_set():
                    self.free += 1
                    self.running[visitor] -= 1
                    if not self.running[visitor]:
                        del self.running[visitor]
                else:
                    self.waiting[visitor].remove(waiter)
                    if not self.waiting[visitor]:
                        del self.waiting[visitor]
                self._begin()

    def _begin(self):
        while self.free and self.waiting:
            visitor = min(self.waiting, key=lambda name: self.running.get(name, 0))     # the first of several
            queue = self.waiting.pop(visitor)
            queue.popleft().begun.set()
            if queue:
                self.waiting[visitor] = queue                   # after all others
            self.free -= 1
            self.running[visitor] = self.running.get(visitor, 0) + 1

    def place(self, visitor, ticket):
        """How many begin before this request if no other comes, or None if it does not wait."""
        with self.lock:
            before = True
            mine = self.waiting.get(visitor, ())
            round_of = next((i for i, waiter in enumerate(mine) if waiter.ticket == ticket), None)
            if round_of is None:
                return None
            place = round_of
            for name, queue in self.waiting.items():
                if name == visitor:
                    before = False
                else:
                    place += min(len(queue), round_of + before)
            return place
