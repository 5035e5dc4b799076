"""`cilkc step --tui`: a run step by step in the terminal (step_view.py), with the keys of the page. A digit lets that
worker go next, which is another run of the program. prompt_toolkit draws and reads the keys."""

import importlib.util
import os
import re

from cilkc_driver.console import Stop

from .step_view import View

PINNED = "3.0.53"
MISSING = "cilkc step --tui needs prompt_toolkit's module for Python: pip install prompt_toolkit==%s"
STYLE = {"now": "bold", "head": "bold", "fresh": "reverse", "pending": "italic #888888", "bad": "#d03020", "quiet": "#888888"}
HELP = "← →  one point   shift ← →  switch   s  steal   Home End   / search   0-9 this worker goes next   q  quit"


def check():
    """Before the program is compiled."""
    if not importlib.util.find_spec("prompt_toolkit"):
        raise Stop(MISSING % PINNED)
    if not (os.isatty(0) and os.isatty(1)):
        raise Stop("--tui plays the run in a terminal, which this is not")


def run(stepping):
    shown = stepping.first()
    if shown is None:
        return 125
    if not shown.story.steps:
        raise Stop("the run has no points")
    Player(stepping, shown).application().run()
    return 0


class Player:
    def __init__(self, stepping, shown):
        self.stepping, self.searching = stepping, False
        self.take(shown, 0)

    def take(self, shown, index):
        self.shown, self.view, self.steps = shown, View(shown.story), shown.story.steps
        self.turns = shown.story.turns()
        self.show(index)

    def show(self, index):
        self.step = self.view.go(max(0, min(index, len(self.steps) - 1)))

    # ---- what keys do ----

    def next(self, wanted):
        """The next step for which this holds, or the present step."""
        return next((i for i in range(self.view.at + 1, len(self.steps)) if wanted(self.steps[i])), self.view.at)

    def actions(self):
        at = self.view.at
        return {"right": lambda: at + 1, "left": lambda: at - 1, "home": lambda: 0, "end": lambda: len(self.steps) - 1,
                "s-right": lambda: next((i for i in self.turns if i > at), len(self.steps) - 1),
                "s-left": lambda: next((i for i in reversed(self.turns) if i < at), 0),
                "s": lambda: self.next(lambda step: any(" steals " in text for text in step.before))}

    def search(self, text):
        """A number is a line, a name a variable that changes there."""
        leaves = {leaf.number for v in self.shown.story.values.variables if v.name == text for leaf in v.leaves}
        line = int(text) if re.fullmatch(r"[0-9]{1,9}", text) else None
        self.show(self.next(lambda step: step.line == line if line else leaves.intersection(step.changes[::2])))

    def choose(self, worker):
        if worker < self.shown.story.workers and worker != self.step.worker:
            number = self.step.number
            shown = self.stepping.by(self.shown.choose(number, worker))
            if shown.story.steps:
                self.take(shown, next((i for i, s in enumerate(shown.story.steps) if s.number > number), 1 << 30))

    # ---- what is drawn ----

    def top(self):
        yield "head", "%s: point %d (step %d of %d), %d steals\n" % (
            self.stepping.name, self.step.number, self.view.at + 1, len(self.steps), self.shown.facts["steals"])
        for text in filter(None, (self.shown.facts["what"], self.shown.why())):
            yield "bad", text + "\n"
        for style, text in self.view.news(self.step):
            yield style, text + "\n"

    def application(self):
        from prompt_toolkit.application import Application
        from prompt_toolkit.buffer import Buffer
        from prompt_toolkit.filters import Condition
        from prompt_toolkit.key_binding import KeyBindings
        from prompt_toolkit.layout import ConditionalContainer, HSplit, Layout, VSplit, Window
        from prompt_toolkit.layout.controls import BufferControl, FormattedTextControl
        from prompt_toolkit.styles import Style

        def lines(made):
            return FormattedTextControl(lambda: [("class:" + style if style else "", text) for style, text in made()])

        def searched(buffer):
            self.searching = False
            self.search(buffer.text.strip())
            made.layout.focus(body)
            return False

        def source():
            for style, text in self.view.text(self.step, max(5, made.output.get_size().rows - 14)):
                yield style, text + "\n"

        def variables():
            for line in self.view.variables(self.step):
                yield from line
                yield "", "\n"

        asked = Buffer(accept_handler=searched, multiline=False)
        body = Window(lines(source))
        rows = [Window(lines(self.top), wrap_lines=True, dont_extend_height=True),
                VSplit([body, Window(width=1, char="│"), Window(lines(variables), wrap_lines=True)]),
                Window(lines(lambda: ((style, text + "\n") for style, text in self.view.workers(self.step))),
                       wrap_lines=True, dont_extend_height=True),
                Window(lines(lambda: [("quiet", "prints: " + repr(self.printed())[1:-1])]), height=1),
                ConditionalContainer(Window(BufferControl(asked), height=1), Condition(lambda: self.searching)),
                Window(lines(lambda: [("quiet", "line or variable, then Enter" if self.searching else HELP)]), height=1)]
        keys, idle = KeyBindings(), Condition(lambda: not self.searching)
        for key in self.actions():
            keys.add(key, filter=idle)(lambda _, key=key: self.show(self.actions()[key]()))
        for digit in "0123456789":
            keys.add(digit, filter=idle)(lambda _, worker=int(digit): self.choose(worker))

        @keys.add("/", filter=idle)
        def _(_):
            self.searching = True
            made.layout.focus(asked)

        keys.add("q", filter=idle)(lambda event: event.app.exit())
        keys.add("c-c")(lambda event: event.app.exit())
        made = Application(Layout(HSplit(rows), focused_element=body), key_bindings=keys, full_screen=True,
                           style=Style.from_dict(STYLE))
        return made

    def printed(self):
        return self.shown.outcome.out[:self.view.printed].decode(errors="replace")[-150:]
