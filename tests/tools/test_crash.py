"""A fault that ends a program is named by `cilkc run` and by every tool: what it was, where, and the spawn whose child
it was in."""

import re

import pytest

from conftest import CILKC, command

pytestmark = pytest.mark.tier("check")

# What a child does -> the sentence, the signal, the advice. The address is that of the text, not of the machine.
FAULTS = {
    "member-of-null": ("return ((struct s *)zero)->at;", "a null pointer is followed", 11, r" \(address 0x18\)", "undefined"),
    "invalid-address": ("return *(int *)(zero + 0x10203040);", "an invalid address is used", 11,
                        r" \(address 0x10203040\)", "address"),
    "division": ("return (n + 100) / (int)(long)zero;", "an integer is divided by zero", 8, "", "undefined"),
    "trap": ("__builtin_trap();", "an instruction traps", 4, "", "undefined"),
}
PROGRAM = """struct s { char gap[24]; int at; };
static char *volatile empty;
cilk int f(int n)
{
  int x, y;
  char *zero = empty;
  if (n == 0) { %s }
  x = spawn f(n - 1);
  y = spawn f(n - 1);
  sync;
  return x + y;
}
cilk int main(void)
{
  int x;
  x = spawn f(3);
  sync;
  return x & 1;
}
"""
SPAWN = 8
RECURSION = PROGRAM % ""
SERIAL = ("race", "profile", "dag", "memory", "simulate", "run --serial")


def ended(words, tmp_path, body=None):
    (tmp_path / "p.cilk").write_text(RECURSION if body is None else PROGRAM % body)
    return command([CILKC, *words.split(), "-w", "p.cilk"], cwd=tmp_path, timeout=300)


@pytest.mark.skipif("os.uname().machine != 'x86_64'", reason="elsewhere a division by zero does not trap")
@pytest.mark.sample(4)
@pytest.mark.parametrize("words", ["run", "trace", *SERIAL], ids=lambda words: words.replace(" ", ""))
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_named(fault, words, tmp_path):
    body, sentence, number, address, shows = FAULTS[fault]
    result = ended(words, tmp_path, body)
    # Procedures that run inlined are known by the procedure around them.
    where = r"(runs a child that f spawned at p\.cilk:%d|runs f \(p\.cilk:3\)|runs f, or what it called)" % SPAWN
    who = r"the serial run" if words in SERIAL else r"worker \d+"
    found = re.findall(r"^Cilk runtime system: %s in %s%s(?:, which (.*))?\.$" % (sentence, who, address), result.err, re.M)
    assert len(found) == 1, str(result)
    assert re.fullmatch(where, found[0]) or words == "run --serial" and not found[0], str(result)
    assert "-fsanitize=%s shows the line" % shows in result.err, str(result)
    assert "before a Cilk procedure ran" not in result.err and "Traceback" not in result.err, str(result)
    assert result.status == (2 if words == "race" else -number if words.startswith("run") else 128 + number), str(result)


@pytest.mark.parametrize("words", ["run", "profile", "race"])
def test_endless_recursion_names_the_spawn_that_repeats(words, tmp_path):
    result = ended(words, tmp_path, "n = 1;")
    assert re.search(
        r"^Cilk runtime system: stack overflow in .*, which runs a child that f spawned at p\.cilk:%d\.\n"
        r"Your program may have infinite recursion; if not, give it more with .*\.$" % SPAWN,
        result.err,
        re.M,
    ), str(result)


def test_a_signal_from_outside_is_no_fault_of_the_program(tmp_path):
    result = ended("run", tmp_path, "extern int raise(int); raise(11);")
    assert result.status == -11 and "Cilk runtime system" not in result.err, str(result)


def test_a_handler_of_the_programs_own_is_left_alone(tmp_path):
    (tmp_path / "p.cilk").write_text(
        "#include <signal.h>\n#include <unistd.h>\nstatic void mine(int n) { (void)n; _exit(7); }\n"
        "cilk int main(void) { signal(SIGSEGV, mine); *(volatile int *)8 = 1; return 0; }\n"
    )
    for words in ("run", "run --serial"):
        result = command([CILKC, *words.split(), "p.cilk"], cwd=tmp_path)
        assert result.status == 7 and not result.err, str(result)
