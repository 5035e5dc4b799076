"""Runs weak/*.weak and their mutants in checkers that others wrote, and compares with weak.py.  python3
rt/model/peers.py [MODEL...]

GenMC, where the variable GENMC or the path has it, under RC11 and under IMM; Relacy, where its headers are. weak.py
says of each model that it holds, and of each mutant that it fails (`make model`): so must these. IMM has load
buffering, and keeps the order of dependent accesses: under it the models alone are tried. Mutants that a checker
cannot see are in a table here, with the reason; README.md has more about the checkers.

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

EXECUTIONS = 100000                       # of Relacy: so many by chance, then so many one after the other
LONGEST = 20                              # seconds of the latter: with three threads at one lock it may not end
RELACY = pathlib.Path("/usr/include/relacy/relacy.hpp")
SECONDS = 600                             # for one program of GenMC
RELACY_MAIN = """
template <class Model> void search(const std::string &name, char **words)
{
    if (name != words[1]) return;
    std::ostream nowhere(0);
    rl::test_params how;
    how.output_stream = how.progress_stream = &nowhere;
    how.search_type = words[2] == std::string("drawn") ? rl::sched_random : rl::sched_bound;
    how.context_bound = 4;
    how.iteration_count = %d;
    std::cout << (rl::simulate<Model>(how) ? "ok" : rl::test_result_str(how.test_result)) << std::endl;
}
int main(int, char **words)
{
"""


@dataclass(frozen=True)
class Checker:
    name: str
    verdicts: "Callable[[dict[str, str]], dict[str, str]]"    # of programs by name: 'ok...' or 'fails...'
    unseen: "dict[str, str]"              # MODEL/MUTANT that it lets pass: why
    mutants: bool = True                  # whether they are tried


def relacy(texts, ways=("drawn", "bounded")):
    """One program has them all."""
    names = {"model%d" % n: name for n, name in enumerate(texts)}
    pieces = ["#include <relacy/relacy.hpp>", *(translate.to_relacy(model, texts[names[model]]) for model in names)]
    pieces += [RELACY_MAIN % EXECUTIONS, *('search<%s>("%s", words);' % (model, model) for model in names), "}", ""]
    found = dict.fromkeys(texts, "ok")
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "models")
        pathlib.Path(program + ".cpp").write_text("\n".join(pieces))
        subprocess.run(["c++", "-std=c++11", "-O1", "-w", "-o", program, program + ".cpp", "-lpthread"], check=True)
        for model, name in names.items():
            for way in ways:
                limit = None if way == "drawn" else LONGEST
                try:
                    done = subprocess.run([program, model, way], capture_output=True, text=True, timeout=limit)
                except subprocess.TimeoutExpired:
                    continue
                if done.stdout != "ok\n":
                    found[name] = "fails: " + done.stdout.strip()
                    break
    return found


def genmc(program, model):
    def verdict(text):
        """That of the first gap where it is not ok."""
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "model.c"
            for gap in translate.gaps(weak.parse(text)):
                source.write_text(translate.to_c(text, gap))
                words = [program, model, "--check-liveness", "--disable-estimation", "--", "-w", source]
                try:
                    done = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS)
                except subprocess.TimeoutExpired:
                    return "was cut off"
                said = done.stdout + done.stderr
                if "No errors were detected" not in said:
                    why = re.search(r"Error: (.*)", said)
                    return "fails: " + why[1] if why else "gave no result: " + said[-200:]
        return "ok"

    return lambda texts: {name: verdict(text) for name, text in texts.items()}


AS_EXECUTED = "Relacy's sc operations take effect as they are executed; RC11 allows another order (litmus.py: Z6.U)"
UNSEEN_BY_RELACY = {
    "cancel/another-reads-it-acquire": AS_EXECUTED,
    "stop/number-relaxed": AS_EXECUTED,
    "the_fenced/pop-relaxed": "a later store of the same thread continues a release sequence (litmus.py: MP+overwrite)",
}


def checkers():
    found = []
    program = os.environ.get("GENMC") or shutil.which("genmc")
    if program:
        found.append(Checker("GenMC, RC11", genmc(program, "--rc11"), {}))
        found.append(Checker("GenMC, IMM", genmc(program, "--imm"), {}, False))
    if shutil.which("c++") and RELACY.exists():
        found.append(Checker("Relacy", relacy, UNSEEN_BY_RELACY))
    return found


def compare(checker, path):
    """A row of the table, and whether it is as it must be."""
    text = path.read_text()
    mutants = weak.parse(text, path.stem).mutants if checker.mutants else {}
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
