"""Writes a model of weak/*.weak as a program for a checker that others wrote: C for GenMC, C++ for Relacy.

A place that is only read and written as `na` becomes a plain variable, so that the checker looks for data races there.
`await` and `lock` become loops. `heavy` (membarrier) becomes a handshake with fences: the other thread answers in one
of its gaps between instructions that access memory. Relacy draws the gap; for GenMC a program is written for each.

    asker:  fence; store release ASK 1; loop until ANSWER; fence           (at its end it asks in any case)
    other:  at the gap, if ASK: fence; store release ANSWER 1              (at its end it waits until it has answered)

The other thread also looks while it waits for a lock, which the asker may hold.
"""

import re
from dataclasses import dataclass

import weak

ORDERS = {"rlx": "relaxed", "acq": "acquire", "rel": "release", "ar": "acq_rel", "sc": "seq_cst"}
LOADED = {"rel": "rlx", "ar": "acq"}      # the order of what only reads, of what only writes
STORED = {"acq": "rlx", "ar": "rel"}


class Untranslatable(Exception):
    """What the model has, and the checkers have not."""


@dataclass(frozen=True)
class Dialect:
    """How a language spells what a model does. {p}: a place, {o}: an order, {v}: a value, {f}: an operation; of a cas
    {old}, and {failed}, its order if it fails. `was` is {old} before, and what was there after it."""
    order: str
    load: str
    store: str
    rmw: str
    cas: str
    plain_load: str
    plain_store: str
    fence: str
    check: str
    pause: str
    mixed: bool                           # whether a place can be accessed both as an atomic and as a plain one


C = Dialect(
    order="memory_order_%s",
    load="atomic_load_explicit(&{p}, {o})",
    store="atomic_store_explicit(&{p}, {v}, {o});",
    rmw="atomic_{f}_explicit(&{p}, {v}, {o})",
    cas="atomic_compare_exchange_strong_explicit(&{p}, &was, {v}, {o}, {failed});",
    plain_load="*(int *)&{p}",
    plain_store="*(int *)&{p} = {v};",
    fence="atomic_thread_fence({o});",
    check="assert({v});",
    pause="",
    mixed=True,
)
RELACY = Dialect(
    order="rl::mo_%s",
    load="{p}.load({o}, $)",
    store="{p}.store({v}, {o}, $);",
    rmw="{p}.{f}({v}, {o}, $)",
    # Relacy's reads the last write, also where it fails. So a load is tried first, now and then, which need not.
    cas="if (!rl::rand(2) || (was = {p}.load({failed}, $)) == {old}) "
        "{{ was = {old}; {p}.compare_exchange_strong(was, {v}, {o}, $, {failed}, $); }}",
    plain_load="int({p}($))",
    plain_store="{p}($) = {v};",
    fence="rl::atomic_thread_fence({o}, $);",
    check="RL_ASSERT({v});",
    pause="rl::yield(1, $);",
    mixed=False,
)
OPERATIONS = {"xchg": "exchange", "add": "fetch_add", "or": "fetch_or", "and": "fetch_and"}
ASK, ANSWER = "ask__", "answer__"


class Translation:
    """A program in one dialect: declarations, the body of each thread, the final checks."""

    def __init__(self, program, dialect):
        self.program, self.dialect = program, dialect
        if any(step[0] == "kill" for code in program.code.values() for step in code):
            raise Untranslatable("a signal's handler")
        self.asker, self.gaps = asker(program), gaps(program)
        self.plain = set(program.places) - {
            word for code in program.code.values() for step in code for word in atomically(step)
        }
        for step in [step for code in program.code.values() for step in code if "na" in step]:
            if not dialect.mixed and self.plain.isdisjoint(step):
                raise Untranslatable("a place that is accessed both as an atomic and as a plain one")
        self.places = dict(program.places, **({ASK: 0, ANSWER: 0} if self.asker else {}))
        self.registers: "list[str]" = []
        self.bodies = {name: self.body(name) for name in program.threads}
        self.checks = [self.say("check", v=self.expression(code)) for _, code in program.final]
        self.checks += [self.say("check", v="!(%s)" % self.expression(code)) for _, code, _ in program.exists]

    def say(self, form, **words):
        """One piece of text; orders are spelt as the dialect does."""
        for word in ("o", "failed"):
            if word in words:
                words[word] = self.dialect.order % ORDERS[words[word]]
        return getattr(self.dialect, form).format(**words)

    def register(self, thread, name):
        full = "%s__%s" % (thread, name)
        if full not in self.registers:
            self.registers.append(full)
        return full

    def expression(self, code, thread=""):
        """The text is the file name that weak.py compiled it with. Names: registers of the thread, or at the end of any
        thread (NAME.r), and places."""
        text = re.sub(r"\b(and|or|not)\b", lambda found: {"and": "&&", "or": "||", "not": "!"}[found[1]],
                      code.co_filename)

        def name(found):
            if found[2]:
                return self.register(found[1], found[2])
            return self.register(thread, found[1]) if thread else self.load(found[1], "rlx")

        return re.sub(r"\b([A-Za-z_]\w*)(?:\.(\w+))?", name, text)

    def load(self, place, order):
        if order == "na" or place in self.plain:
            return self.say("plain_load", p=place)
        return self.say("load", p=place, o=LOADED.get(order, order))

    def store(self, place, order, value):
        if order == "na":
            return self.say("plain_store", p=place, v=value)
        return self.say("store", p=place, v=value, o=STORED.get(order, order))

    def until(self, thread, read, condition):
        """A loop; meanwhile the thread may have to answer."""
        meanwhile = " ".join(self.answer(thread)) if self.answers(thread) else ""
        return "while (%s, !(%s)) { %s %s }" % (read, condition, meanwhile, self.dialect.pause)

    def answers(self, thread):
        return bool(self.asker) and thread != self.asker

    def answer(self, thread):
        """Executes the fence, if it is asked to and has not yet."""
        asked = self.register(thread, "asked")
        return [
            "if (!%s && (%s = %s)) {" % (asked, asked, self.load(ASK, "acq")),
            self.say("fence", o="sc"),
            self.say("store", p=ANSWER, v=1, o="rel"),
            "}",
        ]

    def body(self, thread):
        code, labels = self.program.code[thread], self.program.labels[thread]
        lines = []
        for at in range(len(code) + 1):
            lines += ["L_%s:;" % label for label, target in labels.items() if target == at]
            if self.answers(thread) and at in self.gaps:
                lines += ["if (gap == %d) {" % at, *self.answer(thread), "}"]
            if at < len(code):
                lines += self.step(thread, code[at])
        if self.answers(thread):
            lines += ["while (!%s) {" % self.register(thread, "asked"), *self.answer(thread), self.dialect.pause, "}"]
        elif self.asker:
            lines.append(self.say("store", p=ASK, v=1, o="rel"))
        return lines

    def step(self, thread, step):
        kind, value = step[0], lambda code: self.expression(code, thread)
        if kind == "load":
            return ["%s = %s;" % (self.register(thread, step[1]), self.load(step[3], step[2]))]
        if kind == "await":
            read = "%s = %s" % (self.register(thread, step[1]), self.load(step[3], step[2]))
            return [self.until(thread, read, value(step[4]))]
        if kind == "store":
            return [self.store(step[2], step[1], value(step[3]))]
        if kind == "rmw":
            _, target, what, order, place, operand = step
            change = self.say("rmw", p=place, v=value(operand), o=order, f=OPERATIONS[what])
            return ["%s = %s;" % (self.register(thread, target), change)]
        if kind == "cas":
            _, target, order, place, old, new = step
            change = self.say("cas", p=place, old=value(old), v=value(new), o=order, failed=LOADED.get(order, order))
            return ["{ int was = %s; %s %s = was; }" % (value(old), change, self.register(thread, target))]
        if kind == "lock":
            held = self.register(thread, "held")
            change = self.say("rmw", p=step[1], v=1, o="acq", f="exchange")
            return [self.until(thread, "%s = %s" % (held, change), "!" + held)]
        if kind == "unlock":
            return [self.say("store", p=step[1], v=0, o="rel")]
        if kind == "fence":
            return [self.say("fence", o=step[1])]
        if kind == "heavy":
            answered = self.register(thread, "answered")
            return [
                self.say("fence", o="sc"),
                self.say("store", p=ASK, v=1, o="rel"),
                self.until(thread, "%s = %s" % (answered, self.load(ANSWER, "acq")), answered),
                self.say("fence", o="sc"),
            ]
        if kind == "goto":
            return ["goto L_%s;" % step[1]]
        if kind == "if":
            return ["if (%s) goto L_%s;" % (value(step[1]), step[2])]
        if kind == "assert":
            return [self.say("check", v=value(step[1]))]
        return ["%s = %s;" % (self.register(thread, step[1]), value(step[2]))]


def atomically(step):
    """The places that an instruction reads or writes as atomic ones."""
    at = {"load": (2, 3), "store": (1, 2), "rmw": (3, 4), "cas": (2, 3), "await": (2, 3)}.get(step[0])
    if at:
        return [step[at[1]]] if step[at[0]] != "na" else []
    return [step[1]] if step[0] in ("lock", "unlock") else []


def asker(program):
    """The thread that executes `heavy`, or nothing."""
    found = [name for name, code in program.code.items() for step in code if step[0] == "heavy"]
    if found and (len(found) > 1 or len(program.threads) > 2):
        raise Untranslatable("a heavy fence among more than two threads")
    return found[0] if found else ""


def gaps(program):
    """Before which instructions the other thread may answer a heavy fence; its end is among them."""
    who = asker(program)
    other = next(program.code[name] for name in program.threads if name != who)
    quiet = ("goto", "if", "assert", "let")
    return [at for at in range(len(other) + 1) if at == len(other) or other[at][0] not in quiet] if who else [0]


def to_c(text, gap=0):
    """A whole program."""
    made = Translation(weak.parse(text), C)
    lines = ["#include <assert.h>", "#include <pthread.h>", "#include <stdatomic.h>", "enum { gap = %d };" % gap]
    lines += ["%s %s = %d;" % ("int" if p in made.plain else "atomic_int", p, v) for p, v in made.places.items()]
    asked = [register for register in made.registers if any(register in check for check in made.checks)]
    lines += ["int %s;" % register for register in asked]
    for name, body in made.bodies.items():
        own = [r for r in made.registers if r.startswith(name + "__") and r not in asked]
        lines += ["static void *run__%s(void *none)" % name, "{", *("int %s = 0;" % register for register in own)]
        lines += [*body, "return none;", "}"]
    lines += ["int main(void)", "{", "pthread_t threads[%d];" % len(made.bodies)]
    for n, name in enumerate(made.bodies):
        lines.append("pthread_create(&threads[%d], 0, run__%s, 0);" % (n, name))
    lines += ["pthread_join(threads[%d], 0);" % n for n in range(len(made.bodies))]
    return "\n".join([*lines, *made.checks, "return 0;", "}", ""])


def to_relacy(name, text):
    """A struct of that name."""
    made = Translation(weak.parse(text), RELACY)
    lines = ["struct %s : rl::test_suite<%s, %d> {" % (name, name, len(made.bodies))]
    lines += ["rl::%s<int> %s;" % ("var" if place in made.plain else "atomic", place) for place in made.places]
    lines += ["int %s;" % register for register in ["gap", *made.registers]]
    table = ", ".join(map(str, made.gaps))
    lines += ["void before() {", "static const int gaps[] = {%s};" % table, "gap = gaps[rl::rand(%d)];" % len(made.gaps)]
    lines += [made.store(p, "na" if p in made.plain else "rlx", v) for p, v in made.places.items()]
    lines += ["%s = 0;" % register for register in made.registers]
    lines.append("}")
    for n, body in enumerate(made.bodies.values()):
        lines += ["void thread%d() {" % n, *body, "}"]
    lines.append("void thread(unsigned n) {")
    lines += ["if (n == %d) return thread%d();" % (n, n) for n in range(len(made.bodies))]
    return "\n".join([*lines, "}", "void after() {", *made.checks, "}", "};", ""])
