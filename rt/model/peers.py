"""Runs weak/*.weak and their mutants in checkers that others wrote, and compares with weak.py.  python3
rt/model/peers.py [MODEL...]

GenMC, where the variable GENMC or the path has it, under RC11 and under IMM (which allows load buffering); Relacy,
where its headers are. weak.py says of each model that it holds, and of each mutant that it fails (`make model`): so
must these. What a checker cannot say is in UNSEEN, with its reason; README.md has more of both.

Exit status: 0 they agree, 1 not, 2 there is no checker.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from typing import Callable

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import translate  # noqa: E402
import weak  # noqa: E402

SEARCHED = 100000                         # Relacy's executions, one after the other; then those by chance
DRAWN = 20000
SECONDS = 600                             # for one program of GenMC
RELACY_MAIN = """
template <class Model> void search(const char *name)
{
    std::ostream nowhere(0);
    for (int drawn = 0; drawn < 2; drawn++) {
        rl::test_params how;
        how.output_stream = how.progress_stream = &nowhere;
        how.search_type = drawn ? rl::sched_random : rl::sched_full;
        how.iteration_count = drawn ? %d : %d;
        if (!rl::simulate<Model>(how)) {
            std::cout << name << " fails: " << rl::test_result_str(how.test_result) << std::endl;
            return;
        }
        if (!drawn && how.stop_iteration < how.iteration_count) {
            std::cout << name << " ok" << std::endl;
            return;
        }
    }
    std::cout << name << " ok, of those tried" << std::endl;
}
""" % (DRAWN, SEARCHED)


@dataclass(frozen=True)
class Checker:
    name: str
    verdicts: "Callable[[dict[str, str]], dict[str, str]]"    # of programs by name: 'ok...' or 'fails...'
    unseen: "dict[str, str]"              # MODEL/MUTANT that it lets pass: why


def relacy(texts):
    """One program runs them all."""
    pieces, names = ["#include <relacy/relacy.hpp>"], {}
    for text_name, text in texts.items():
        for gap in translate.gaps(weak.parse(text)):
            name = "model%d" % len(names)
            names[name] = text_name
            pieces.append(translate.to_relacy(name, text, gap))
    pieces += [RELACY_MAIN, "int main() {", *('search<%s>("%s");' % (name, name) for name in names), "}", ""]
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "models.cpp"
        program.write_text("\n".join(pieces))
        subprocess.run(["c++", "-std=c++11", "-O1", "-w", "-o", "models", program, "-lpthread"], cwd=folder, check=True)
        done = subprocess.run(["./models"], cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
    found: "dict[str, str]" = {}
    for line in done.stdout.splitlines():
        name, said = line.split(" ", 1)
        worst(found, names[name], said)
    return found


def genmc(program, model):
    def verdicts(texts):
        found: "dict[str, str]" = {}
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "model.c"
            for name, text in texts.items():
                for gap in translate.gaps(weak.parse(text)):
                    source.write_text(translate.to_c(text, gap))
                    words = [program, model, "--check-liveness", "--disable-estimation", "--", "-w", source]
                    try:
                        done = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS)
                    except subprocess.TimeoutExpired:
                        worst(found, name, "was cut off")
                        continue
                    said = done.stdout + done.stderr
                    why = re.search(r"Error: (.*)", said)
                    worst(found, name, "ok" if "No errors were detected" in said
                          else "fails: " + why[1] if why else "gave no result: " + said[-200:])
        return found

    return verdicts


def worst(found, name, said):
    """A program fails if it fails in one of its gaps."""
    rank = ["ok", "ok, of those tried"]
    old = found.get(name, "ok")
    if old in rank and (said not in rank or rank.index(said) > rank.index(old)):
        old = said
    found[name] = old


UNSEEN_BY_RELACY: "dict[str, str]" = {}
UNSEEN_BY_IMM: "dict[str, str]" = {}


def checkers():
    found = []
    program = os.environ.get("GENMC") or shutil.which("genmc")
    if program:
        found.append(Checker("GenMC, RC11", genmc(program, "--rc11"), {}))
        found.append(Checker("GenMC, IMM", genmc(program, "--imm"), UNSEEN_BY_IMM))
    test = subprocess.run(["c++", "-E", "-x", "c++", "-"], input="#include <relacy/relacy.hpp>", text=True,
                          capture_output=True)
    if test.returncode == 0:
        found.append(Checker("Relacy", relacy, UNSEEN_BY_RELACY))
    return found


def compare(checker, path):
    """A row of the table, and whether it is as it must be."""
    text = path.read_text()
    mutants = weak.parse(text, path.stem).mutants
    texts = {"": text, **{name: weak.mutated(text, edits) for name, edits in mutants.items()}}
    try:
        found = checker.verdicts(texts)
    except translate.Untranslatable as why:
        return "%-12s %-12s not translated: %s" % (path.stem, checker.name, why), True
    model = found.pop("")
    passed = [name for name, said in found.items() if not said.startswith("fails")]
    known = [name for name in passed if path.stem + "/" + name in checker.unseen]
    stale = [key for key in checker.unseen if key.startswith(path.stem + "/") and key.split("/")[1] not in passed]
    right = model.startswith("ok") and len(known) == len(passed) and not stale
    row = "%-12s %-12s %-20s %d of %d mutants fail" % (
        path.stem, checker.name, model, len(found) - len(passed), len(found))
    row += "".join("\n  %s: %s%s" % (name, found[name], " (known)" if name in known else "") for name in passed)
    return row + "".join("\n  %s: listed as unseen, but it fails" % key for key in stale), right


def main(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    options = parser.parse_args(words)
    paths = options.models or sorted((HERE / "weak").glob("*.weak"))
    there = checkers()
    if not there:
        print("there is no independent checker: install the package relacy-dev, or set GENMC to a program genmc",
              file=sys.stderr)
        return 2
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for checker in there:
            for row, right in pool.map(lambda path, checker=checker: compare(checker, path), paths):
                print(row, flush=True)
                bad |= not right
    return bad


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
