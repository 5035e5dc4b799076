"""Checkpoints look at words by their types (docs/travel.md): numbers are no addresses, dead variables hold nothing, and
memory without a type prevents no checkpoint."""

import os

import pytest

from conftest import CILKC, STRATEGIES, TESTS, built, command, compiled

pytestmark = pytest.mark.tier("test")

INTEGERS = TESTS / "travel" / "integers.cilk"
WAITS = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cilk.h>
static int is_there(void) { return access(getenv("IMAGE"), F_OK) == 0; }
cilk void nothing(void) {}
cilk void until_there(void)
{
    for (int tries = 0; !is_there() && tries < 20000; tries++) {
        Cilk_checkpoint();
        for (int i = 0; i < 20; i++) { spawn nothing(); sync; }
        usleep(300);
    }
}
"""


def take_checkpoint(tmp_path, program, *arguments, nproc=2, before=(), options=()):
    """A run that waits for its own checkpoint; where there is none after some 10 s, the file is not there."""
    image = tmp_path / "image"
    image.unlink(missing_ok=True)
    words = [*before, program, "--nproc", nproc, *options, "--checkpoint", image, *arguments]
    return command(words, env=dict(os.environ, IMAGE=str(image)), timeout=100), image


def restart(image, program, *options):
    return command([program, *options, "--restart", image], env=dict(os.environ, IMAGE=str(image)), timeout=100)


# 40,000 numbers, or their sum by a serial program; two draws of a stream that has its seed from the program or not
KINDS = {
    "indices": "7 9c40 8abc6def1c93f455\n",
    "edges": "7 241a967c9ebb7600 8abc6def1c93f455\n",
    "counts": "7 0 8abc6def1c93f455\n",
    "records": "7 9c40 8abc6def1c93f455\n",
    "mixed": "7 9c40 8abc6def1c93f455\n",
    "pedigree": "7 0 1a0fae82dab11f1b\n",
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("kind", KINDS)
def test_numbers_are_no_addresses(tmp_path, kind, strategy):
    """They look like addresses of malloc's memory, or of the program; the program is at another place after a restart.
    Variables that were not written yet have what closures before had there."""
    words = [CILKC, "-O2", "-w", "--spawn=" + strategy, "-include", "cilk-malloc.h", INTEGERS]
    program = built([*words, "-no-pie"] if kind == "counts" else words)
    without = command([program, kind], env=dict(os.environ, IMAGE="/dev/null"))
    assert (without.status, without.out) == (0, KINDS[kind]), str(without)
    for nproc in (1, 8):
        result, image = take_checkpoint(tmp_path, program, kind, nproc=nproc)
        assert (result.status, result.out, result.err) == (0, KINDS[kind], ""), str(result)
        result = restart(image, program, "--nproc", 9 - nproc)
        assert (result.status, result.out, result.err) == (0, KINDS[kind], ""), str(result)


def made(tmp_path, text, *flags):
    (tmp_path / "p.cilk").write_text(WAITS + text)
    compiled([CILKC, "-O2", "-w", *flags, "p.cilk", "-o", "p"], cwd=tmp_path)
    return tmp_path / "p"


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_variable_that_has_no_value_yet_holds_no_address(tmp_path, strategy):
    """Its place in the closure still has the address that a procedure before it had there."""
    program = made(
        tmp_path,
        """
cilk int both(int n, int late)
{
    int *memory, below = 0;
    if (late) {                             /* many, so that some are where older ones were */
        if (n) below = spawn both(n - 1, 1);
        else { spawn until_there(); }
        sync;
        memory = Cilk_malloc(sizeof *memory);
    } else
        memory = malloc(sizeof *memory);    /* no checkpoint could have this */
    *memory = 1;
    if (n && !late) below = spawn both(n - 1, 0);
    else { spawn nothing(); }
    sync;
    below += *memory;
    return below;
}
cilk int main(void)
{
    int a, b;
    a = spawn both(100, 0);
    sync;
    b = spawn both(200, 1);
    sync;
    printf("%d\\n", a + b);
    return 0;
}
""",
        "--spawn=" + strategy,
    )
    result, image = take_checkpoint(tmp_path, program, nproc=1, options=["--force-steal", "always"])
    assert (result.status, result.out, result.err) == (0, "302\n", ""), str(result)
    assert restart(image, program).out == "302\n"


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_result_that_was_delivered_is_an_address(tmp_path, strategy):
    """Its variable had no value when the procedure became a closure, and no line of it has run since then: the second
    stop comes when the child ends."""
    text = """
static long triple(long n) { return 3 * n; }
typedef long (*function)(long);
cilk function pick(void)
{
    spawn until_there();
    sync;
    unlink(getenv("IMAGE"));
    Cilk_checkpoint();
    usleep(200000);
    return triple;
}
cilk int main(void)
{
    function a;
    long b = 0;
    a = spawn pick();
    b++;
    spawn nothing();
    sync;
    printf("%ld\\n", a(8) + 3 * b);
    return 0;
}
"""
    program = made(tmp_path, text, "--spawn=" + strategy)
    result, image = take_checkpoint(tmp_path, program, nproc=1)
    assert (result.status, result.out, result.err) == (0, "27\n", ""), str(result)
    program.rename(tmp_path / "older")
    more = "int more[1000] = { 1 }; int further(int n) { return more[n]; }"
    rebuilt = made(tmp_path, more + text, "-O1", "--spawn=" + strategy)
    result = restart(image, rebuilt)
    assert (result.status, result.out, result.err) == (0, "27\n", ""), str(result)


UNTYPED = {
    # only a void * leads there
    "void": """
static void *memory;
static long get(void) { return ((struct node *)memory)->weight(4); }
static void put(void) { memory = Cilk_malloc(4096); *(struct node *)memory = (struct node){ 7, 8, triple }; }
""",
    # two types in one block, the second one where the first has numbers
    "pool": """
struct head { long used, size, room; struct head *next; };
static struct head *pool;
static struct node *node;
static long get(void) { return node->weight(4); }
static void put(void)
{
    pool = Cilk_malloc(4096);
    *pool = (struct head){ 1, 2, 3, 0 };
    node = (void *)(pool + 1);
    *node = (struct node){ 7, 8, triple };
}
""",
    # the union may have an address
    "union": """
static union { long number; struct node *node; } *memory;
static long get(void) { return memory[3].node->weight(4); }
static void put(void)
{
    memory = Cilk_malloc(4096);
    memory[3].node = Cilk_malloc(4096);
    *memory[3].node = (struct node){ 7, 8, triple };
}
""",
}


@pytest.mark.parametrize("kind", UNTYPED)
def test_memory_without_a_type_may_have_addresses(tmp_path, kind):
    """A function's address in there is another one in another build."""
    text = """
struct node { long a, b; long (*weight)(long); };
static long triple(long n) { return 3 * n; }
%s
cilk int main(void)
{
    put();
    spawn until_there();
    sync;
    printf("%%ld\\n", get());
    return 0;
}
""" % UNTYPED[kind]
    program = made(tmp_path, text)
    result, image = take_checkpoint(tmp_path, program)
    assert (result.status, result.out) == (0, "12\n"), str(result)
    assert result.err.startswith("cilk: note: ") and "look like addresses of the program" in result.err, str(result)
    program.rename(tmp_path / "older")
    rebuilt = made(tmp_path, "int more[1000] = { 1 }; int further(int n) { return more[n]; }" + text, "-O1")
    result = restart(image, rebuilt)
    assert (result.status, result.out, result.err) == (0, "12\n", ""), str(result)


def test_a_guess_prevents_no_checkpoint(tmp_path):
    """Numbers to which only a void * leads, and which look like addresses of malloc's memory."""
    program = made(
        tmp_path,
        """
static void *memory;
cilk int main(void)
{
    void *other = malloc(1000);
    long *numbers = memory = Cilk_malloc(800), n = 0;
    for (int i = 0; i < 100; i++) numbers[i] = (long)other + 8 * i;
    other = numbers = NULL;
    spawn until_there();
    sync;
    numbers = memory;
    for (int i = 1; i < 100; i++) n += numbers[i] - numbers[i - 1];
    printf("%ld\\n", n);
    return 0;
}
""",
    )
    result, image = take_checkpoint(tmp_path, program, options=["--stats", "1"])
    assert (result.status, result.out) == (0, "792\n"), str(result)
    note = "cilk: note: a word of a block of the Cilk heap looks like an address of memory of malloc, or a stack"
    assert result.err.count("cilk: note: ") == 1 and note in result.err, str(result)
    assert restart(image, program).out == "792\n"


def test_what_was_never_written_of_a_block_holds_nothing(tmp_path):
    """A block is larger than what was asked for: an older one there had an address after that."""
    program = made(
        tmp_path,
        """
struct pair { long number; void *address; };
static struct pair *pairs;
cilk int main(void)
{
    void *other = malloc(10);
    pairs = Cilk_malloc(7 * sizeof *pairs);
    for (int i = 0; i < 7; i++) pairs[i] = (struct pair){ i, other };
    Cilk_free(pairs);
    pairs = Cilk_malloc(6 * sizeof *pairs);
    for (int i = 0; i < 6; i++) pairs[i] = (struct pair){ i, &pairs[i] };
    free(other);
    other = NULL;
    spawn until_there();
    sync;
    printf("%d\\n", pairs[5].address == &pairs[5]);
    return 0;
}
""",
    )
    result, image = take_checkpoint(tmp_path, program)
    assert (result.status, result.out, result.err) == (0, "1\n", ""), str(result)
    assert restart(image, program).out == "1\n"


# in each a pointer of one type leads to memory that begins like it, and goes on with an address
LARGER = {
    "cast": """
struct base { long kind, size; };
struct derived { long kind, size; long (*weight)(long); const char *name; };
static struct base *things[2];
static long get(struct base *b) { return ((struct derived *)b)->weight(4) + ((struct derived *)b)->name[0]; }
static struct base *put(void) { return (struct base *)make(); }
""",
    "begins": """
struct base { long kind, size; };
struct derived { struct base base; long (*weight)(long); const char *name; };
static struct base *things[2];
static long get(void *b) { struct derived *d = b; return d->weight(4) + d->name[0]; }
static struct base *put(void) { return &make()->base; }
""",
}


@pytest.mark.parametrize("kind", LARGER)
def test_a_struct_may_be_the_beginning_of_a_larger_one(tmp_path, kind):
    """Nothing but the smaller type leads there at the checkpoint."""
    before, after = LARGER[kind].split("static struct base *things[2];\n")
    text = """
static long triple(long n) { return 3 * n; }
%s
static struct derived *make(void)
{
    struct derived *d = Cilk_malloc(sizeof *d);
    d->weight = triple;
    d->name = "a name";
    return d;
}
static struct base *things[2];
%s
cilk int main(int argc, char *argv[])
{
    things[0] = put();
    things[argc] = put();               /* else the optimiser keeps it in parts, which have no types */
    spawn until_there();
    sync;
    printf("%%ld\\n", get(things[argc]));
    return 0;
}
""" % (before, after)
    program = made(tmp_path, text)
    result, image = take_checkpoint(tmp_path, program)
    assert (result.status, result.out) == (0, "109\n"), str(result)
    program.rename(tmp_path / "older")
    rebuilt = made(tmp_path, "int more[1000] = { 1 }; int further(int n) { return more[n]; }" + text, "-O1")
    result = restart(image, rebuilt)
    assert (result.status, result.out, result.err) == (0, "109\n", ""), str(result)
