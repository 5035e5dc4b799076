"""-flto: calls between files are inlined, objects mix freely with others, errors are reported, no bitcode stays in
programs."""

import subprocess

import pytest

from conftest import CILKC, STRATEGIES, command, compiled

pytestmark = pytest.mark.tier("check")

MAIN = """
#include <stdio.h>
#include <cilk.h>
extern int small(int);
extern cilk int fib(int n);
cilk int main(void)
{
    int i, s = 0, x;
    for (i = 0; i < 1000; i++)
        s += small(i);
    x = spawn fib(20);
    sync;
    printf("%d %d\\n", s, x);
    return 0;
}
"""
FIB = """
#include <cilk.h>
extern int small(int);
cilk int fib(int n)
{
    int x, y;
    if (n < 2)
        return n;
    x = spawn fib(n - 1);
    y = spawn fib(n - 2);
    sync;
    return x + y + small(0);
}
"""
SMALL = "int small(int x) { return 3 * x; }\n"
EXPECTED = "1498500 6765\n"


@pytest.fixture
def files(tmp_path):
    for name, text in (("main.cilk", MAIN), ("fib.cilk", FIB), ("small.c", SMALL)):
        (tmp_path / name).write_text(text)
    return tmp_path


def calls_of_small(program):
    text = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", program], stdout=subprocess.PIPE, check=True
    ).stdout.decode()
    return text.count("<small>\n")     # operands; the label has a colon


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_inlines_across_files(files, strategy):
    spawn = "--spawn=" + strategy
    objects = []
    for name in ("main.cilk", "fib.cilk", "small.c"):
        objects.append(files / (name + ".o"))
        compiled([CILKC, "-O2", "-flto", spawn, "-c", files / name, "-o", objects[-1]])
    compiled([CILKC, "-flto", spawn, *objects, "-o", files / "together"])         # the level travels with the objects
    compiled([CILKC, spawn, *objects, "-o", files / "apart"])
    assert calls_of_small(files / "apart") > 0
    assert calls_of_small(files / "together") == 0
    for program in ("together", "apart"):
        for nproc in (1, 2, 4):
            for force in ("never", "always"):
                assert command([files / program, "--nproc", nproc, "--force-steal", force]).out == EXPECTED
    sections = subprocess.run(["readelf", "-SW", files / "together"], stdout=subprocess.PIPE, check=True).stdout
    assert b".cilkc.lto" not in sections


def test_in_one_call_and_with_foreign_objects(files):
    compiled([CILKC, "-O2", "-flto", "-g", files / "main.cilk", files / "fib.cilk", files / "small.c", "-o",
              files / "program"])
    assert command([files / "program", "--nproc", 2]).out == EXPECTED
    compiled(["gcc", "-c", files / "small.c", "-o", files / "small.o"])
    compiled([CILKC, "-O2", "-flto", files / "main.cilk", files / "fib.cilk", files / "small.o", "-o", files / "mixed"])
    assert command([files / "mixed", "--nproc", 2]).out == EXPECTED


def test_disagreement_and_double_definitions_are_reported(files):
    compiled([CILKC, "-flto", "--spawn=eager", "-c", files / "fib.cilk", "-o", files / "fib.o"])
    result = command([CILKC, "-flto", "--spawn=lazy", files / "main.cilk", files / "small.c", files / "fib.o", "-o",
                      files / "program"])
    assert (
        result.status == 1
        and "different spawn strategies" in result.err
        and "fib.o" in result.err
        and "lto.o" not in result.err
    )
    (files / "again.c").write_text(SMALL)
    result = command(
        [CILKC, "-flto", files / "main.cilk", files / "small.c", files / "again.c", files / "fib.cilk", "-o",
         files / "program"]
    )
    assert result.status == 1 and "'small'" in result.err
    assert not (files / "program").exists()
