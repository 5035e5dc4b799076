"""`python3 -m bench.travel [--publish docs/travel.md]`: what a checkpoint has and costs, and that it costs the work
nothing.

The first table: programs with so many closures and so much heap (travel/live.cilk), the bytes of their images, and how
long the workers waited at least (`--stats 1`). --inspect counts what is alive. The second: instructions in the code
that cilkc made of a program, by callgrind, with and without --checkpoint. --publish puts both in the place of those
that a page has.
"""

import argparse
import os
import re
import subprocess
import sys

from .build import BUILD, CILKC
from .cases import HERE, ROOT

# closures, megabytes of heap
LIVE = ((10, 0), (1_000, 0), (100_000, 0), (10, 1), (10, 10), (10, 100))
MS = 4000
# functions of the C library are bound at the start: the first call of one counts four instructions more otherwise
NOW = "-Wl,-z,now"
PROGRAMS = {"fib": ["24"], "nqueens": ["8"], "cilksort": ["20000"], "heat": ["64", "20"]}


def run(words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=300)
    if done.returncode:
        raise SystemExit("%s failed:\n%s" % (words[0], done.stdout + done.stderr))
    return done


def build(path, out, *flags):
    run([CILKC, "build", "-O2", "-w", "-include", "cilk-malloc.h", *flags, path, "-lm", "-o", out])
    return out


def table(head, rows):
    lines = ["| %s |" % " | ".join(head), "|" + "---:|" * len(head)]
    return "\n".join(lines + ["| %s |" % " | ".join(row) for row in rows]) + "\n"


def costs(folder, live, ms):
    program = build(os.path.join(HERE, "travel", "live.cilk"), os.path.join(folder, "live"))
    image = os.path.join(folder, "live.img")
    rows = []
    for depth, megabytes in live:
        words = ["--checkpoint", image, "--every", "20ms", "--stats", "1", depth, megabytes, ms]
        said = run([program, "--nproc", 1, *words]).stderr
        found = re.findall(r"checkpoint \d+: (\d+) bytes, workers waited for ([\d.]+) ms", said)
        if not found:
            raise SystemExit("%s: no checkpoint" % words)
        size, wait = int(found[-1][0]), min(float(one[1]) for one in found)
        closures, links = re.findall(r"(\d+) closures, (\d+) links", run([program, "--inspect", image]).stdout)[0]
        rows.append((int(closures), int(links), megabytes, size, wait))
    base, chain = rows[0], max(rows)
    text = table(["closures", "links", "heap, MB", "image, bytes", "least pause, ms", "ms per MB"],
                 [[*("{:,}".format(one) for one in row[:4]), "%.2f" % row[4], "%.2f" % (row[4] / row[3] * 1e6)]
                  for row in rows])
    each = (chain[3] - base[3]) / max(chain[0] - base[0], 1)
    return text, "A closure and its link take %.0f bytes there." % each


def instructions(words, out):
    """Instructions of the functions of .cilk files."""
    run(["valgrind", "--tool=callgrind", "--callgrind-out-file=" + out, *words])
    names, mine, skip, total = {}, False, False, 0
    with open(out, encoding="utf-8", errors="replace") as file:
        for line in file:
            found = re.match(r"(c?)f[lie]=\((\d+)\)(?: (.*))?$", line)
            if found:
                if found[3]:
                    names[found[2]] = found[3]
                if not found[1]:                            # else of a callee
                    mine = names[found[2]].endswith(".cilk")
            elif line.startswith("calls="):
                skip = True                                 # the next line is of the callee
            elif re.match(r"[+*\-\d]", line):
                if mine and not skip:
                    total += int(line.split()[1])
                skip = False
    return total


def unchanged(folder):
    rows = []
    for name, words in PROGRAMS.items():
        program = build(os.path.join(ROOT, "samples", name + ".cilk"), os.path.join(folder, name), "-g", NOW)
        out = os.path.join(folder, "callgrind")
        options = ["--checkpoint", os.path.join(folder, name + ".img")]
        plain, asked = (instructions([program, "--nproc", 1, *more, *words], out) for more in ([], options))
        rows.append(["`%s %s`" % (name, " ".join(words)), "{:,}".format(plain), "{:,}".format(asked)])
    return table(["program", "without", "with `--checkpoint`"], rows)


def publish(path, *tables):
    """The tables of the page with these heads become the new ones."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for one in tables:
        head = one.splitlines()[0]
        text, n = re.subn(re.escape(head) + r"\n(?:\|.*\n)+", one.replace("\\", "\\\\"), text)
        if n != 1:
            raise SystemExit("%s has %d tables with the head %s" % (path, n, head))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main(words):
    parser = argparse.ArgumentParser(prog="python3 -m bench.travel", description=__doc__.split("\n\n", maxsplit=1)[1])
    parser.add_argument("--tiny", action="store_true", help="sizes that measure nothing")
    parser.add_argument("--publish", metavar="PAGE")
    options = parser.parse_args(words)
    folder = os.path.join(BUILD, "bench", "travel")
    os.makedirs(folder, exist_ok=True)
    first, each = costs(folder, LIVE[:2] if options.tiny else LIVE, 200 if options.tiny else MS)
    second = unchanged(folder)
    print("%s\n%s\n\n%s" % (first, each, second))
    if options.publish:
        publish(options.publish, first, second)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
