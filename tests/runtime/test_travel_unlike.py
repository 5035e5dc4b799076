"""Checkpoints between processors of unlike byte order (docs/travel.md): from x86-64 to s390x, which is big endian, and
back. What cannot travel so is refused by its name. `make check-s390x` runs these under qemu, and `make test` one of each
kind."""

import re

import pytest

from conftest import CILKC, STRATEGIES, TESTS, built, command, module_of, need

pytestmark = pytest.mark.tier("test")
s390x, aarch64 = pytest.mark.s390x, pytest.mark.aarch64
in_test = s390x("too")

HERE = TESTS / "travel"
SAMPLES = TESTS.parent / "samples"
first_image = module_of(HERE / "killed.py").first_image
forge = module_of(HERE / "forge.py")
PROGRAMS = {
    HERE / "unlike.cilk": ["11"],
    HERE / "everything.cilk": ["13", "40"],
    HERE / "treaps.cilk": [],
    SAMPLES / "fib.cilk": ["38"],
    SAMPLES / "queens.cilk": ["24"],
    SAMPLES / "knapsack.cilk": ["40"],
}


def both(path, strategy, *more, processor="s390x"):
    """How to run it here, and there."""
    need("qemu-" + processor, processor + "-linux-gnu-gcc")
    words = ["-O2", "--spawn=" + strategy, "-include", "cilk-malloc.h", path, *more]
    there = built([CILKC, "--target=%s-linux-gnu" % processor, *words])
    return [built([CILKC, *words])], ["qemu-" + processor, "-L", "/usr/%s-linux-gnu" % processor, there]


@pytest.mark.parametrize(
    "path, strategy",
    [
        pytest.param(
            path,
            strategy,
            id="%s-%s" % (path.stem, strategy),
            marks=in_test if (path.stem, strategy) == ("unlike", "lazy") else s390x,
        )
        for path in PROGRAMS
        for strategy in STRATEGIES
    ],
)
def test_a_processor_of_the_other_byte_order_goes_on(tmp_path, path, strategy):
    here, there = both(path, strategy)
    arguments = PROGRAMS[path]
    plain = command([*here, *arguments])
    assert plain.status == 0
    first_image(here, tmp_path / "one", arguments)
    result = command([*there, "--nproc", "2", "--restart", tmp_path / "one"], timeout=200)
    assert (result.status, result.out) == (0, plain.out), str(result)
    first_image(there, tmp_path / "two", arguments)
    # samples size arrays by Cilk_active_size
    for nproc in (1, 2, 4) if path.parent == HERE else (1, 2):
        result = command([*here, "--nproc", nproc, "--restart", tmp_path / "two"])
        assert (result.status, result.out) == (0, plain.out), str(result)


@in_test
@pytest.mark.parametrize("moment", ["grow", "sums", "late"])
def test_what_waits_at_a_moment_goes_on(tmp_path, moment):
    """What spawns keep for their deliveries, arrays of variable length, and a value that is returned, are alive there;
    no luck is needed."""
    here, there = both(HERE / "unlike.cilk", "lazy")
    plain = command([*here, 5])
    for number, (writer, reader) in enumerate(((here, there), (there, here))):
        image = tmp_path / str(number)
        result = command(
            [*writer, "--nproc", "2", "--force-steal", "always", "--checkpoint", image, 5],
            env={"MOMENT": moment, "IMAGE": str(image)},
            timeout=200,
        )
        assert (result.status, result.out) == (0, plain.out) and image.exists(), str(result)
        result = command([*reader, "--nproc", "2", "--restart", image], timeout=200)
        assert (result.status, result.out) == (0, plain.out), str(result)


@pytest.mark.tier("all")
@aarch64
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_processor_of_the_same_byte_order_goes_on_and_back(tmp_path, path, strategy):
    """The second image was written by the process that had read the first one, if that ran for long enough."""
    here, there = both(path, strategy, processor="aarch64")
    plain = command([*here, *PROGRAMS[path]])
    first_image(here, tmp_path / "one", PROGRAMS[path])
    words = ["--restart", tmp_path / "one", "--checkpoint", tmp_path / "two", "--every", "10ms"]
    result = command([*there, "--nproc", "2", *words], timeout=200)
    assert (result.status, result.out) == (0, plain.out), str(result)
    if not (tmp_path / "two").exists():
        first_image(there, tmp_path / "two", PROGRAMS[path])
    result = command([*here, "--nproc", "1", "--restart", tmp_path / "two"])
    assert (result.status, result.out) == (0, plain.out), str(result)


@s390x
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_there_and_back_in_one_computation(tmp_path, strategy):
    """The second image was written by the process that had read the first one."""
    here, there = both(HERE / "everything.cilk", strategy)
    plain = command([*here, "13", "100"])
    first_image(here, tmp_path / "one", ["13", "100"])
    words = ["--restart", tmp_path / "one", "--checkpoint", tmp_path / "two", "--every", "10ms"]
    result = command([*there, "--nproc", "2", *words], timeout=200)
    assert (result.status, result.out, result.err) == (0, plain.out, ""), str(result)
    result = command([*here, "--restart", tmp_path / "two"])
    assert (result.status, result.out, result.err) == (0, plain.out, ""), str(result)


@in_test
def test_pedigrees_and_their_seed_go_on(tmp_path):
    here, there = both(HERE / "integers.cilk", "lazy", "-w")
    for number, (writer, reader) in enumerate(((here, there), (there, here))):
        env = {"IMAGE": str(tmp_path / str(number))}
        words = ["--nproc", "2", "--checkpoint", env["IMAGE"], "pedigree"]
        result = command([*writer, *words], env=env, timeout=200)
        assert (result.status, result.out, result.err) == (0, "7 0 1a0fae82dab11f1b\n", ""), str(result)
        result = command([*reader, "--nproc", "2", "--restart", env["IMAGE"]], env=env, timeout=200)
        assert (result.status, result.out) == (0, "7 0 1a0fae82dab11f1b\n"), str(result)


# before main; in main, set before the checkpoint; what is reported
REFUSED = {
    "union": (
        "union either { int i; char c[4]; };",
        "union either e; e.i = 7; look(&e);",
        "`e' of the procedure main has the type union either",
    ),
    "bit-fields": (
        "static struct { int a : 3, b : 7; } bits;",
        "bits.a = 2; look(&bits);",
        "the global `bits' has the type struct",
    ),
    "end": (
        "struct list { int n, items[1]; }; static struct list *l;",
        "l = Cilk_malloc(100); l->n = 20;",
        "the global `l' has the type struct list, or leads to it",
    ),
    "untyped": (
        "static void *memory;",
        "memory = Cilk_malloc(100); *(int *)memory = 5;",
        "the global `memory' leads to memory without a type",
    ),
    "lost": (
        "static long hidden;",
        "int *p = Cilk_malloc(100); *p = 5; hidden = ~(long)p; p = 0;",
        "no variable with a type leads to a block of the Cilk heap",
    ),
    "two": (
        "struct pair { int a; double d; }; static struct pair *pairs; static short *shorts;",
        "pairs = Cilk_malloc(64); pairs->d = 1; shorts = (short *)pairs;",
        "leads to memory of the type struct pair as if it were short",
    ),
    "row": (
        "struct trio { long a; short b, c; int d; }; static struct trio *trios; static long (*rows)[2];",
        "trios = Cilk_malloc(64); trios->b = 1; rows = (long (*)[2])trios;",
        "leads to memory of the type struct trio as if it were ",
    ),
}


@pytest.mark.parametrize(
    "what", [pytest.param(what, marks=in_test if what in ("row", "two", "union", "untyped") else s390x) for what in REFUSED]
)
def test_what_only_its_own_order_can_read_is_refused_by_name(tmp_path, what):
    """The program itself goes on with its checkpoint on its own processor."""
    before, code, message = REFUSED[what]
    (tmp_path / "p.cilk").write_text(
        """#include <stdio.h>
#include <stdlib.h>
%s
void look(void *);
cilk int work(int n)
{
    int a, b;
    if (n < 2) return n;
    a = spawn work(n - 1);
    b = spawn work(n - 2);
    sync;
    return a + b;
}
cilk int main(void)
{
    int r = 0;
    %s
    for (int i = 0; i < 12; i++) { r = spawn work(34); sync; }
    printf("%%d\\n", r);
    return 0;
}
"""
        % (before, code)
    )
    (tmp_path / "look.c").write_text("void look(void *p) { (void)p; }\n")
    here, there = both(tmp_path / "p.cilk", "lazy", tmp_path / "look.c")
    image = tmp_path / "image"
    first_image(there, image, [])
    assert command([*there, "--inspect", image]).status == 0
    result = command([*here, "--restart", image])
    assert result.status == 1 and message in result.err and result.err.count("\n") == 1, str(result)


LONG_DOUBLE = """#include <stdio.h>
cilk int work(int n) { int a, b; if (n < 2) return n; a = spawn work(n - 1); b = spawn work(n - 2); sync; return a + b; }
cilk int main(void)
{
    int r;
    long double mean = 1.5;
    for (int i = 0; i < 100; i++) { r = spawn work(27); sync; mean += r; }
    printf("%.1Lf\\n", mean);
    return 0;
}
"""


@pytest.mark.parametrize("processor", [pytest.param("aarch64", marks=aarch64), pytest.param("s390x", marks=in_test)])
def test_a_variable_of_one_processor_is_refused_by_name(tmp_path, processor):
    (tmp_path / "p.cilk").write_text(LONG_DOUBLE)
    here, there = both(tmp_path / "p.cilk", "lazy", processor=processor)
    image = tmp_path / "image"
    first_image(there, image, [])
    result = command([*here, "--restart", image])
    assert result.status == 1 and result.out == "", str(result)
    assert result.err.endswith(
        ": `mean' of the procedure main has the type long double, whose form depends on the processor: it was written on %s\n"
        % processor
    )


@in_test
def test_each_number_of_the_other_byte_order_is_checked(tmp_path):
    """Offsets, lengths, names, counts and pointers, each with a right checksum."""
    here, there = both(HERE / "everything.cilk", "lazy")
    file, bad = tmp_path / "image", tmp_path / "bad"
    for _ in range(20):                                     # in some runs no child runs at that moment: no links
        file.unlink(missing_ok=True)
        first_image(there, file, ["9", "6"])
        image = forge.Image(file.read_bytes())
        if image.has("LINK"):
            break
    assert image.order == ">"
    for what, (data, _) in forge.forgeries(image).items():
        bad.write_bytes(data)
        result = command([*here, "--inspect", bad])
        assert result.status == 1 and result.out == "" and result.err.count("\n") == 1, "%s: %s" % (what, result)
        assert re.match("--restart .*bad: .", result.err), "%s: %s" % (what, result)


@s390x
def test_damaged_files_of_the_other_byte_order_are_errors(tmp_path):
    """Most with a right checksum: images.c makes and judges 300 of them."""
    here, there = both(HERE / "everything.cilk", "lazy", HERE / "images.c")
    good, bad = tmp_path / "good", tmp_path / "bad"
    first_image(there, good, ["9", "6"])
    result = command([*here, "--inspect", bad], env={"IMAGES": "%s %s %s 300 7" % (good, good, bad)}, timeout=300)
    assert result.status == 0, str(result)
