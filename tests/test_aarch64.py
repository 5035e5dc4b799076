"""Programs for AArch64, run under qemu-user: both strategies, forced steals, several workers, the fence by signals.
`make check-aarch64` (--aarch64) runs them.

The reference is the program's elision, compiled by the cross compiler and run likewise. qemu keeps to the host's
memory order, so this is about code generation and the runtime's own branches; weak memory is the models' matter
(rt/model)."""

import pytest

from conftest import CILKC, STRATEGIES, Notes, command, compiled, files, need

pytestmark = [pytest.mark.aarch64, pytest.mark.tier("test")]
TARGET = "aarch64-linux-gnu"
QEMU = ["qemu-aarch64", "-L", "/usr/" + TARGET]
PROGRAMS = files(
    "tests/run/abort*.cilk",
    "tests/run/inlet*.cilk",
    "tests/run/sync*.cilk",
    "tests/run/opassign*.cilk",
    "tests/run/receiver*.cilk",
    "tests/run/storage*.cilk",
    "tests/run/vla*.cilk",
    "samples/fib.cilk",
    "samples/cilksort.cilk",
    "samples/heat.cilk",
    "samples/queens.cilk",
    "samples/inlets.cilk",
    "samples/search.cilk",
)
RUNS = [
    ["--nproc", "1"],
    ["--nproc", "1", "--force-steal", "always"],
    ["--nproc", "4"],
    ["--nproc", "4", "--force-steal", "random"],
]


@pytest.fixture(scope="session")
def reference(tmp_path_factory):
    """(status, output) of a program's elision, made once."""
    known = {}

    def make(path, notes):
        if path not in known:
            folder = tmp_path_factory.mktemp("elision")
            compiled([CILKC, "elide", "--standalone", path, "-o", folder / "elision.c"])
            compiled(
                [
                    TARGET + "-gcc",
                    "-std=gnu17",
                    "-O1",
                    "-w",
                    folder / "elision.c",
                    "-o",
                    folder / "elision",
                    "-lm",
                    "-lpthread",
                ]
            )
            known[path] = command(QEMU + [folder / "elision"] + notes.args, stdin=notes.stdin, cwd=folder)
        return known[path]
    return make


@pytest.mark.parametrize("spawn", STRATEGIES)
@pytest.mark.parametrize("path", PROGRAMS)
def test_equals_elision(path, spawn, tmp_path, reference):
    need("qemu-aarch64", TARGET + "-gcc")
    notes = Notes(path)
    if notes.also or path.with_suffix(".expected").exists():
        pytest.skip("C that calls Cilk: test_run.py has it")
    program = tmp_path / "program"
    compiled([CILKC, "--target=" + TARGET, "-O2", "--spawn=" + spawn, path] + notes.flags + ["-o", program])
    want = reference(path, notes)
    for options in RUNS:
        result = command(
            QEMU + [program] + options + notes.args,
            stdin=notes.stdin,
            cwd=tmp_path,
            env={"CILK_PROCESSORS": "4"},
            timeout=300,
        )
        assert result.status == (want.status if notes.exit is None else notes.exit), "%s\n%s" % (options, result)
        assert notes.nondet or result.out == want.out, "%s\n%s\n%s" % (options, want, result)


@pytest.mark.parametrize("no_membarrier", ["", "1"])
def test_eager_steals(tmp_path, no_membarrier, reference):
    """Fences by the system call, or by signals to the victim."""
    need("qemu-aarch64", TARGET + "-gcc")
    path = [p.values[0] for p in files("tests/soak/bursts.cilk")][0]
    program = tmp_path / "program"
    compiled([CILKC, "--target=" + TARGET, "-O2", "--spawn=eager", path, "-o", program])
    env = {"CILK_PROCESSORS": "4", **({"CILK_NO_MEMBARRIER": "1"} if no_membarrier else {})}
    result = command(QEMU + [program, "--nproc", "4", "100", "16"], env=env, timeout=300)
    assert (result.status, result.out) == (0, "98700\n"), str(result)
