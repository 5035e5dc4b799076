"""Random procedures for the tests of `cilkc prove`, by a grammar: statements of arrays, pointers, structures, locks,
inlets, loops, conditions with effects, children that call themselves. They are small, so that some of them are free of
races and some are not, and which they are depends on every rule of the analysis. Memory is large enough on both sides
for every index that occurs. Each family has objects of its own, so that lines tell whose a race is.
"""

import random

SPACE, ORIGIN = 60000, 30000
HEAD = """#include <stdlib.h>
#include <string.h>
#include <cilk-lib.cilkh>
#include <par.cilkh>
struct pair { int v, w; int *p; };
"""
OPENCILK = """#include <stdlib.h>
#include <string.h>
#include <cilk/cilk.h>
struct pair { int v, w; int *p; };
"""
TYPES = ("int", "int", "int", "int", "long", "unsigned", "short", "unsigned char")


class Writer:
    """The text of one family."""

    def __init__(self, name, r, opencilk):
        self.name, self.r, self.opencilk = name, r, opencilk
        self.lines, self.depth = [], 0
        self.ints, self.fixed, self.pointers = [], [], []
        self.callees, self.inlet, self.spawns, self.number = [], None, 0, 0
        self.locks = r.random() < 0.2 and not opencilk
        self.pairs = r.random() < 0.35
        self.users, self.futures, self.waits = [], [], r.random() < 0.35 and not opencilk

    def line(self, text):
        self.lines.append("    " * self.depth + text)

    def pick(self, *choices):
        return self.r.choice(choices)

    def maybe(self, share):
        return self.r.random() < share

    def new(self, prefix):
        self.number += 1
        return "%s%d" % (prefix, self.number)

    # ---- expressions

    def small(self):
        return self.r.choice((0, 0, 1, 1, 1, 2, 3, 4))

    def atom(self):
        return self.r.choice(self.ints + self.fixed) if self.maybe(0.8) else str(self.small())

    def number_(self):
        """An index or a bound: small for small parameters."""
        kind = self.r.random()
        if kind < 0.35:
            return self.atom()
        if kind < 0.6:
            return "%s %s %d" % (self.atom(), self.pick("+", "-"), self.small())
        if kind < 0.7:
            return "%s %s %s" % (self.atom(), self.pick("+", "-"), self.atom())
        if kind < 0.78:
            return "%d * %s + %d" % (self.pick(2, 2, 3, 4), self.r.choice(self.fixed), self.small())
        if kind < 0.84:
            return "%s / %d" % (self.atom(), self.pick(2, 2, 3))
        if kind < 0.88:
            return "%s %% %d" % (self.atom(), self.pick(2, 3, 4))
        if kind < 0.9:
            return "(%s & %d)" % (self.atom(), self.pick(1, 3, 7))
        if kind < 0.92:
            return "(%s >> 1)" % self.atom()
        if kind < 0.94:
            return "%s * %s" % (self.r.choice(self.fixed), self.r.choice(self.fixed))
        if kind < 0.97:
            return "(%s ? %s : %s)" % (self.condition(), self.atom(), self.atom())
        return "(%s)%s" % (self.pick("unsigned char", "long", "short", "unsigned"), self.atom())

    def condition(self):
        kind = self.r.random()
        plain = "%s %s %s" % (self.atom(), self.pick("<", "<=", ">", ">=", "==", "!="), self.number_())
        if kind < 0.7:
            return plain
        if kind < 0.8:
            return "%s %% 2 == %d" % (self.r.choice(self.fixed), self.pick(0, 1))
        if kind < 0.86 and len(self.pointers) > 1:
            return "%s %s %s" % (self.r.choice(self.pointers), self.pick("==", "!="), self.r.choice(self.pointers))
        if kind < 0.93 and self.ints:
            target = self.r.choice(self.ints) if self.maybe(0.6) else "g_" + self.name
            effect = self.pick("%s++", "--%s", "(%s = 2)", "(%s += 1)") % target
            return "%s %s %s > 1" % (plain, self.pick("&&", "||"), effect)
        return "!(%s)" % plain if kind < 0.96 else "%s && %s != 3" % (plain, self.atom())

    def pointer(self):
        base = self.r.choice(self.pointers)
        kind = self.r.random()
        if kind < 0.4:
            return base
        if kind < 0.8:
            return "%s + %s" % (base, self.number_())
        if kind < 0.86 and len(self.pointers) > 1:
            return "(%s ? %s : %s)" % (self.condition(), base, self.r.choice(self.pointers))
        return "%s - %d" % (base, self.small())

    def place(self):
        kind = self.r.random()
        if kind < 0.6:
            return "%s[%s]" % (self.r.choice(self.pointers), self.number_())
        if kind < 0.75:
            return "*(%s)" % self.pointer()
        if kind < 0.85:
            return (self.pick("g_%s", "h_%s[KK]") % self.name).replace("KK", str(1000 + self.small()))
        if self.pairs:
            return "s_%s.%s" % (self.name, self.pick("v", "w", "v", "p[%s]" % self.number_()))
        return "*%s" % self.r.choice(self.pointers)

    # ---- statements

    def block(self, budget, cilk, depth=0):
        known = len(self.ints), len(self.fixed), len(self.pointers), len(self.futures)
        for _ in range(self.r.randint(1, budget)):
            self.statement(budget, cilk, depth)
        del self.ints[known[0] :], self.fixed[known[1] :], self.pointers[known[2] :], self.futures[known[3] :]

    def inside(self, head, budget, cilk, depth):
        self.line(head + " {")
        self.depth += 1
        self.block(budget, cilk, depth + 1)
        self.depth -= 1
        self.line("}")

    def statement(self, budget, cilk, depth):
        kind = self.r.random()
        if cilk and self.waits and self.maybe(0.3):
            self.future()
        elif cilk and kind < 0.4 and self.spawns < 4:
            self.spawn()
        elif cilk and kind < 0.48:
            self.line("sync;")
        elif kind < 0.62:
            self.line("%s %s %s;" % (self.place(), self.pick("=", "=", "+="), self.number_()))
        elif kind < 0.66:
            self.line("%s = %s;" % (self.r.choice(self.ints), self.place()) if self.ints else ";")
        elif kind < 0.7 and self.ints:
            self.line("%s %s;" % (self.r.choice(self.ints), self.pick("= 0", "= 1", "+= 1", "-= 1", "+= 2")))
        elif kind < 0.73:
            name = self.new("q")
            self.line("int *%s = %s;" % (name, self.pointer()))
            self.pointers.append(name)
        elif kind < 0.75 and len(self.pointers) > 1:
            x, y = self.r.sample(self.pointers, 2)
            self.line("{ int *t = %s; %s = %s; %s = t; }" % (x, x, y, y))
        elif kind < 0.79:
            name = self.new("x")
            self.line("%s %s = %s;" % (self.r.choice(TYPES), name, self.number_()))
            self.ints.append(name)
        elif depth < 2:
            self.compound(budget, cilk, depth)
        else:
            self.line("%s = %s;" % (self.place(), self.atom()))

    def compound(self, budget, cilk, depth):
        kind = self.r.random()
        inner = max(1, budget - 1)
        if kind < 0.3:
            self.inside("if (%s)" % self.condition(), inner, cilk, depth)
            if self.maybe(0.4):
                self.inside("else", inner, cilk, depth)
        elif kind < 0.62:
            self.loop(inner, cilk, depth)
        elif kind < 0.68:
            name = self.new("e")
            self.line("int *%s = %s + %d, *%s_end = %s + %s;" % (
                name, self.pointers[0], self.small(), name, self.pointers[0], self.fixed[0]))
            self.line("while (%s < %s_end) %s;" % (name, name, self.pick("*%s++ = 1", "*++%s = 1", "*%s += 1, %s += 2")
                      .replace("%s", name)))
        elif kind < 0.74:
            self.line("switch (%s) {" % self.atom())
            for label in self.pick(("case 0:", "default:"), ("case 1:", "case 2:"), ("default:", "case 3:")):
                self.line(label)
                self.depth += 1
                self.inside("", 1, cilk, 2)
                if self.maybe(0.6):
                    self.line("break;")
                self.depth -= 1
            self.line("}")
        elif kind < 0.82:
            call = self.pick("memset(%s, 0, %s * sizeof(int));", "memcpy(%s, h_NAME + 1000, %s * sizeof(int));")
            size = self.pick("2", "(%s & 7)" % self.atom())
            self.line((call % (self.pointer(), size)).replace("NAME", self.name))
        elif kind < 0.88 and self.pairs:
            self.line("s_%s.p = %s;" % (self.name, self.pointer()))
        elif kind < 0.93 and self.locks:
            self.locked()
        elif self.maybe(0.5):
            name = self.new("m")
            made = self.pick("(int *)malloc(4000) + 500", "(int *)calloc(1000, 4) + 500", "h_%s + 1000" % self.name)
            self.line("int *%s = %s;" % (name, made))
            self.line("%s[0] = 1;" % name)
            self.pointers.append(name)
        else:
            name = self.new("b")
            self.line("int %s_all[400] = { 0 }, *%s = %s_all + 200;" % (name, name, name))
            self.line("%s[%d] = %s;" % (name, self.small(), self.atom()))
            self.pointers.append(name)

    def locked(self):
        """One lock, or two, in either order."""
        locks = self.pick(("l",), ("l",), ("k",), ("l", "k"), ("k", "l"))
        text = "%s += 1;" % self.place()
        for lock in reversed(locks):
            text = "Cilk_lock(%s_%s); %s Cilk_unlock(%s_%s);" % (lock, self.name, text, lock, self.name)
        self.line(text)

    def loop(self, inner, cilk, depth):
        name = self.new("i")
        low, high = self.pick("0", "0", "1", self.fixed[0]), self.pick(*self.fixed, *self.fixed, "4", self.number_())
        kind = self.r.random()
        if self.opencilk and cilk and kind < 0.5:
            word, step = "cilk_for", self.pick("%s++", "%s += 2") % name
        else:
            word, step = "for", self.pick("%s++", "%s++", "%s += 2", "%s += 3") % name
        self.fixed.append(name)
        if kind < 0.85:
            head = "%s (int %s = %s; %s %s %s; %s)" % (
                word, name, low, name, self.pick("<", "<", "<="), bound(high), step)
        else:
            head = "for (int %s = %s; %s %s %s; %s--)" % (name, bound(high), name, self.pick(">", ">="), low, name)
        self.line(head + " {")
        self.depth += 1
        self.block(inner, cilk, depth + 1)
        if self.maybe(0.2) and word == "for":
            self.line("if (%s) %s;" % (self.condition(), self.pick("break", "continue", "break")))
            self.inside("", 1, cilk, 2)
        self.depth -= 1
        self.line("}")
        self.fixed.remove(name)

    def future(self):
        """One that is filled at once; one is waited for, or given to somebody who may wait for it."""
        values = [callee for callee in self.callees if callee[1]]
        if values and self.spawns < 6 and (not self.futures or self.maybe(0.4)):
            name = self.new("u")
            self.line("future int %s = spawn %s;" % (name, self.callee(values)))
            self.futures.append(name)
        elif self.futures and self.users and self.maybe(0.6):
            name = self.r.choice(self.users)
            words = "&" + self.r.choice(self.futures), self.pointer(), self.number_()
            call = "spawn %s(%s);" % (name, ", ".join(words))
            if self.maybe(0.4):
                call = "future int %s = %s" % (self.new("u"), call)
                self.futures.append(call.split()[2])
            else:
                result = self.new("x")
                call = "int %s = 0; %s = %s" % (result, result, call)
                self.ints.append(result)
            self.line(call)
        elif self.futures:
            touch = "touch %s;" % self.r.choice(self.futures)
            self.line("%s = %s" % (self.r.choice(self.ints), touch) if self.ints and self.maybe(0.5) else touch)

    def user(self, name):
        """A procedure that may wait for a future, by itself or in a child."""
        self.ints, self.fixed, self.pointers, self.futures = ["x"], ["n"], ["a"], []
        self.line("cilk int %s(future int *f, int *a, int n)" % name)
        self.inside_of_user()
        self.users.append(name)

    def inside_of_user(self):
        self.line("{")
        self.depth += 1
        self.line("int x = 0;")
        if self.maybe(0.3):
            self.block(1, False)
        touch = "touch *f;"
        if self.users and self.maybe(0.5):
            touch = "x = spawn %s(f, %s, %s);" % (self.r.choice(self.users), self.pointer(), self.number_())
        if self.maybe(0.3):
            touch = "if (%s) { %s }" % (self.condition(), touch)
        self.line(touch)
        if self.maybe(0.7):
            self.line("sync;")
        self.block(2, False)
        self.line("return %s;" % self.pick("1", "n", "x") if self.maybe(0.8) else "sync; return x;")
        self.depth -= 1
        self.line("}")

    def spawn(self):
        self.spawns += 1
        callee, result, arguments = self.r.choice(self.callees)
        call = self.callee([(callee, result, arguments)])
        if not result:
            self.line("spawn %s;" % call)
        elif self.inlet and self.maybe(0.4):
            self.line("%s(spawn %s);" % (self.inlet, call))
        elif self.maybe(0.6) and self.ints:
            op = "=" if self.opencilk else self.pick("=", "=", "+=")
            self.line("%s %s spawn %s;" % (self.r.choice(self.ints), op, call))
        else:
            self.line("%s = spawn %s;" % (self.place(), call))

    def callee(self, callees):
        """A call of one of them."""
        callee, _, arguments = self.r.choice(callees)
        words = []
        for kind in arguments:
            if kind == "p":
                words.append(self.pointer())
            elif kind == "d":
                words.append("d - 1" if "d" in self.fixed else "2")
            else:
                words.append(self.number_())
        return "%s(%s)" % (callee, ", ".join(words))

    # ---- procedures

    def procedure(self, name, result, recursive):
        parameters, arguments = [], []
        self.ints, self.fixed, self.pointers, self.spawns, self.inlet, self.futures = [], [], [], 0, None, []
        for _ in range(self.pick(1, 1, 2)):
            self.pointers.append(self.new("a"))
            parameters.append("int *" + self.pointers[-1])
            arguments.append("p")
        for _ in range(self.pick(1, 2, 2)):
            self.fixed.append(self.new("n"))
            parameters.append("%s %s" % (self.pick("int", "int", "int", "long"), self.fixed[-1]))
            arguments.append("i")
        leaf = not self.callees and not recursive
        if recursive:
            self.fixed.append("d")
            parameters.append("int d")
            arguments.append("d")
            self.callees.append((name, result, arguments))
        self.line("cilk %s %s(%s)" % ("int" if result else "void", name, ", ".join(parameters)))
        self.line("{")
        self.depth += 1
        for _ in range(self.pick(0, 1, 2)):
            x = self.new("x")
            self.line("%s %s = %s;" % (self.r.choice(TYPES), x, self.pick("0", "1", *self.fixed)))
            self.ints.append(x)
        if not leaf and not self.opencilk and self.maybe(0.15):
            self.inlet = self.new("in")
            self.line("inlet void %s(int r) { %s += %s; }" % (
                self.inlet, self.r.choice(self.ints + ["g_" + self.name]), self.pick("r", "1")))
        if recursive:
            stop = self.pick("d <= 0", "d <= 0 || %s < 2" % self.fixed[0], "d < 1")
            self.line("if (%s) {" % stop)
            self.depth += 1
            self.block(2, False)
            self.line("return%s;" % (" " + self.atom() if result else ""))
            self.depth -= 1
            self.line("}")
        self.block(2 if leaf else 4, not leaf)
        if self.maybe(0.4) and not leaf:
            self.line("sync;")
            self.statement(2, True, 2)
            self.line("sync;")
        if result:
            self.line("return %s;" % self.pick("1", *self.fixed, *self.ints))
        self.depth -= 1
        self.line("}")
        return name, result, arguments

    def family(self):
        n = self.name
        self.line("int o_%s[%d], h_%s[2000], g_%s;" % (n, SPACE, n, n))
        self.line("struct pair s_%s = { 0, 0, h_%s + 1000 };" % (n, n))
        if self.locks:
            self.line("Cilk_lockvar l_%s, k_%s;" % (n, n))
        self.callees.append(self.procedure("leaf_" + n, self.maybe(0.5), False))
        if self.maybe(0.4):
            self.callees.append(self.procedure("leaf2_" + n, self.maybe(0.5), False))
        for number in range(self.pick(1, 1, 2) if self.waits else 0):
            self.user("user%d_%s" % (number, n))
        if self.maybe(0.5):
            self.procedure("rec_" + n, self.maybe(0.4), True)
        top = self.procedure("top_" + n, False, False)
        words, ints = [], ["n", "m"]
        for kind in top[2]:
            if kind == "p":
                words.append("o_%s + %s" % (n, "%d" % (ORIGIN + self.pick(0, 0, 0, 1, 4, 1000))))
            else:
                words.append(ints.pop(0) if ints else "n")
        return "spawn top_%s(%s);" % (n, ", ".join(words))


def bound(text):
    """So that no loop has many rounds."""
    return text if text.isalnum() else "(%s) %% 9" % text


MAIN = """
cilk int main(int argc, char **argv)
{
    int n, m, most = argc > 1 ? atoi(argv[1]) : 6;
    for (n = 0; n <= most; n++)
        for (m = 0; m <= most; m++) {
%s        }
    return 0;
}
"""


def program(seed, number):
    """(text, {family: (first line, last line)}, flags)"""
    r = random.Random(seed)
    opencilk = r.random() < 0.2
    text, calls, ranges = OPENCILK if opencilk else HEAD, "", {}
    for k in range(number):
        writer = Writer("f%d" % k, random.Random("%d %d" % (seed, k)), opencilk)
        call = writer.family()
        first = text.count("\n") + 1
        text += "\n".join(writer.lines) + "\n"
        ranges[writer.name] = first, text.count("\n")
        calls += "            %s\n            sync;\n" % call
    text += MAIN % calls
    if opencilk:
        for old, new in (("cilk int ", "int "), ("cilk void ", "void "), ("spawn ", "cilk_spawn "),
                         ("sync;", "cilk_sync;")):
            text = text.replace(old, new)
    return text, ranges, ["-fopencilk"] if opencilk else []
