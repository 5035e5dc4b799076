"""What `--help`, the manual page and completion say of the command: texts, and the flags by topic, made from
flags.py."""

import textwrap

from cilkc_driver import flags as table

COLUMNS, WIDEST = 79, 38        # of the help, and of a flag in it that has its meaning beside it

BUILD_USAGE = """\
Usage: cilkc [build] [FLAGS] FILE...

  Compile and link Cilk and C files.  The word `build` may be left out when the
  first word is a flag or a file: `cilkc -O2 fib.cilk -o fib`, `make CC=cilkc`.

  .cilk files are Cilk, .cilk1 files are Cilk with the threads of Cilk-1, and
  .c files are C (--cc=CMD gives them to another compiler).  .s and .S files are
  assembled.  C++ goes to the system's C++ compiler, and other files go to the
  linker.

"""

STATUS_HELP = """\
0    done
1    errors in the program or in a file
2    wrong usage
run: the program's own status; 128 + n when signal n ended it; 125 when it was
     not run, because it could not be compiled, the tools failed, or the
     command line was wrong
"""

ENVIRONMENT_HELP = """\
CILKC_CC, CILKC_CXX   the system compilers that preprocess, assemble and link;
                      several words are a command (ccache gcc)
CILKC1                the native compiler
CILKC_BUILD           the folder with it and the runtime
CILKC_TRACEBACK=1     where an internal error happened
CILKC_PROGRESS=0      tools print nothing about how far they have come
NO_COLOR, TMPDIR      as usual
"""

MAIN_HELP = """\
cilkc compiles Cilk: C with spawn and sync, run in parallel by work stealing.

\b
  cilkc -O2 fib.cilk -o fib && ./fib --nproc 4 35
  cilkc run samples/nqueens.cilk -- 10
  cilkc elide fib.cilk           the same program in plain C
  cilkc explain CODE             what an error means, what to write instead

A first word that is a flag or a file means `build`.
"""


def forms(row):
    """A flag's names as the help shows them, with their values."""
    values = row[4] if len(row) > 4 else ""
    glue = "=" if row[1] == "=>" else " " if row[1] in "+>" and values else ""
    return [name + glue + values.replace(" ", "|") for name in row[0].split(" ")]


def flags_help():
    """The flags by topic, made from flags.py."""
    text = ""
    for title, topics in table.TOPICS:
        lines = []
        for topic, meaning in topics:
            rows = [row for row in table.FLAGS if row[3:4] == (topic,)]
            if meaning is None:
                lines += [(" ".join(forms(row)), row[5]) for row in rows]
            else:
                lines.append((" ".join(form for row in rows for form in forms(row)), meaning))
        width = max(len(left) for left, _ in lines if len(left) <= WIDEST)
        text += title + "\n"
        for left, meaning in lines:
            shown = textwrap.wrap(meaning, COLUMNS - width - 4, break_on_hyphens=False) or [""]
            if len(left) > width:
                text += "".join("  %s\n" % row for row in textwrap.wrap(left, COLUMNS - 2, break_on_hyphens=False))
                left = ""
            for row in shown:
                text += ("  %-*s  %s" % (width, left, row)).rstrip() + "\n"
                left = ""
        text += "\n"
    return text.rstrip("\n") + "\n"


def completions():
    """All flags that the help shows, with each of their values."""
    for row in table.FLAGS:
        if row[3:]:
            values = row[4].split(" ") if row[4:] and row[4] == row[4].lower() else [""]  # in capitals: the user's own
            for name in row[0].split(" "):
                yield from (name + ("=" if row[1] == "=>" else "") + value for value in values)
