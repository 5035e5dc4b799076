#!/usr/bin/env python3
"""`make quick`: the tests of what has changed, within a minute. What it runs is less than `make check`.

What has changed is what git says of the working tree. If that is clean, it is what HEAD has beyond the branch that it
came from. A file's room is the innermost of its folders that ROOMS names, and the table says which modules test it. A
changed module is run itself. A changed program runs the cases that have its name, in whatever tier they are. Once the
minute is over, tests that have not begun are skipped.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULES = {path.stem[len("test_"):]: path.relative_to(ROOT).as_posix() for path in ROOT.glob("tests/*/test_*.py")}
SECONDS = 55                                                # the last tests to begin have five more
NONE = 5                                                    # pytest's status where no test was selected

# Room: modules. A room is TOP/FOLDER, at whatever depth the folder is; a name without a slash has the files of TOP
# itself. Rooms of tests/ are folders of programs whose module has another name, or files that modules share.
ROOMS = {
    "grammar": "parse errors tree_sitter",
    "frontend/analysis": "errors",
    "frontend/ast": "parse check guards",
    "frontend/builtins": "builtins builtin_calls",
    "frontend/consteval": "tables wide",
    "frontend/elide": "elide elide_run cilk1_text",
    "frontend/flow": "errors plan",
    "frontend/index": "index lsp",
    "frontend/export": "export prove",
    "frontend/parse": "parse errors check",
    "frontend/plan": "plan clones",
    "frontend/sema": "errors check c",
    "frontend/opencilk": "errors opencilk",
    "frontend/cilk1": "errors cilk1_paper cilk1_calls",
    "frontend/show": "clones check",
    "frontend/source": "diagnostics explanations cilkc1",
    "frontend/support": "parse",
    "frontend/types": "targets variable_types",
    "codegen": "c clones run",
    "codegen/abi": "abi targets",
    "codegen/body": "c run",
    "codegen/builtin": "builtins c",
    "codegen/c": "c wide",
    "codegen/cilk1": "cilk1_text cilk1_paper",
    "codegen/clones": "clones plan run",
    "codegen/core": "clones run",
    "codegen/events": "access events units",
    "codegen/module": "c lto weak",
    "codegen/output": "lto cilkc1",
    "codegen/serial": "serial run",
    "codegen/shim": "c passes",
    "codegen/target": "targets orders",
    "rt": "abi_tags rt",
    "rt/arch": "steps rt",
    "rt/base": "rt edges",
    "rt/calls": "rt pools",
    "rt/cilk1": "cilk1_runtime cilk1_paper",
    "rt/core": "steps rt",
    "rt/data": "steps policies",
    "rt/dist": "dist",
    "rt/fibers": "steps nested start",
    "rt/memory": "memory",
    "rt/model": "model",
    "rt/nest": "steps nested start",
    "rt/observe": "speedup trace span book",
    "rt/pedigree": "pedigrees",
    "rt/process": "edges fork_fields blocking",
    "rt/profile": "profile",
    "rt/protocol": "steps rt",
    "rt/race": "race race_library",
    "rt/strands": "race_parallel",
    "rt/replay": "replay record",
    "rt/report": "race profile memory",
    "rt/sched": "policies sched operations",
    "rt/schedule": "steps policies scheduler",
    "rt/steal": "steps rt scheduler",
    "rt/travel": "travel travel_types",
    "rt/views": "views",
    "driver": "setup",
    "driver/base": "driver cli flags",
    "driver/cilkc1": "cilkc1 flags",
    "driver/cilkc_driver": "driver cli flags",
    "driver/cmake": "build_systems",
    "driver/commands": "cli flags install",
    "driver/grade": "grade grade_formats",
    "driver/lsp": "lsp",
    "driver/play": "play",
    "driver/prove": "prove",
    "driver/tools": "tools shown_names trace_tool race dag",
    "bench": "bench table4 lines",
    "docs": "docs",
    "docs/book": "book",
    "docs/labs": "labs",
    "docs/slides": "book",
    "docs/tutorial": "play",
    "editors": "editors explorer notebook tree_sitter",
    "packaging": "packages",
    "samples": "run",
    "stdlib": "start views pedigrees",
    "stdlib/cilk": "views opencilk opencilk_items exact_sum elide",
    "tests": "tiers",
    "tests/as_threads": "cilk1_text",
    "tests/cilk1": "cilk1_paper cilk1_runtime",
    "tests/old_bugs": "pct",
    "tests/opencilk": "opencilk opencilk_items",
    "tests/policies": "policies",
    "tests/samples": "run",
    "tests/scaling": "scaling_constructs",
    "tests/soak": "fault",
    "tests/steps": "steps",
    "tests/wrong": "sched_test explore",
    "tests/right": "explore",
}
ALIKE = ("bench", "docs", "editors", "packaging", "samples", "stdlib")       # all folders are as the first one
STYLE = {".md": "docs english", ".py": "source guards", ".c": "source guards layers", ".h": "source guards layers",
         ".cpp": "source guards layers", ".def": "source guards layers", "Makefile": "setup parts"}


def room(path):
    """(its modules, its depth) of the innermost folder of a file that is a room; None: it should be one."""
    top, *folders = path.parts[:-1] or ("",)
    if top == "tests" and path.name.startswith("test_"):
        return [path.stem[len("test_"):]], 0
    for depth in range(len(folders), 0, -1):
        name = "%s/%s" % (top, folders[depth - 1])
        if name in ROOMS or top == "tests" and folders[depth - 1] in MODULES:
            return ROOMS.get(name, folders[depth - 1]).split(), depth
    if folders and top not in ALIKE and any(name.startswith(top + "/") for name in ROOMS):
        return None
    return ROOMS.get(top, "").split(), 0


def choose(paths):
    """The modules for changed files, and (module, program) for each changed program. Both in the order of the files."""
    modules, cases = {}, {}
    for path in map(Path, paths):
        found, depth = room(path) or ([], 0)
        if path.parts[0] == "tests" and depth and path.suffix not in (".py", ".md", ".h", ".mut"):
            cases.update(dict.fromkeys((name, path.parts[depth + 1].split(".")[0]) for name in found))
            continue
        style = "" if path.parts[0] == "tests" else STYLE.get(path.suffix or path.name, "")
        modules.update(dict.fromkeys([*found, *style.split()]))
    return [name for name in modules if name in MODULES], list(cases)


def git(root, *words):
    return subprocess.run(["git", *words], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


def changed(root=ROOT):
    """Files that differ from HEAD; in a clean tree, those in which HEAD differs from the branch that it came from."""
    names = git(root, "diff", "--name-only", "HEAD") + git(root, "ls-files", "--others", "--exclude-standard")
    for branch in ("@{upstream}", "origin/HEAD", "main"):
        base = "" if names else git(root, "merge-base", "HEAD", branch).strip()
        names = git(root, "diff", "--name-only", base) if base else names
    return sorted(names.splitlines())


def own_first(module):
    """The order in which modules begin: the rooms' own, then those about the house, which the minute may leave out."""
    return module.startswith("tests/house/"), module


def run(modules, seconds, *options):
    """pytest's status for these modules."""
    words = [sys.executable, "-m", "pytest", "-q", "-n", str((os.cpu_count() or 1) + 2), "--dist", "worksteal",
             "--seconds=%d" % seconds, *options,
             *sorted((MODULES[name] for name in set(modules)), key=own_first)]
    return subprocess.run(words, cwd=ROOT, env=dict(os.environ, CILKC_TEST_BUILT="1")).returncode


def main():
    paths, end, failed = changed(), time.monotonic() + SECONDS, False
    if not paths:
        print("quick: nothing has changed")
        return 0
    modules, cases = choose(paths)
    print("quick: of %d changed files the programs %s; the modules %s" % (
        len(paths), ", ".join("%s of %s" % case[::-1] for case in cases) or "-", " ".join(modules) or "-"), flush=True)
    if cases:
        named = " or ".join("test_%s.py and %s" % case for case in cases)
        status = run([name for name, _ in cases], SECONDS, "--tier=all", "-k", named, *sys.argv[1:])
        failed = status not in (0, NONE)
        if status == NONE:                      # a file that several tests share
            modules += [name for name, _ in cases if name not in modules]
    if modules:
        status = run(modules, max(end - time.monotonic(), 5), "--tier=check", "-m", "not slow", *sys.argv[1:])
        failed |= status not in (0, NONE)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
