"""Programs for other processors, run under qemu-user: both strategies, forced steals, several workers, the fence by
signals. `make check-aarch64` (--aarch64) and `make check-s390x` (--s390x) run them. s390x is big endian.

The reference is the program's elision, compiled by the cross compiler and run likewise. qemu keeps to the host's
memory order, so this is about code generation and the runtime's own branches; weak memory is the models' matter
(rt/model)."""

import pytest

from conftest import CILKC, STRATEGIES, TESTS, Notes, command, compiled, files, module_of, need

pytestmark = pytest.mark.tier("test")
TOOLS = {"aarch64": ("qemu-aarch64", "aarch64-linux-gnu-gcc"), "s390x": ("qemu-s390x", "s390x-linux-gnu-gcc")}
PROCESSORS = [pytest.param(name, marks=getattr(pytest.mark, name)) for name in TOOLS]
PROGRAMS = files("tests/run/abort*.cilk", "tests/run/inlet*.cilk", "tests/run/sync*.cilk", "tests/run/opassign*.cilk",
                 "tests/run/receiver*.cilk", "tests/run/storage*.cilk", "tests/run/vla*.cilk", "samples/fib.cilk",
                 "samples/cilksort.cilk", "samples/heat.cilk", "samples/queens.cilk", "samples/inlets.cilk",
                 "samples/search.cilk")
RUNS = [
    ["--nproc", "1"],
    ["--nproc", "1", "--force-steal", "always"],
    ["--nproc", "4"],
    ["--nproc", "4", "--force-steal", "random"],
]


def target_of(processor):
    need(*TOOLS[processor])
    return processor + "-linux-gnu"


def qemu(processor):
    return ["qemu-" + processor, "-L", "/usr/%s-linux-gnu" % processor]


@pytest.fixture(scope="session")
def reference(tmp_path_factory):
    """(status, output) of a program's elision, made once."""
    known = {}

    def make(path, notes, processor):
        if (path, processor) not in known:
            folder = tmp_path_factory.mktemp("elision")
            compiled([CILKC, "elide", "--standalone", path, "-o", folder / "elision.c"])
            compiled([target_of(processor) + "-gcc", "-std=gnu17", "-O1", "-w", folder / "elision.c", "-o",
                      folder / "elision", "-lm", "-lpthread"])
            known[path, processor] = command(
                qemu(processor) + [folder / "elision"] + notes.args, stdin=notes.stdin, cwd=folder
            )
        return known[path, processor]
    return make


@pytest.mark.parametrize("processor", PROCESSORS)
@pytest.mark.parametrize("spawn", STRATEGIES)
@pytest.mark.parametrize("path", PROGRAMS)
def test_equals_elision(path, spawn, processor, tmp_path, reference):
    target = target_of(processor)
    notes = Notes(path)
    if notes.also or path.with_suffix(".expected").exists():
        pytest.skip("C that calls Cilk: test_run.py has it")
    if processor == "s390x" and path.stem in ("storage-alignment", "storage-cilk-alloca"):
        pytest.skip("it asks for addresses that are multiples of 16, which the elision's need not be there")
    program = tmp_path / "program"
    compiled([CILKC, "--target=" + target, "-O2", "--spawn=" + spawn, path] + notes.flags + ["-o", program])
    want = reference(path, notes, processor)
    for options in RUNS:
        result = command(qemu(processor) + [program] + options + notes.args, stdin=notes.stdin, cwd=tmp_path,
                         env={"CILK_PROCESSORS": "4"}, timeout=300)
        assert result.status == (want.status if notes.exit is None else notes.exit), "%s\n%s" % (options, result)
        assert notes.nondet or result.out == want.out, "%s\n%s\n%s" % (options, want, result)


@pytest.mark.parametrize("processor", PROCESSORS)
@pytest.mark.parametrize("no_membarrier", ["", "1"])
def test_eager_steals(tmp_path, no_membarrier, processor):
    """Fences by the system call, or by signals to the victim."""
    target = target_of(processor)
    path = [p.values[0] for p in files("tests/soak/bursts.cilk")][0]
    program = tmp_path / "program"
    compiled([CILKC, "--target=" + target, "-O2", "--spawn=eager", path, "-o", program])
    env = {"CILK_PROCESSORS": "4", **({"CILK_NO_MEMBARRIER": "1"} if no_membarrier else {})}
    result = command(qemu(processor) + [program, "--nproc", "4", "100", "16"], env=env, timeout=300)
    assert (result.status, result.out) == (0, "98700\n"), str(result)


@pytest.mark.parametrize("processor", PROCESSORS)
@pytest.mark.parametrize("seed", [11, 12])
def test_calls_across_compilers(seed, processor, tmp_path):
    """Random signatures, one half compiled by cilkc and the other by the cross compiler."""
    target = target_of(processor)
    mixed = module_of(TESTS / "abi" / "generate.py").mixed
    error = mixed(tmp_path, seed, 12, [CILKC, "--target=" + target], [target + "-gcc"], run=qemu(processor))
    assert error is None, error


C = files("tests/c/cg-bitfields.c", "tests/c/bitfield-wide.c", "tests/c/cg-static-init.c", "tests/c/cg-varargs.c",
          "tests/c/cg-atomic.c", "tests/c/cg-complex.c", "tests/c/cg-vector.c", "tests/c/decl-initialiser*.c",
          "tests/c/short-wchar.c")


@pytest.mark.s390x
@pytest.mark.parametrize("path", C)
def test_bytes_of_c_are_in_the_processors_order(path, tmp_path):
    """Bit-fields, initialisers and variadic arguments; the cross compiler's build prints the same."""
    target, said = target_of("s390x"), []
    for compiler in ([CILKC, "--target=" + target], [target + "-gcc"]):
        program = tmp_path / "program"
        compiled([*compiler, "-O1", "-w", path, *Notes(path).flags, "-o", program, "-lm"])
        said.append(command([*qemu("s390x"), program], cwd=tmp_path).out)
    assert said[0] == said[1]


@pytest.mark.s390x
def test_the_address_of_a_nested_function_is_refused(tmp_path):
    (tmp_path / "x.c").write_text(
        "int apply(int (*f)(int));\nint g(int k) { int h(int x) { return x + k; } return apply(h) + h(1); }\n"
    )
    result = command([CILKC, "--target=" + target_of("s390x"), "-c", "x.c"], cwd=tmp_path)
    assert result.status == 1 and "the address of a nested function on s390x-linux-gnu" in result.err, str(result)
    assert not (tmp_path / "x.o").exists()


@pytest.mark.s390x
def test_threads_of_cilk_1_are_refused(tmp_path):
    (tmp_path / "x.cilk1").write_text("thread t(cont int k) { send_argument(k, 1); }\n")
    result = command([CILKC, "--target=" + target_of("s390x"), "-c", "x.cilk1"], cwd=tmp_path)
    assert result.status == 1 and "threads of Cilk-1 on s390x-linux-gnu are not supported" in result.err, str(result)
    assert not (tmp_path / "x.o").exists()


@pytest.mark.parametrize("processor", PROCESSORS)
def test_objects_are_joined_at_linking(processor, tmp_path):
    (tmp_path / "one.cilk").write_text(
        "cilk int fib(int n) { int a, b; if (n < 2) return n; a = spawn fib(n - 1); b = spawn fib(n - 2); sync;"
        " return a + b; }\n"
    )
    (tmp_path / "two.cilk").write_text(
        "#include <stdio.h>\ncilk int fib(int n);\n"
        "cilk int main(void) { int r; r = spawn fib(12); sync; printf(\"%d\\n\", r); return 0; }\n"
    )
    compiled(
        [CILKC, "--target=" + target_of(processor), "-O2", "-flto", "one.cilk", "two.cilk", "-o", "p"], cwd=tmp_path
    )
    assert command([*qemu(processor), tmp_path / "p", "--nproc", "2"]).out == "144\n"
