"""Random function signatures whose two halves are compiled by two compilers: does each pass what the other expects?

generate(seed, count) returns {file name: text} of one program: types.h, callee.c, caller.c. The callee checks every
argument, the caller the result; the program prints each mismatch and exits with 1 if there was one.

By hand:  python3 tests/abi/generate.py --first 1 --last 50 --functions 40     (2,000 signatures, both directions)
          … --theirs aarch64-linux-gnu-gcc --ours './cilkc --target=aarch64-linux-gnu' --run 'qemu-aarch64 -L
          /usr/aarch64-linux-gnu'
"""

import argparse
import random
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

SCALARS = ["char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long",
           "unsigned long", "long long", "float", "double", "long double", "_Bool", "char *", "__int128", "enum e",
           "float _Complex", "double _Complex", "long double _Complex", "v4si", "v2df", "v4sf"]
WEIGHTS = [3, 1, 2, 3, 2, 8, 3, 6, 2, 2, 8, 9, 3, 2, 5, 3, 1, 2, 2, 1, 1, 1, 1]
VECTORS = {"v4si": ("int", 4), "v2df": ("double", 2), "v4sf": ("float", 4)}
PROMOTED = {"char", "signed char", "unsigned char", "short", "unsigned short", "float", "_Bool"}


class Program:
    def __init__(self, seed, vectors=True, lengths=(0, 1, 2, 3, 3, 4, 5, 6, 8, 10)):
        self.rnd = random.Random(seed)
        self.lengths = lengths
        self.types, self.decls = {}, []
        self.vectors = vectors

    def scalar(self):
        while True:
            name = self.rnd.choices(SCALARS, WEIGHTS)[0]
            if self.vectors or name not in VECTORS:
                return name

    def record(self, depth=0):
        rnd = self.rnd
        kind = "union" if rnd.random() < 0.12 else "struct"
        fields = []
        # homogeneous ones matter to AArch64
        same = self.rnd.choice(["float", "double", "char", "long"]) if rnd.random() < 0.3 else None
        for i in range(rnd.choice([1, 1, 2, 2, 2, 3, 3, 4, 5, 7])):
            roll = rnd.random()
            if same:
                fields.append((same, "f%d" % i, rnd.choice([0, 0, 2]), 0))
            elif roll < 0.1 and depth < 2:
                fields.append((self.record(depth + 1), "f%d" % i, 0, 0))
            elif roll < 0.22:
                fields.append((self.scalar(), "f%d" % i, rnd.choice([1, 2, 3]), 0))
            elif roll < 0.34:
                base = rnd.choice(["int", "unsigned", "long", "unsigned char", "unsigned short"])
                fields.append((
                    base,
                    "f%d" % i,
                    0,
                    rnd.randint(
                        1, {"int": 31, "unsigned": 31, "long": 60, "unsigned char": 7, "unsigned short": 15}[base]
                    ),
                ))
            else:
                fields.append((self.scalar(), "f%d" % i, 0, 0))
        attribute = rnd.choices(
            ["", "__attribute__((packed))", "__attribute__((aligned(16)))", "__attribute__((aligned(32)))"],
            [20, 2, 1, 1],
        )[0]
        name = "%s %s%d" % (kind, kind[0], len(self.types))
        self.types[name] = fields if kind == "struct" else fields[:1]
        body = "".join(
            "  %s %s%s%s;\n" % (t, n, "[%d]" % a if a else "", ":%d" % b if b else "") for t, n, a, b in fields
        )
        self.decls.append("%s {\n%s} %s;\n" % (name, body, attribute))
        return name

    def any_type(self):
        return self.record() if self.rnd.random() < 0.4 else self.scalar()

    def leaf(self, t, place, seed, check):
        """Statements that fill or check the object `place` of type t."""
        value = "VALUE(%s, %s)" % (t if "*" not in t else "unsigned long", seed)
        if t in self.types:
            out = ""
            for i, (ft, fn, array, bits) in enumerate(self.types[t]):
                sub = "%s.%s" % (place, fn)
                if array:
                    out += "".join(
                        self.leaf(ft, "%s[%d]" % (sub, k), "%s + %d" % (seed, 17 * i + k), check) for k in range(array)
                    )
                elif bits:
                    v = "((long)(%s + %d) * 0x9e3779b9 >> 3 & %#xl)" % (
                        seed,
                        31 * i,
                        (1 << (bits - (ft in ("int", "long")))) - 1 if bits > 1 or ft[0] == "u" else 0,
                    )
                    out += "  CHECK(%s == %s);\n" % (sub, v) if check else "  %s = %s;\n" % (sub, v)
                else:
                    out += self.leaf(ft, sub, "%s + %d" % (seed, 29 * i), check)
            return out
        if t in VECTORS:
            e, n = VECTORS[t]
            return "".join(self.leaf(e, "%s[%d]" % (place, k), "%s + %d" % (seed, k), check) for k in range(n))
        if "_Complex" in t:
            e = t.replace(" _Complex", "")
            return self.leaf(e, "__real__ %s" % place, seed, check) + self.leaf(
                e, "__imag__ %s" % place, seed + " + 1", check
            )
        if "*" in t:
            value = "(%s)%s" % (t, value)
        if t == "_Bool":
            value = "(_Bool)((%s) %% 3 != 0)" % seed
        if t == "enum e":
            value = "(enum e)((%s) %% 3)" % seed
        return "  CHECK(%s == %s);\n" % (place, value) if check else "  %s = %s;\n" % (place, value)

    def functions(self, count):
        caller, callee, header = [], [], []
        for i in range(count):
            result = self.any_type() if self.rnd.random() < 0.85 else "void"
            params = [self.any_type() for _ in range(self.rnd.choice(self.lengths))]
            variadic = bool(params) and self.rnd.random() < 0.25
            extra = []
            if variadic:
                extra = [
                    t
                    for t in (self.any_type() for _ in range(self.rnd.randint(1, 8)))
                    if t not in PROMOTED and t != "enum e"
                ]
            list_ = ", ".join("%s p%d" % (t, k) for k, t in enumerate(params)) + (", ..." if variadic else "")
            proto = "%s fn%d(%s)" % (result, i, list_ or "void")
            header.append("extern %s;\n" % proto)
            body = "  where = \"fn%d: %s\";\n" % (i, proto.replace('"', ""))
            for k, t in enumerate(params):
                body += self.leaf(t, "p%d" % k, "%dul" % (i * 1000 + k * 50 + 1), True)
            if variadic:
                body += "  va_list ap; va_start(ap, p%d);\n" % (len(params) - 1)
                for k, t in enumerate(extra):
                    body += "  { %s x = va_arg(ap, %s);\n%s  }\n" % (
                        t,
                        t,
                        self.leaf(t, "x", "%dul" % (i * 1000 + k * 50 + 500), True),
                    )
                body += "  va_end(ap);\n"
            if result != "void":
                body += "  %s r;\n%s  return r;\n" % (result, self.leaf(result, "r", "%dul" % (i * 1000 + 7), False))
            callee.append("%s {\n%s}\n" % (proto, body))
            call = ""
            for k, t in enumerate(params):
                call += "  %s a%d;\n%s" % (t, k, self.leaf(t, "a%d" % k, "%dul" % (i * 1000 + k * 50 + 1), False))
            for k, t in enumerate(extra):
                call += "  %s e%d;\n%s" % (t, k, self.leaf(t, "e%d" % k, "%dul" % (i * 1000 + k * 50 + 500), False))
            arguments = ", ".join(["a%d" % k for k in range(len(params))] + ["e%d" % k for k in range(len(extra))])
            target = "fn%d" % i if self.rnd.random() < 0.6 else "(*pointer)"
            if target != "fn%d" % i:
                call = (
                    "  %s (*volatile pointer)(%s) = fn%d;\n"
                    % (result, ", ".join(params) + (", ..." if variadic else "") or "void", i)
                    + call
                )
            call += "  where = \"result of fn%d: %s\";\n" % (i, proto)
            call += (
                "  %s(%s);\n" % (target, arguments)
                if result == "void"
                else "  %s r = %s(%s);\n%s"
                % (
                    result,
                    target,
                    arguments,
                    self.leaf(result, "r", "%dul" % (i * 1000 + 7), True).replace("CHECK", "CHECKR"),
                )
            )
            caller.append("static void call%d(void) {\n%s}\n" % (i, call))
        return header, callee, caller


COMMON = """/* Generated: see generate.py. */
#include <stdarg.h>
#include <stdio.h>
typedef int v4si __attribute__((vector_size(16))); typedef double v2df __attribute__((vector_size(16))); typedef float v4sf __attribute__((vector_size(16)));
enum e { A, B, C };
extern int errors; extern const char *where;
#define VALUE(t, s) ((t)(((s) * 2654435761ul >> 7) % 16381))
#define CHECK(e) do { if (!(e)) { errors++; printf("%s: not %s\\n", where, #e); } } while (0)
#define CHECKR CHECK
"""


def generate(seed, count=40, vectors=True, **how):
    program = Program(seed, vectors, **how)
    header, callee, caller = program.functions(count)
    types = COMMON + "".join(program.decls) + "".join(header)
    main = (
        'int errors; const char *where = "";\n'
        + "".join(caller)
        + "int main(void) {\n"
        + "".join("  call%d();\n" % i for i in range(count))
        + "  return errors != 0;\n}\n"
    )
    return {
        "types.h": types,
        "callee.c": '#include "types.h"\n' + "".join(callee),
        "caller.c": '#include "types.h"\n' + main,
    }


def mixed(folder, seed, count, ours, theirs, run=(), levels=("-O0", "-O2"), vectors=True, **how):
    """Builds and runs both directions; returns a text for what went wrong, or None."""
    folder = Path(folder)
    for name, text in generate(seed, count, vectors, **how).items():
        (folder / name).write_text(text)
    rnd = random.Random(seed)
    for our_half in ("callee", "caller"):
        their_half = "caller" if our_half == "callee" else "callee"
        for half, compiler in ((our_half, ours), (their_half, theirs)):
            words = list(compiler) + [rnd.choice(levels), "-w", "-c", half + ".c", "-o", half + ".o"]
            done = subprocess.run(
                words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300
            )
            if done.returncode:
                return "seed %d: %s\n%s" % (seed, " ".join(map(str, words)), done.stdout[:3000])
        subprocess.run(list(theirs) + ["callee.o", "caller.o", "-o", "program"], cwd=folder, check=True)
        done = subprocess.run(list(run) + [str(folder / "program")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=60)
        if done.returncode:
            return "seed %d, our %s: status %d\n%s" % (seed, our_half, done.returncode, done.stdout[:3000])
    return None


def main():
    root = Path(__file__).resolve().parent.parent.parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--last", type=int, default=50)
    parser.add_argument("--functions", type=int, default=40)
    parser.add_argument("--parameters", type=int, nargs="*", help="numbers of parameters to choose from")
    parser.add_argument("--ours", default=str(root / "cilkc"))
    parser.add_argument("--theirs", default="gcc")
    parser.add_argument("--run", default="")
    parser.add_argument("--keep", help="folder for the files of the last program")
    options = parser.parse_args()
    bad = 0
    how = {"lengths": options.parameters} if options.parameters else {}
    for seed in range(options.first, options.last + 1):
        with tempfile.TemporaryDirectory() as folder:
            folder = options.keep or folder
            Path(folder).mkdir(exist_ok=True)
            error = mixed(folder, seed, options.functions, shlex.split(options.ours), shlex.split(options.theirs),
                          shlex.split(options.run), **how)
        if error:
            bad += 1
            print(error)
            if options.keep:
                break
    print("%d programs, %d bad" % (options.last - options.first + 1, bad))
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
