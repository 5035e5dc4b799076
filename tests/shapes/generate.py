#!/usr/bin/env python3
"""Random Cilk procedures over every shape of control flow.

    generate.py FIRST-LAST        one program with these shapes; it prints a line for each

A shape is one procedure, or two that spawn each other, and calls of it with small arguments. The body begins with
tests and branches as a leaf has them, and goes on with statements of all kinds: chains of else-if with and without
braces, switch with fall-through, loops with break and continue, jumps, early returns; nested blocks with
declarations, statement expressions, spawns in every form, objects that must not move.

With -Dcilk= -Dspawn= -Dsync= -Dinlet= the text is the program's C elision (inlets are gcc's nested functions): the
answer comes from gcc alone. The answer does not depend on the schedule: a variable that a child may still write is
neither read nor written before the next sync (`pending`). Several children share a receiver only with an operator
that commutes, and `note` adds to one sum, which is atomic.
"""

import random
import sys

PRELUDE = r"""
#include <stdio.h>
#include <string.h>
#if __has_include(<cilk.h>) && !defined ELISION
#include <cilk.h>
#else
#define Cilk_alloca __builtin_alloca
#endif
typedef unsigned long u64;
struct pair { u64 a; int b; };
static u64 sum;
static u64 mix(u64 x) { x ^= x >> 31; x *= 0x9e3779b97f4a7c15ul; return x ^ x >> 29; }
static void note(u64 v) { __atomic_fetch_add(&sum, mix(v), __ATOMIC_RELAXED); }
static u64 noted(u64 v) { note(v); return v; }
static void ended(u64 *p) { note(*p + 1); }
static u64 peek(u64 *p) { return *p = *p * 3 + 1; }
static struct pair make_pair(u64 x) { struct pair p; p.a = x; p.b = (int)(x & 0xfff); return p; }
static u64 arena[1 << 16];
static unsigned next_cell;
static u64 *fresh(void) { u64 *c = &arena[__atomic_fetch_add(&next_cell, 1, __ATOMIC_RELAXED) & 0xffff]; *c = 5; return c; }
"""

# C type, a value of it from a number, a number from a value
TYPES = {
    "u64": ("u64", "(u64)(%s)", "(u64)(%s)"),
    "int": ("int", "(int)((%s) & 0xffffff)", "(u64)(%s)"),
    "char": ("char", "(char)((%s) & 63)", "(u64)(%s)"),
    "double": ("double", "(double)((%s) & 0xfffff)", "(u64)(%s)"),
    "pair": ("struct pair", "make_pair(%s)", "(%s).a"),
    "void": ("void", "", ""),
}
RUN = """cilk void run%(seed)d(void)
{
    static const struct { int n; u64 s; } calls[] = { %(calls)s };
    u64 cell = 3, i;
    sum = 0, next_cell = 0;
    for (i = 0; i < sizeof calls / sizeof *calls; i++) {
        %(call)s
    }
    printf("shape %(seed)d: %%lx %%lx\\n", cell, sum);
}
"""
MAIN = """static cilk void (*const runs[])(void) = { %s };
cilk int main(void)
{
    u64 i;
    for (i = 0; i < sizeof runs / sizeof *runs; i++) {
        spawn runs[i](); sync;
    }
    return 0;
}
"""
MOST_CALLS = 150          # instances of one call from main


class Procedure:
    def __init__(self, rng, name):
        self.name = name
        self.result = rng.choice(["void"] * 4 + ["u64"] * 4 + ["int", "int", "char", "double", "pair"])
        self.out = self.result == "void" or rng.random() < 0.3
        self.constant = rng.random() < 0.15
        self.words = "static " if self.constant or rng.random() < 0.5 else ""
        self.attribute = "__attribute__((noinline)) " if rng.random() < 0.05 else ""
        self.most = rng.choice([1, 2, 2, 2, 3, 3, 4, 6])     # spawns of one instance
        self.rows = random.Random(name).random() < 0.12      # a parameter of a variably modified type

    def head(self):
        words = ["int n", "u64 s"] + ["u64 *out"] * self.out + ["int k"] * self.constant
        words += ["int w", "u64 (*rows)[w]"] * self.rows
        return "%scilk %s%s %s(%s)" % (self.words, self.attribute, TYPES[self.result][0], self.name, ", ".join(words))


class Body:
    """The text of one procedure."""

    def __init__(self, rng, me, all_of_them):
        self.rng, self.me, self.all = rng, me, all_of_them
        self.lines, self.top, self.inlets = [], [], []
        self.count = 0
        self.spawned = 0                                  # at most so many in one instance
        self.times = 1                                    # how often what is written now may run
        self.always = ["s", "(u64)n"] + ["(u64)sizeof *rows", "(u64)((char *)(rows + 1) - (char *)rows)"] * me.rows
        self.pending, self.ready = set(), list(self.always)
        self.loops = 0
        self.in_block = 0
        # of jumps forward that have not landed: (name, what is pending there)
        self.labels = []
        self.size = 0
        self.guarded = False                              # n > 0 for certain
        self.cased = False                                # a case label may follow in this scope
        self.ends = random.Random(me.name + "ends")       # of its own: all else stays as it was

    def chance(self, p):
        return self.rng.random() < p

    def name(self, stem):
        self.count += 1
        return "%s%d" % (stem, self.count)

    def add(self, level, text):
        self.lines.append("    " * level + text)
        self.size += 1

    def ending(self, level, often=0.2):
        """Perhaps a variable with a cleanup function, at the beginning of a scope or after a label."""
        if self.ends.random() < often:
            self.count += 1
            self.lines.append("    " * level + "u64 e%d __attribute__((cleanup(ended))) = s + %d;" % (self.count, self.count))

    def scoped(self, write):
        """What `write` does in a scope of its own."""
        cased, self.cased = self.cased, False
        result = write()
        self.cased = cased
        return result

    # ---- expressions over what may be read

    def readable(self):
        return [v for v in self.ready if v not in self.pending]

    def value(self):
        r = self.rng
        a = r.choice(self.readable())
        b = r.choice(self.readable() + ["%dul" % r.randint(1, 99)])
        forms = ["%s", "%s + %s", "%s * 3 + %s", "(%s ^ %s)", "(%s & 7 ? %s : 11)", "%s - %s", "mix(%s + %s)"]
        if self.chance(0.12):
            t = self.name("t")
            forms = [
                "({ u64 " + t + " = %s; if (" + t + " & 1) " + t + " += %s; " + t + " * 5; })",
                "({ u64 "
                + t
                + " = %s, i; for (i = 0; i < 3; i++) { if (i == ("
                + t
                + " & 3)) continue; "
                + t
                + " += %s; } "
                + t
                + "; })",
            ]
        form = r.choice(forms)
        return form % ((a, b)[:form.count("%s")])

    def condition(self):
        r = self.rng
        x = r.choice(self.readable())
        simple = ["(%s & %d) == %d" % (x, r.choice([1, 3]), r.randint(0, 3)), "n > %d" % r.randint(0, 3), "n & 1",
                  "%s %% 3 != 1" % x, "s & 2"]
        one = r.choice(simple)
        if self.chance(0.25):
            return r.choice(
                ["%s && %s", "%s || %s", "(%s) && noted(%s)", "!(%s) || noted(%s) & 1", "(%s) ? (%s) : n < 2"]
            ) % (one, r.choice(simple))
        return one

    # ---- returns

    def returned(self, value=None):
        if self.me.result == "void":
            return "return;"
        return "return %s;" % (TYPES[self.me.result][1] % (value or self.value()))

    def leaf_statement(self):
        """A statement for an arm that does not return."""
        if self.me.out:
            return self.rng.choice(["out[0] = %s;", "*out += %s;", "note(*out ^ %s);"]) % self.value()
        return "note(%s);" % self.value()

    # ---- statements

    def declare(self, type_, value=None, level=None):
        v = self.name("v")
        how = self.rng.choice(["", "", "", "", "register ", "volatile "]) if type_ in ("u64", "int") else ""
        if value is None:
            value = TYPES[type_][1] % ("%dul" % self.rng.randint(0, 99))
        self.top.append("%s%s %s = %s;" % (how, TYPES[type_][0], v, value))
        return v

    def simple(self, level):
        r = self.rng
        kind = r.choice(["note", "note", "assign", "assign", "peek", "out", "empty", "local"])
        if kind == "assign" or kind == "local":
            v = self.declare("u64")
            self.add(level, "%s %s %s;" % (v, r.choice(["=", "=", "+=", "^="]), self.value()))
            self.ready.append(v)
        elif kind == "peek":
            v = self.name("p")
            self.top.append("u64 %s = %d;" % (v, r.randint(0, 9)))
            if self.chance(0.2):
                self.add(level, "note(peek(&s));")
                return
            self.add(level, "note(peek(&%s));" % v)
            self.ready.append(v)
        elif kind == "out" and self.me.out:
            self.add(level, self.leaf_statement())
        elif kind == "empty":
            self.add(level, ";")
        else:
            self.add(level, "note(%s);" % self.value())

    def call(self):
        """A call of some procedure: its text, the procedure, and the cell that it writes to."""
        p = self.rng.choice(self.all)
        words = ["n - %d" % self.rng.choice([1, 1, 1, 2]), self.value()]
        cell = None
        if p.out and self.times > 1:                      # each child its own cell
            words.append("fresh()")
        elif p.out:
            cell = self.rng.choice(["local", "array", "arena", "arena"])
            v = self.name("c")
            if cell == "local":
                self.top.append("u64 %s = 1;" % v)
                words.append("&" + v)
            elif cell == "array":
                self.top.append("u64 %s[3] = { 1, 2 };" % v)
                words.append("%s + (n & 1)" % v)
                v += "[n & 1]"
            else:
                self.top.append("u64 *%s = fresh();" % v)
                words.append(v)
                v = "*" + v
            cell = v
        if p.constant:
            words.append("17")
        words += ["n + 4", "(void *)arena"] * p.rows
        return "%s(%s)" % (p.name, ", ".join(words)), p, cell

    def spawn(self, level, form=None):
        """One spawn statement, if there may be one more."""
        if self.spawned + self.times > self.me.most:
            return self.simple(level)
        self.spawned += self.times
        guard = "" if self.guarded else "if (n > 0) "
        call, p, cell = self.call()
        again = self.times > 1
        if cell:
            self.pending.add(cell)
            self.ready.append(cell)
        if p.result == "void":
            self.add(level, guard + "spawn %s;" % call)
            return None
        ctype, make, read = TYPES[p.result]
        forms = ["op", "inlet"] if again else ["local", "local", "local", "op", "inlet", "element", "member", "pointer"]
        form = self.rng.choice(forms)
        v = self.name("r")
        if form == "local":
            self.top.append(
                "%s%s %s = %s;"
                % (self.rng.choice(["", "", "volatile "]) if p.result == "u64" else "", ctype, v, make % "4ul")
            )
            self.add(level, guard + "%s = spawn %s;" % (v, call))
            value = read % v
        elif form == "op" and p.result in ("u64", "int"):
            self.top.append("u64 %s = %d;" % (v, self.rng.randint(0, 9)))
            self.add(level, guard + "%s %s spawn %s;" % (v, self.rng.choice(["+=", "+=", "-=", "^=", "*="]), call))
            value = v
        elif form == "element":
            self.top.append("%s %s[3] = { %s };" % (ctype, v, make % "4ul"))
            self.add(level, guard + "%s[n & 1] = spawn %s;" % (v, call))
            if p.result == "pair":
                self.top[-1] = "%s %s[3]; memset(%s, 0, sizeof %s);" % (ctype, v, v, v)
            value = read % (v + "[n & 1]")
        elif form == "member":
            self.top.append("struct { int x; %s m; } %s; memset(&%s, 0, sizeof %s);" % (ctype, v, v, v))
            self.add(level, guard + "%s.m = spawn %s;" % (v, call))
            value = read % (v + ".m")
        elif form == "pointer":
            q = self.name("q")
            self.top.append("%s %s = %s, *%s = &%s;" % (ctype, v, make % "4ul", q, v))
            self.add(level, guard + "*%s = spawn %s;" % (q, call))
            value = read % v
        else:
            self.top.append("u64 %s = %d;" % (v, self.rng.randint(0, 9)))
            inlet = self.name("inl")
            body = self.rng.choice([
                "%s += %s * w;" % (v, read % "r"),
                "if (w & 1) { %s += w; return; } %s ^= %s;" % (v, v, "0") + " %s += %s;" % (v, read % "r"),
                "u64 i; for (i = 0; i < 2; i++) %s += %s + w;" % (v, read % "r"),
            ])
            self.inlets.append("inlet void %s(%s r, u64 w) { %s }" % (inlet, ctype, body))
            self.add(level, guard + "%s(spawn %s, %s);" % (inlet, call, self.value()))
            value = v
        self.pending.add(value)
        self.ready.append(value)
        return None

    def sync(self, level):
        self.add(level, "sync;")
        self.pending.clear()

    def block(self, level, depth, length=None, last=None):
        """Statements; True if control comes to their end."""
        for _ in range(length or self.rng.randint(1, 3)):
            if not self.statement(level, depth):
                return False
        if last:
            self.add(level, last)
        return True

    def inner(self, level, depth, braces):
        """What is below an if or a loop: one statement without braces, or a block. True if control comes to its end."""
        visible = len(self.ready)
        if not braces:
            mark = len(self.lines)
            goes = self.statement(level + 1, 0)
            if len(self.lines) - mark == 1:
                return goes
            self.lines.insert(mark, "    " * level + "{")
            self.add(level, "}")
            del self.ready[visible:]
            return goes
        self.add(level, "{")
        self.ending(level + 1)
        if self.chance(0.3):
            v = self.name("b")
            self.add(level + 1, "u64 %s = %s;" % (v, self.value()))
            self.ready.append(v)
        goes = self.scoped(lambda: self.block(level + 1, depth - 1))
        self.add(level, "}")
        del self.ready[visible:]                          # what only one way has set is not looked at afterwards
        return goes

    def ways(self, arms):
        """Runs each arm from the same state; afterwards all that any of them left pending is so. True if one comes to
        its end."""
        before, after, goes, most = set(self.pending), set(), False, self.spawned
        start = self.spawned
        for arm in arms:
            self.pending, self.spawned = set(before), start
            visible = len(self.ready)
            if arm():
                goes = True
                after |= self.pending
            del self.ready[visible:]
            most = max(most, self.spawned)
        self.pending, self.spawned = after if goes else set(before), most
        return goes

    def chain(self, level, depth):
        """if / else if / else, with braces or without."""
        arms = self.rng.choice([1, 1, 2, 2, 3, 4])
        otherwise = self.chance(0.6)

        def arm(i):
            def write():
                braces = self.chance(0.5)
                last = otherwise and i == arms
                mark = len(self.lines)
                self.add(level, "%s%s" % ("else " if i else "", "" if last else "if (%s)" % self.condition()))
                self.lines[mark] = self.lines[mark].rstrip()
                if not braces:                            # an else after it would belong to an if in it
                    body = len(self.lines)
                    goes = self.inner(level, depth, False)
                    if len(self.lines) - body == 1 and self.lines[body].strip().startswith("if"):
                        self.lines.insert(body, "    " * level + "{")
                        self.add(level, "}")
                    return goes
                return self.inner(level, depth, True)
            return write
        write = [arm(i) for i in range(arms + otherwise)]
        if not otherwise:
            write.append(lambda: True)
        return self.ways(write)

    def loop(self, level, depth):
        r = self.rng
        i, most = self.name("i"), r.choice([1, 2, 2, 3])
        kind = r.choice(["for", "for", "while", "do", "again"])
        own = kind == "for" and self.chance(0.5)
        if not own:
            self.top.append("int %s = 0;" % i)
        if kind == "again" and self.in_block:
            kind = "do"
        synced = self.chance(0.4)
        times, before, visible, ready = self.times, set(self.pending), len(self.ready), list(self.ready)
        self.times *= most
        self.loops += 1
        head = {
            "for": "for (%s%s = 0; %s < %d; %s++)" % ("int " * own, i, i, most, i),
            "while": "while (%s++ < %d)" % (i, most),
            "do": "do",
            "again": "%s_again:;" % i,
        }[kind]
        array = None
        free = kind == "again" and not self.cased and not self.labels      # no jump comes past a declaration here
        if free and self.loops == 1 and self.ends.random() < 0.4:
            array = "a%s[n & 1]" % i
            self.lines.append("    " * level + "u64 a%s[(n & 3) + 2]; %s = s;" % (i, array))
        self.add(level, head)
        if free:
            self.ending(level, 0.6)
        if kind == "for" and self.chance(0.3):            # one statement without braces
            self.inner(level, 0, False)
        else:
            self.add(level, "{")
            if self.chance(0.3):
                way = r.choice(["continue", "break"])
                if kind != "again" and not (kind == "do" and way == "continue"):
                    self.add(level + 1, "if (%s) %s;" % (self.condition(), way))
            self.in_block += kind != "again"
            self.scoped(lambda: self.block(level + 1, depth - 1))
            if self.chance(0.2) and kind not in ("again", "do"):
                self.add(level + 1, "if (%s) %s;" % (self.condition(), r.choice(["continue", "break"])))
                before |= self.pending                    # past the sync
            self.in_block -= kind != "again"
            if synced:
                self.add(level + 1, "sync;")
            self.add(level, "}")
            if kind == "do":
                self.add(level, "while (++%s < %d);" % (i, most))
            elif kind == "again":
                self.add(level, "if (++%s < %d) goto %s_again;" % (i, most, i))
                if array:
                    self.lines.append("    " * level + "note(%s);" % array)
        self.loops -= 1
        self.times = times
        del self.ready[visible:]
        self.pending |= before
        self.ready = ready + [v for v in self.pending if v not in ready and not v.startswith("b")]
        return True

    def switch(self, level, depth):
        r = self.rng
        self.add(
            level,
            "switch (%s) {" % r.choice(["n", "n & 3", "(int)(s & 3)", "(int)(%s %% 4)" % r.choice(self.readable())]),
        )
        cases = r.sample([0, 1, 2, 3], r.randint(1, 4))
        labels = ["case %d:" % c for c in cases]
        if self.chance(0.6):
            labels.insert(r.randint(0, len(labels)), "default:")
        before, visible, goes_on = set(self.pending), len(self.ready), False
        fell, most, start = set(), self.spawned, self.spawned
        left = set()
        cased, self.cased = self.cased, True
        for label in labels:
            self.pending = before | (fell if goes_on else set())
            if not goes_on:
                self.spawned = start
            self.add(level, label)
            goes_on = self.block(level + 1, depth - 1, r.choice([1, 1, 2]))
            del self.ready[visible:]
            most = max(most, self.spawned)
            fell = set(self.pending)
            if goes_on and self.chance(0.6):
                self.add(level + 1, "break;")
                left |= self.pending
                goes_on = False
        self.add(level, "}")
        self.cased = cased
        self.pending = before | left | fell
        self.spawned = most
        return True

    def early(self, level):
        self.add(level, "if (%s) %s" % (self.condition(), self.returned()))
        return True

    def jump(self, level, depth):
        """Forward, out of blocks too, to a label at the top of the body."""
        label = self.name("l")
        self.add(level, "if (%s) goto %s;" % (self.condition(), label))
        self.labels.append((label, set(self.pending)))
        return True

    def nested(self, level, depth):
        visible = len(self.ready)
        self.add(level, "{")
        v = self.name("b")
        kind = self.rng.choice(["scalar", "array", "vla", "alloca"])
        if kind == "vla" and not self.labels and not self.loops:
            self.add(level + 1, "u64 %s[(n & 3) + 2];" % v)
            self.add(level + 1, "%s[n & 1] = %s;" % (v, self.value()))
            self.ready.append(v + "[n & 1]")
        elif kind == "alloca":
            self.add(level + 1, "u64 *%s = Cilk_alloca(16 + 8 * (n & 3));" % v)
            self.add(level + 1, "%s[1] = %s;" % (v, self.value()))
            self.ready.append(v + "[1]")
        elif kind == "array":
            self.add(level + 1, "u64 %s[2] = { %s, 3 };" % (v, self.value()))
            self.ready.append(v + "[n & 1]")
        else:
            self.add(level + 1, "u64 %s = %s;" % (v, self.value()))
            self.ready.append(v)
        self.ending(level + 1)
        goes = self.scoped(lambda: self.block(level + 1, depth - 1))
        self.add(level, "}")
        del self.ready[visible:]
        return goes

    def statement(self, level, depth):
        """One statement. True if control comes to its end."""
        kinds = ["spawn"] * 5 + ["simple"] * 2 + ["sync"] * 2
        if depth > 0 and self.size < 20:
            kinds += ["chain"] * 3 + ["loop", "loop", "switch", "nested", "early"]
            if not self.in_block and not self.loops:
                kinds += ["jump"]
        kind = self.rng.choice(kinds)
        if kind in ("spawn", "simple", "sync"):
            getattr(self, kind)(level)
            return True
        if kind == "early":
            return self.early(level)
        return getattr(self, kind)(level, depth)

    # ---- the beginning: what a leaf does

    def prefix(self):
        """Arms that end a leaf. Afterwards text is written at the level that is given back; so many braces are open."""
        r = self.rng
        level, opened = 1, 0
        form = r.choice(["ifs", "ifs", "chain", "chain", "chain", "inverted", "switch", "none"])
        if form == "none":
            return level, opened
        if self.chance(0.25):
            v = self.name("v")
            self.add(level, "u64 %s = %s;" % (v, r.choice(["s * 3", "s + (u64)n", "noted(s)"])))
            self.ready.append(v)
        leaf = r.choice(["n < 1", "n <= 0", "!(n > 0)", "n < 1 && 1"])
        others = r.choice([0, 0, 1, 2])
        conditions = [leaf] + [
            r.choice(["n < 2", "n == 2 && s & 1", "(s & 15) == 3", "s % 7 == 2", "noted(s) % 5 == 1"])
            for _ in range(others)
        ]
        if self.chance(0.3):
            r.shuffle(conditions)
        if form == "inverted":
            self.add(level, "if (n > 0%s)" % r.choice(["", " && s != 7"]))
            self.add(level, "{")
            self.guarded = True
            return level + 1, 1
        if form == "switch":
            self.add(level, "switch (n) {")
            for c in (0, -1):
                self.add(level, "case %d:" % c)
                if self.chance(0.5) and c == 0:
                    self.add(level + 1, self.leaf_statement())
                else:
                    self.add(level + 1, self.returned())
            self.add(level, "}")
            self.add(level, "if (n < 1) " + self.returned())
            self.guarded = True
            return level, opened
        # In a chain an arm may end without returning, if the rest is its else.
        rest = form == "chain" and self.chance(0.7)
        passes = False  # an arm goes on below, and in a chain it passes by the leaf's arm
        for i, condition in enumerate(conditions):
            falls = rest and self.chance(0.5)
            head = ("else " if form == "chain" and i else "") + "if (%s)" % condition
            body = [self.leaf_statement()] if falls or self.chance(0.2) else []
            if self.chance(0.15):
                t = self.name("t")
                body.insert(0, "int %s; for (%s = 0; %s < 2; %s++) note(s + (u64)%s);" % (t, t, t, t, t))
            if not falls:
                body.append(
                    self.returned()
                    if self.chance(0.8) or self.me.result != "void"
                    else "if (s & 1) return; else " + self.leaf_statement()
                )
                if body[-1].startswith("if") and condition == leaf:       # it may go on below, but not to a spawn
                    body[-1] = self.returned()
                passes |= body[-1].startswith("if") and leaf in conditions[i:]
            if len(body) == 1 and self.chance(0.6):
                self.add(level, head)
                self.add(level + 1, body[0])
            else:
                self.add(level, head + " {")
                for line in body:
                    self.add(level + 1, line)
                self.add(level, "}")
        if rest:
            self.add(level, "else")
            self.add(level, "{")
            level, opened = level + 1, 1
        self.guarded = rest or form != "chain" or not passes
        return level, opened

    def write(self):
        level, opened = self.prefix()
        inverted = opened and self.lines[-2].strip().startswith("if")
        # declarations that are wanted come here: before, they would end the leaf prefix
        mark = len(self.lines)
        self.in_block += opened
        goes = True
        for _ in range(self.rng.randint(1, 3)):
            goes = goes and self.statement(level, self.rng.choice([1, 2, 2, 3]))
        if self.spawned == 0:
            self.spawn(level)
        if self.chance(0.5):
            self.sync(level)
        for _ in range(opened):
            if self.chance(0.5):
                self.finish(level)
            level -= 1
            self.add(level, "}")
            self.guarded = False
            self.ready = list(self.always)                # what the block declares is not seen any more
            if inverted and self.chance(0.5):
                self.add(
                    level,
                    self.rng.choice([
                        "else " + self.returned("s"),
                        "else if (n < 0) note(1); else " + self.returned("s"),
                        "else " + self.leaf_statement(),
                    ]),
                )
        for label, pending in self.labels:
            self.add(level, label + ":;")
            self.pending |= pending
            if self.chance(0.5):
                self.sync(level)
                self.add(level, "note(%s);" % self.value())
        self.finish(level, end=True)
        self.lines[mark:mark] = ["        " + line for line in self.top + self.inlets]
        return self.me.head() + "\n{\n" + "\n".join(self.lines) + "\n}\n"

    def finish(self, level, end=False):
        """All that may be read goes into the answer."""
        if self.labels and not end:
            return
        if end and self.chance(0.3):
            self.sync(level)
            if self.me.result != "void" or self.chance(0.5):
                self.pending |= {v for v in self.ready if v[0] == "b"}
        seen = [v for v in self.readable() if v[0] != "b"]
        value = " + 3 * ".join(self.rng.sample(seen, min(len(seen), 6)))
        if self.me.out:
            self.add(level, "*out += %s;" % value)
        if self.me.result == "void":
            if not end or self.chance(0.3):
                self.add(level, "return;")
        else:
            self.add(level, self.returned(value))


def shape(seed):
    """Declarations and definitions, and the statements of main that call it."""
    rng = random.Random(seed)
    procedures = [Procedure(rng, "f%d%s" % (seed, letter)) for letter in "ab"[:rng.choice([1, 1, 2])]]
    bodies = []
    for p in procedures:
        b = Body(rng, p, procedures)
        bodies.append(b.write())
    fan = max(p.most for p in procedures)
    depth = 0
    while depth < 9 and sum(fan ** d for d in range(depth + 2)) <= MOST_CALLS:
        depth += 1
    p = procedures[0]
    text = "".join(p.head() + ";\n" for p in procedures) + "".join(bodies)
    calls = ["{ %d, %dul }" % (n, rng.randint(1, 999)) for n in sorted({0, 1, 2, depth} & set(range(depth + 1)))]
    words = ["calls[i].n", "calls[i].s"] + ["&cell"] * p.out + ["17"] * p.constant
    words += ["calls[i].n + 4", "(void *)arena"] * p.rows
    call = "spawn %s(%s); sync;" % (p.name, ", ".join(words))
    if p.result != "void":
        call = "%s r; r = %s cell += %s;" % (TYPES[p.result][0], call, TYPES[p.result][2] % "r")
    return text + RUN % {"seed": seed, "calls": ", ".join(calls), "call": call}


def program(first, last):
    """Shapes are called from one place, through a pointer: a program that holds many of them is not larger than their
    sum."""
    seeds = range(first, last + 1)
    return PRELUDE + "".join(map(shape, seeds)) + MAIN % ", ".join("run%d" % seed for seed in seeds)


if __name__ == "__main__":
    a, _, b = sys.argv[1].partition("-")
    sys.stdout.write(program(int(a), int(b or a)))
