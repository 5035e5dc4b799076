#!/usr/bin/env python3
"""Random programs of Cilk-1 whose answer does not depend on the schedule.

    threads.py SEED [END]                 the program; the programs from SEED up to END in one
    threads.py SEED [END] --mixed         with Cilk-5 procedures, which threads spawn and which spawn threads
    threads.py SEED [END] --elision ..    what it computes, as plain C, written by this generator and not by the
                                          compiler under test

A program is a handful of *families*. Family i computes a value of its type from a number x and a depth d. In C it is
a function, in Cilk-1 a thread `f<i>` that sends the value to its continuation, and the successors that it makes.
Above depth 0 it needs some *parts*, each a value of another family at depth d - 1 or an expression, and combines
them. The same list of parts is written in both languages; only the way in which a part comes into its slot differs:
  * spawned with the slot's continuation; by a tail call as the thread's last action; on a given worker; in a loop
    over an array of continuations;
  * through a relay, a waiting thread between the child and the slot; through a thread that gets several
    continuations in a struct;
  * sent by the thread itself; by a second step: a successor that spawns more parts once the first ones are there.
Every slot gets one value, so the combination does not depend on the order of sends.
"""

import random
import sys

PRELUDE = r'''
#include <stdio.h>
#include <stdlib.h>
typedef unsigned long u64;
struct pair { u64 a; int b; };
struct big { u64 v[14]; };
static u64 mix(u64 x) { x ^= x >> 31; x *= 0x9e3779b97f4a7c15ul; x ^= x >> 29; return x; }
static struct pair to_pair(u64 x) { struct pair p; p.a = mix(x); p.b = (int)(x & 0xffff); return p; }
static u64 from_pair(struct pair p) { return p.a * 3 + (u64)p.b; }
static struct big to_big(u64 x) { struct big b; int i; for (i = 0; i < 14; i++) b.v[i] = x = mix(x + 1); return b; }
static u64 from_big(struct big b) { u64 x = 0; int i; for (i = 0; i < 14; i++) x = x * 5 + b.v[i]; return x; }
static u64 work(u64 n) { volatile u64 i; for (i = 0; i < n % 397; i++) ; return n; }
'''

# name: (C type, from a number, to a number)
TYPES = {
    "u64": ("u64", "(%s)", "(%s)"),
    "int": ("int", "(int)((%s) & 0xfffff)", "(u64)(%s)"),
    "short": ("short", "(short)((%s) & 0x3fff)", "(u64)(%s)"),
    "char": ("signed char", "(signed char)((%s) & 63)", "(u64)(%s)"),
    "double": ("double", "(double)((%s) & 0xfffff)", "(u64)(%s)"),
    "float": ("float", "(float)((%s) & 0xffff)", "(u64)(%s)"),
    "pair": ("struct pair", "to_pair(%s)", "from_pair(%s)"),
    "big": ("struct big", "to_big(%s)", "from_big(%s)"),
}


MOST = 6000          # calls of families in one program


class Part:
    """One value that a family needs: of family `source`, or (None) an expression of x."""

    def __init__(self, source, how, number):
        self.source, self.how, self.number = source, how, number

    def seed(self):
        return "mix(x + %du)" % self.number


class Family:
    def __init__(self, prefix, number, kind, procedure):
        self.name = "%s%s%d" % (prefix, "q" if procedure else "f", number)
        self.number, self.kind, self.procedure = number, kind, procedure
        self.type, self.make, self.read = TYPES[kind]
        self.steps = []       # lists of parts: one successor waits for each
        self.tail = None      # instead: all of the work is that family's


class Generator:
    def __init__(self, seed, mixed):
        self.r = random.Random("threads %d %s" % (seed, mixed))
        self.prefix = "s%d_" % seed
        n = self.r.randint(2, 5)
        self.families = [
            Family(self.prefix, i, self.r.choice(list(TYPES)), mixed and i > 0 and self.r.random() < 0.45)
            for i in range(n)
        ]
        self.families[0].kind = "u64"
        self.families[0].type, self.families[0].make, self.families[0].read = TYPES["u64"]
        for family in self.families:
            self.fill(family)
        self.depth = next((d - 1 for d in range(2, 40) if self.calls(d) > MOST), 39)

    def calls(self, depth):
        """How many calls of families a program makes, if nothing is cut off."""
        now = {f: 1 for f in self.families}
        for _ in range(depth):
            now = {
                f: 1
                + (now[f.tail] if f.tail else sum(now[part.source] for step in f.steps for part in step if part.source))
                for f in self.families
            }
        return now[self.families[0]]

    def fill(self, family):
        r = self.r
        alike = [f for f in self.families if f.kind == family.kind and not f.procedure]
        if not family.procedure and r.random() < 0.12:
            family.tail = r.choice(alike)
            return
        for _ in range(1 if family.procedure else r.choice((1, 1, 1, 2, 3))):
            parts = []
            for _ in range(r.randint(1, 4)):
                source = None if r.random() < 0.2 else r.choice(self.families)
                parts.append(
                    Part(source, r.choice(("plain", "plain", "plain", "place", "relay", "group")), r.randint(1, 10**6))
                )
            if len(family.steps) + len(parts) <= 6:
                family.steps.append(parts)
        if not family.steps:
            family.steps.append([Part(r.choice(self.families), "plain", 1)])
        calls = [part for step in family.steps for part in step if part.source]
        for part in calls[3:]:
            part.source = None          # or programs grow beyond all bounds
        family.loop = not family.procedure and r.random() < 0.2
        if family.loop:                 # one step: children of one family into an array
            source = r.choice([f for f in self.families if not f.procedure])
            family.steps = [[Part(source, "loop", r.randint(1, 10 ** 6)) for _ in range(r.randint(1, 3))]]
        family.tails = not family.procedure and r.random() < 0.5
        family.busy = r.random() < 0.3
        family.cutoff = r.random() < 0.2

    # ---- values ----

    def kind_of(self, family, part):
        return part.source.kind if part.source else ("u64", "int", "pair", "double")[part.number % 4]

    def combine(self, family, names):
        """The family's value from x and its parts, in both languages."""
        text = "x"
        flat = [part for step in family.steps for part in step]
        for part, name in zip(flat, names):
            text = "mix(%s + %s * %du)" % (text, TYPES[self.kind_of(family, part)][2] % name, part.number | 1)
        return family.make % text

    def leaf(self, family):
        return family.make % ("mix(x ^ %du)" % (family.number * 77 + 1))

    def value(self, family, part):
        return TYPES[self.kind_of(family, part)][1] % part.seed()

    # ---- plain C ----

    def elision(self):
        out = ["static %s %s(u64 x, int d);" % (f.type, f.name) for f in self.families]
        for f in self.families:
            out.append("static %s %s(u64 x, int d)\n{" % (f.type, f.name))
            out.append("    if (d <= 0) return %s;" % self.leaf(f))
            if f.tail:
                out.append("    return %s(mix(x + 1), d - 1);" % f.tail.name)
            else:
                flat = [part for step in f.steps for part in step]
                if f.cutoff:
                    out.append("    if (x %% 3 == 0) return %s;" % (f.make % "x * 9"))
                names = ["p%d" % i for i in range(len(flat))]
                for name, part in zip(names, flat):
                    call = "%s(%s, d - 1)" % (part.source.name, part.seed()) if part.source else self.value(f, part)
                    out.append("    %s %s = %s;" % (TYPES[self.kind_of(f, part)][0], name, call))
                out.append("    return %s;" % self.combine(f, names))
            out.append("}")
        return "\n".join(out), "    printf(\"%%lu\\n\", %s(12345, %d));\n" % (self.families[0].name, self.depth)

    # ---- Cilk-1 ----

    def program(self):
        self.later = []                 # threads beside the families
        bodies = [self.procedure(f) if f.procedure else self.thread(f) for f in self.families]
        heads = [
            "cilk %s %s(u64 x, int d);" % (f.type, f.name)
            if f.procedure
            else "thread %s(cont %s k, u64 x, int d);" % (f.name, f.type)
            for f in self.families
        ]
        text = "\n".join([*heads, *[head for head, _ in self.later], *bodies, *[text for _, text in self.later]])
        return text, '    r = spawn %s(12345, %d);\n    sync;\n    printf("%%lu\\n", r);\n' % (
            self.families[0].name,
            self.depth,
        )

    def helper(self, parameters, body):
        name = "%sh%d" % (self.prefix, len(self.later))
        head = "thread %s(%s)" % (name, parameters)
        self.later.append((head + ";", "%s\n{\n%s}" % (head, body)))
        return name

    def procedure(self, f):
        flat = f.steps[0]
        out = ["cilk %s %s(u64 x, int d)\n{" % (f.type, f.name)]
        out += ["    %s p%d;" % (TYPES[self.kind_of(f, part)][0], i) for i, part in enumerate(flat)]
        out.append("    if (d <= 0) return %s;" % self.leaf(f))
        if f.cutoff:
            out.append("    if (x %% 3 == 0) return %s;" % (f.make % "x * 9"))
        for i, part in enumerate(flat):
            if part.source:
                out.append("    p%d = spawn %s(%s, d - 1);" % (i, part.source.name, part.seed()))
            else:
                out.append("    p%d = %s;" % (i, self.value(f, part)))
            if self.r.random() < 0.3:
                out.append("    sync;")
        out.append("    sync;\n    return %s;\n}" % self.combine(f, ["p%d" % i for i in range(len(flat))]))
        return "\n".join(out)

    def thread(self, f):
        out = ["thread %s(cont %s k, u64 x, int d)\n{" % (f.name, f.type)]
        out.append("    if (d <= 0) {\n        send_argument(k, %s);\n        return;\n    }" % self.leaf(f))
        if f.tail:
            out.append("    tail_call %s(k, mix(x + 1), d - 1);\n}" % f.tail.name)
            return "\n".join(out)
        if f.busy:
            out.append("    work(x);")
        if f.cutoff:
            out.append(
                "    if (x %% 3 == 0) {\n        send_argument(k, %s);\n        return;\n    }" % (f.make % "x * 9")
            )
        out.append(self.loop(f) if f.loop else self.step(f, 0))
        out.append("}")
        return "\n".join(out)

    def loop(self, f):
        parts = f.steps[0]
        n = len(parts)
        source = parts[0].source
        names = ["p%d" % i for i in range(n)]
        join = self.helper(
            "cont %s k, u64 x, %s" % (f.type, ", ".join("%s %s" % (source.type, name) for name in names)),
            "    send_argument(k, %s);\n" % self.combine(f, names),
        )
        return (
            "    cont %s v[%d];\n    u64 s[%d];\n    int i;\n%s    spawn_next %s(k, x, %s);\n    for (i = 0; i < %d; i++)\n        spawn %s(v[i], s[i], d - 1);"
            % (
                source.type,
                n,
                n,
                "".join("    s[%d] = %s;\n" % (i, part.seed()) for i, part in enumerate(parts)),
                join,
                ", ".join("?v[%d]" % i for i in range(n)),
                n,
                source.name,
            )
        )

    def step(self, f, at):
        """The parts of step `at`, and the successor that waits for them: the next step, or the combination."""
        before = [part for step in f.steps[:at] for part in step]
        parts = f.steps[at]
        known = ["%s p%d" % (TYPES[self.kind_of(f, part)][0], i) for i, part in enumerate(before + parts)]
        names = ["p%d" % i for i in range(len(known))]
        last = at + 1 == len(f.steps)
        body = "    send_argument(k, %s);\n" % self.combine(f, names) if last else self.step(f, at + 1) + "\n"
        join = self.helper("cont %s k, u64 x, int d, %s" % (f.type, ", ".join(known)), body)
        first = len(before)
        out = ["    cont %s c%d;" % (TYPES[self.kind_of(f, part)][0], first + i) for i, part in enumerate(parts)]
        out.append(
            "    spawn_next %s(k, x, d, %s);"
            % (join, ", ".join(names[:first] + ["?c%d" % (first + i) for i in range(len(parts))]))
        )
        order = list(range(len(parts)))
        self.r.shuffle(order)
        group = [i for i in order if parts[i].how == "group" and not (parts[i].source and parts[i].source.procedure)]
        rest = [i for i in order if i not in group]
        lines = [
            self.deliver(f, parts[i], "c%d" % (first + i), "x", i == rest[-1] and f.tails and not group) for i in rest
        ]
        if group:
            lines.append(self.together(f, parts, group, first))
        return "\n".join(out + lines)

    def deliver(self, f, part, slot, x, last):
        seed = part.seed()
        if not part.source:
            return "    send_argument(%s, %s);" % (slot, self.value(f, part))
        target = part.source.name
        if part.how == "relay":
            kind = part.source.type
            relay = self.helper("cont %s k, %s v" % (kind, kind), "    send_argument(k, v);\n")
            word = self.r.choice(("spawn", "spawn_next"))
            return (
                "    {\n        cont %s between;\n        %s %s(%s, ?between);\n        spawn %s(between, %s, d - 1);\n    }"
                % (kind, word, relay, slot, target, seed)
            )
        if last and not part.source.procedure:
            return "    tail_call %s(%s, %s, d - 1);" % (target, slot, seed)
        place = " @ (int)(x % 5)" if part.how == "place" else ""
        return "    spawn %s(%s, %s, d - 1)%s;" % (target, slot, seed, place)

    def together(self, f, parts, group, first):
        """Their continuations in a struct, to one thread that sees to them."""
        number = len(self.later)
        members = "".join("cont %s c%d; " % (TYPES[self.kind_of(f, parts[i])][0], first + i) for i in group)
        tag = "struct %sgroup%d" % (self.prefix, number)
        body = "".join(
            self.deliver(f, Part(parts[i].source, "plain", parts[i].number), "g.c%d" % (first + i), "x", False) + "\n"
            for i in group
        )
        name = self.helper("%s g, u64 x, int d" % tag, body)
        head, text = self.later[-1]
        self.later[-1] = ("%s { %s};\n%s" % (tag, members, head), text)
        return "    {\n        %s g;\n%s        spawn %s(g, x, d);\n    }" % (
            tag,
            "".join("        g.c%d = c%d;\n" % (first + i, first + i) for i in group),
            name,
        )


def programs(seeds, elision=False, mixed=False):
    """One program: a line of output for each seed."""
    made = [Generator(seed, mixed) for seed in seeds]
    texts = [g.elision() if elision else g.program() for g in made]
    head = "int main(void)\n{\n" if elision else "cilk int main(void)\n{\n    u64 r;\n"
    return "%s\n%s\n%s%s    return 0;\n}\n" % (
        PRELUDE,
        "\n".join(text for text, _ in texts),
        head,
        "".join(call for _, call in texts),
    )


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    print(
        programs(
            range(numbers[0], numbers[1] if numbers[1:] else numbers[0] + 1),
            "--elision" in sys.argv,
            "--mixed" in sys.argv,
        ),
        end="",
    )
