"""What fuzzing begins with: the tests' and samples' own programs, made small; options; what the tools read.

A program is preprocessed, and of its headers only the declarations stay that it names. Line markers stay, so that
the main file's lines are where they were. For the stages that read the user's file again, an input is that file, a
byte 1, and the preprocessed text (front_stages.cpp).
"""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("samples", "tests/c", "tests/run", "tests/elide", "tests/elide_run", "tests/clones", "tests/plan",
           "tests/cilk1", "tests/errors", "tests/check", "tests/sched", "tests/abi")
SUFFIXES = (".c", ".cilk", ".cilk1")
MOST = 6000                      # bytes of one text
MARKER = re.compile(r'# (\d+) "((?:[^"\\]|\\.)*)"')
WORD = re.compile(r"[A-Za-z_]\w*")


def preprocessed(path):
    done = subprocess.run(
        [ROOT / "cilkc", "-E", path],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        errors="replace",
        timeout=120,
    )
    return done.stdout if done.returncode == 0 else ""


def pieces(text, main):
    """(file, line, text) of each external declaration of a header, and of each stretch of the main file."""
    found, file, line, lines, begin, depth = [], "", 1, [], 1, 0

    def end():
        if lines:
            found.append((file, begin, "\n".join(lines) + "\n"))
            lines.clear()

    for row in text.splitlines():
        marker = MARKER.match(row)
        if marker:
            if depth == 0 or file == main:
                end()
            if not lines or file == main:
                file, begin = marker[2], int(marker[1])
            line = int(marker[1])
            continue
        if not lines:
            begin = line
        line += 1
        if file != main and not row.strip():
            continue
        lines.append(row)
        if file != main:
            depth += sum(row.count(c) for c in "({[") - sum(row.count(c) for c in ")}]")
            last = row.rstrip()
            if depth <= 0 and (last.endswith(";") or last.endswith("}") and "typedef" not in lines[0]):
                depth = 0
                end()
    end()
    return found


def trimmed(text, main, name):
    """The preprocessed text with little of the headers left, the main file being called `name`."""
    every = pieces(text, main)
    needed = {word for file, _, piece in every if file == main for word in WORD.findall(piece)}
    kept = []
    for file, line, piece in reversed(every):
        if file == main:
            kept.append('# %d "%s"\n%s' % (line, name, piece))
            continue
        words = WORD.findall(piece)
        before = WORD.findall(piece.partition("(")[0])
        record = piece.lstrip().startswith(
            ("struct", "union", "enum", "typedef struct", "typedef union", "typedef enum")
        )
        if (
            words
            and (words[-1] in needed or before and before[-1] in needed or record and needed.intersection(words))
            or piece.startswith("#pragma lang")
        ):
            needed.update(words)
            kept.append('# %d "header%s" 3\n%s' % (line, ".cilkh" if file.endswith(".cilkh") else ".h", piece))
    return '# 1 "%s"\n' % name + "".join(reversed(kept))


def programs(folder):
    """folder/one has preprocessed texts, folder/two files and their texts. Made once."""
    one, two = folder / "one", folder / "two"
    if two.exists():
        return
    one.mkdir(parents=True, exist_ok=True)
    made = folder / "two.new"
    made.mkdir(exist_ok=True)
    for path in [path for place in FOLDERS for path in sorted((ROOT / place).rglob("*")) if path.suffix in SUFFIXES]:
        written = path.read_bytes()
        if len(written) > MOST:
            continue
        text = preprocessed(path)
        relative = path.relative_to(ROOT).as_posix()
        name = "fuzz" + path.suffix
        main = next((m[2] for m in map(MARKER.match, text.splitlines()) if m and m[2].endswith(path.name)), "")
        small = trimmed(text, main, name).encode(errors="replace")
        if not main or len(small) > MOST:
            continue
        (one / relative.replace("/", "_")).write_bytes(small)
        (made / relative.replace("/", "_")).write_bytes(written + b"\1" + small)
    made.rename(two)


def options(folder, table):
    """One word in each file, and all of them in one, by the native compiler's own table (cilkc1_options.inc)."""
    folder.mkdir(parents=True, exist_ok=True)
    words = []
    for word, shape, values in re.findall(r'^OPTION\(\w+, "([^"]*)", (\w+), "([^"]*)"\)', table.read_text(), re.M):
        chosen = values.split() or ["x.c", "7", "c17"]
        words += (
            [word]
            if shape == "Alone"
            else [word + "\n" + chosen[0]]
            if shape == "Next"
            else [word + value for value in chosen]
        )
    for i, word in enumerate(words):
        (folder / ("word-%d" % i)).write_text(word + "\nx.i\n")
    (folder / "all").write_text("\n".join(words) + "\n")
