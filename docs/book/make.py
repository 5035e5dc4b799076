"""Makes the outputs and figures of the book again: `python3 docs/book/make.py` writes them, with --check it only
compares.

In a fence called `console` a line `$ command` is run by bash, and what follows it is its output. The commands of one
chapter run one after the other in a copy of `code/`. A picture that the chapter shows is taken from there.
"""

import argparse
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FENCE = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
PICTURE = re.compile(r"!\[[^\]]*\]\(([\w.-]+\.svg)\)")


def output_of(line, folder):
    environment = dict(os.environ, PATH="%s:%s" % (ROOT, os.environ["PATH"]), NO_COLOR="1", LC_ALL="C.UTF-8")
    for name in [name for name in environment if name.startswith("CILK_")]:
        del environment[name]
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=300,
        check=False,
    )
    return done.stdout.rstrip("\n")


def made_again(text, folder):
    """The chapter with new outputs."""
    def fence(found):
        rows = []
        for line in found.group(1).split("\n"):
            if line.startswith("$ "):
                rows.append(line)
                output = output_of(line[2:], folder)
                rows += output.split("\n") if output else []
        return "```console\n%s\n```" % "\n".join(rows)
    return FENCE.sub(fence, text)


def chapter(path, check):
    """What differs from what is there, as text; written where it is not only checked."""
    folder = Path(tempfile.mkdtemp(prefix="cilkc-book-"))
    try:
        shutil.copytree(HERE / "code", folder / "code")
        before = path.read_text("utf-8")
        after = made_again(before, folder / "code")
        found = "".join(
            difflib.unified_diff(before.splitlines(True), after.splitlines(True), str(path), "made again", n=1)
        )
        for name in PICTURE.findall(before):
            picture, here = folder / "code" / name, HERE / name
            if not picture.exists():
                found += "%s: no command of %s makes it\n" % (name, path.name)
            elif not here.exists() or picture.read_bytes() != here.read_bytes():
                found += "%s differs\n" % name
                if not check:
                    shutil.copyfile(picture, here)
        if not check:
            path.write_text(after, "utf-8")
        return found
    finally:
        shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--check", action="store_true", help="change nothing; the exit status is 1 where something differs"
    )
    parser.add_argument("chapters", nargs="*", type=Path, help="default: all")
    options = parser.parse_args()
    found = "".join(
        chapter(path.resolve(), options.check) for path in options.chapters or sorted(HERE.glob("[0-9]*.md"))
    )
    sys.stdout.write(found)
    return 1 if found and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
