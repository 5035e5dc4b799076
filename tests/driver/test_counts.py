"""-fprofile-generate, -fprofile-use and --coverage: LLVM's tools read what programs write, and the counts are those of
the serial program that clang compiles, on one worker and on several."""

import os
import re
import shutil

import pytest

from cilkc_driver import counts
from cilkc_driver.console import Stop
from conftest import CILKC, ROOT, STRATEGIES, command

pytestmark = pytest.mark.tier("test")

CLANG, COV, DATA = (shutil.which(name) for name in ("clang-19", "llvm-cov-19", "llvm-profdata-19"))
ELISION = ["-Dcilk_spawn=", "-Dcilk_sync="]
QUIET = {"CILK_OPTIONS": "", "LLVM_PROFILE_FILE": ""}


def have_runtime():
    try:
        return bool(counts.runtime(None))
    except Stop:
        return False


needs_runtime = pytest.mark.skipif(not (CLANG and COV and DATA and have_runtime()),
                                   reason="clang-19, llvm-19 and libclang-rt-19-dev")

PROGRAM = """#include <stdio.h>
#include <stdlib.h>
static int leaf(int n) {
    if (n & 1)
        return 1;
    return 0;
}
static int fib(int n) {
    int x, y;
    if (n < 2)
        return n + 0 * leaf(n);
    x = cilk_spawn fib(n - 1);
    y = fib(n - 2);
    cilk_sync;
    return x + y;
}
static long sums(int n) {
    long r[20];
    long sum = 0;
    for (int i = 0; i < n; i++)
    {
        switch (i % 3) {
        case 0:
            r[i] = cilk_spawn fib(i);
            break;
        case 1:
            r[i] = fib(i);
            break;
        default:
            r[i] = -1;
        }
    }
    cilk_sync;
    for (int i = 0; i < n; i++)
    {
        if (r[i] < 0)
            continue;
        sum += r[i];
    }
    return sum;
}
int main(int argc, char **argv) {
    long s = 0;
    for (int i = 0; i < atoi(argv[1]); i++)
        s += sums(20);
    if (s < 0)
        abort();
    printf("%ld\\n", s);
    return 0;
}
"""


def lines_of(folder, data):
    """{line: count} of the lines with code."""
    result = command([COV, "gcov", data], cwd=folder)
    assert result.status == 0, str(result)
    found = {}
    for row in (folder / "p.c.gcov").read_text().splitlines():
        count, line, _ = (part.strip() for part in row.split(":", 2))
        if line != "0" and count != "-":
            found[int(line)] = 0 if count == "#####" else int(count)
    return found


def run(folder, program, workers, times):
    result = command(["./" + program, str(times)], cwd=folder, env={**QUIET, "CILK_NWORKERS": str(workers)}, timeout=100)
    assert result.status == 0, str(result)
    return result.out


@needs_runtime
def test_lines_are_counted_as_clang_counts_them(tmp_path):
    (tmp_path / "p.c").write_text(PROGRAM)
    assert command([CLANG, "--coverage", *ELISION, "p.c", "-o", "clang"], cwd=tmp_path).status == 0
    assert command([CILKC, "-fopencilk", "-O2", "--coverage", "p.c", "-o", "ours"], cwd=tmp_path).status == 0
    expected = run(tmp_path, "clang", 1, 3)
    wanted = lines_of(tmp_path, "clang-p.gcda")
    text = PROGRAM.splitlines()
    assert len(wanted) > 30 and {0} < set(wanted.values())
    for workers in 1, 3:
        assert run(tmp_path, "ours", workers, 3) == expected
        ours = lines_of(tmp_path, "ours-p.gcda")
        (tmp_path / "ours-p.gcda").unlink()
        # Ends of blocks are code as each compiler likes it; at -O2 the life of a variable begins on its line.
        more = {text[line - 1].strip() for line in ours.keys() ^ wanted.keys()}
        assert more <= {"}", "int x, y;", "long r[20];"}
        assert all(ours[line] == wanted[line] for line in ours.keys() & wanted.keys()), (workers, ours, wanted)


def entries(text):
    """{function: how often it was called} of LLVM's code that was made with a profile."""
    numbers = dict(re.findall(r'^(!\d+) = !\{!"function_entry_count", i64 (\d+)\}', text, re.M))
    return {name: int(numbers[node]) for name, node in re.findall(r"^define .*?@([\w.]+)\(.*!prof (!\d+)", text, re.M)}


@needs_runtime
def test_profiles_count_calls_as_clang_counts_them(tmp_path):
    (tmp_path / "p.c").write_text(PROGRAM)
    ours = [CILKC, "-fopencilk", "-O1", "-fno-inline-leaves", "-fno-inline-recursion", "-fno-inline"]

    def profile(compiler, workers, name):
        result = command([*compiler, "-fprofile-generate=" + name, "p.c", "-o", "x" + name], cwd=tmp_path)
        assert result.status == 0, str(result)
        run(tmp_path, "x" + name, workers, 3)
        (raw,) = os.listdir(tmp_path / name)
        merged = command([DATA, "merge", "-o", tmp_path / name / "default.profdata", tmp_path / name / raw])
        assert merged.status == 0, str(merged)
        code = ["-S", "-emit-llvm", "-o", "-"] if compiler[0] == CLANG else ["emit", "--stage", "ir"]
        result = command([*compiler[:1], *code, *compiler[1:], "-fprofile-use=" + name, "p.c"], cwd=tmp_path)
        assert result.status == 0 and result.err == "", str(result)
        return entries(result.out)

    wanted = profile([CLANG, "-O1", "-fno-inline", *ELISION], 1, "clang")
    assert wanted["fib"] > 1000
    for workers in 1, 3:
        counted = profile(ours, workers, "ours%d" % workers)
        assert counted["fib.fast"] == wanted["fib"] and counted["sums.fast"] == wanted["sums"] == 3, workers


@needs_runtime
def test_a_profile_of_another_text_is_not_used(tmp_path):
    (tmp_path / "p.c").write_text(PROGRAM)
    words = [CILKC, "-fopencilk", "-O2", "p.c"]
    assert command([*words, "-fprofile-generate", "-o", "p"], cwd=tmp_path).status == 0
    run(tmp_path, "p", 1, 1)
    (raw,) = tmp_path.glob("default_*.profraw")
    assert command([DATA, "merge", "-o", "default.profdata", raw.name], cwd=tmp_path).status == 0
    result = command([*words, "-fprofile-use", "-c"], cwd=tmp_path)
    assert (result.status, result.err) == (0, ""), str(result)
    (tmp_path / "p.c").write_text(PROGRAM.replace("if (n & 1)", "if (n & 1 && puts(\"odd\") > 5)"))
    result = command([*words, "-fprofile-instr-use=.", "-c"], cwd=tmp_path)
    assert result.status == 0 and "'./default.profdata' is of another text of fib, " in result.err, str(result)
    assert "[-Wprofile-instr-out-of-date]" in result.err
    assert command([*words, "-fprofile-use", "-Wno-profile-instr-out-of-date", "-c"], cwd=tmp_path).err == ""


def test_wrong_files_and_flags_are_errors(tmp_path):
    (tmp_path / "p.c").write_text("int main(void) { return 0; }\n")
    (tmp_path / "bad.profdata").write_text("nothing\n")
    for words, status, text in (
        (["-fprofile-use=none"], 1, "none: No such file or directory"),
        (["-fprofile-use=bad.profdata"], 1, "bad.profdata: .*bad magic"),
        (["-fprofile-update=sometimes"], 1, "unrecognized command-line option '-fprofile-update=sometimes'"),
        (["-fauto-profile=x.afdo"], 2, "'-fauto-profile=x.afdo' is not supported.*-fprofile-generate"),
        (["-flto", "--coverage"], 2, "'-flto' is incompatible with '--coverage'"),
    ):
        result = command([CILKC, "-O1", "-c", *words, "p.c"], cwd=tmp_path)
        assert result.status == status and re.search(text, result.err), str(result)
        assert not (tmp_path / "p.o").exists()
    with pytest.raises(Stop, match="libclang_rt.profile of LLVM .* for sparc.*libclang-rt-.*-dev"):
        counts.runtime("sparc-linux-gnu")


@needs_runtime
@pytest.mark.tier("all")
@pytest.mark.parametrize("spawn", STRATEGIES)
@pytest.mark.parametrize("name", [
    "declarations-private", "control-switch", "order-arguments-before-child", "opassign-integers", "future-in-loop",
    "spawn-struct-arguments", "vla-tree-search", "tree-of-structs"])
def test_programs_with_a_profile_do_what_they_did(name, spawn, tmp_path):
    source = ROOT / "tests/run" / (name + ".cilk")
    words = [CILKC, "-w", "--spawn=" + spawn, "-O2", source]
    outputs = []
    for more in (["-fprofile-generate=."], ["-fprofile-use=p.profdata"], ["--coverage"]):
        result = command([*words, *more, "-o", "p"], cwd=tmp_path)
        assert result.status == 0 and result.err == "", str(result)
        for workers in "12":
            result = command(["./p", "--nproc", workers], cwd=tmp_path, env=QUIET, timeout=100)
            outputs.append((result.status, result.out))
        if raw := [path.name for path in tmp_path.glob("*.profraw")]:
            assert command([DATA, "merge", "-o", "p.profdata", *raw], cwd=tmp_path).status == 0
    assert len(set(outputs)) == 1, outputs
