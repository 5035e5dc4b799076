"""Targets: what is known of each agrees with its C compiler, and assembly can be made for one whose C compiler is not
installed."""

import os
import shutil

import pytest

from conftest import BUILD, CILKC, command, need
from cilkc_driver import flags

pytestmark = pytest.mark.tier("check")

COMPILERS = {
    "x86_64-linux-gnu": ["gcc", "x86_64-linux-gnu-gcc"],
    "aarch64-linux-gnu": ["aarch64-linux-gnu-gcc"],
    "s390x-linux-gnu": ["s390x-linux-gnu-gcc"],
}


def printed(table, *words):
    result = command([BUILD / "cilkc1", "--print=" + table, *words])
    assert result.status == 0, str(result)
    return result.out.splitlines()


def test_the_driver_knows_all_targets():
    assert printed("targets") == list(flags.TARGETS)


@pytest.mark.parametrize("target", flags.TARGETS)
def test_a_target_has_a_vendor_or_none(target, tmp_path):
    (tmp_path / "f.c").write_text("int f(void) { return 1; }\n")
    processor = target.split("-")[0]
    made = {
        command([CILKC, "--target=" + name, "-S", "-o", "-", "f.c"], cwd=tmp_path).out
        for name in (target, processor, processor + "-linux", processor + "-pc-linux-gnu",
                     processor + "-unknown-linux-gnu")
    }
    assert len(made) == 1 and "f:" in made.pop()


@pytest.mark.parametrize("name", ["sparc", "x86_64-windows", "aarch64-none-elf", "x86", "x86_64-", ""])
def test_other_triples_are_refused(name, tmp_path):
    (tmp_path / "f.c").write_text("int f;\n")
    result = command([CILKC, "--target=" + name, "-S", "f.c"], cwd=tmp_path)
    assert result.status == 2 and "unknown target '%s'" % name in result.err and not (tmp_path / "f.s").exists(), str(
        result
    )


@pytest.mark.parametrize("target", flags.TARGETS)
def test_predefined_names_are_those_of_its_c_compiler(target):
    compiler = [
        name
        for name in COMPILERS[target]
        if shutil.which(name) and target.split("-")[0] in command([name, "-dumpmachine"]).out
    ]
    if not compiler:
        need(COMPILERS[target][-1])
    theirs = dict(
        line.split(" ", 2)[1:]
        for line in command([compiler[0], "-dM", "-E", "-x", "c", "/dev/null"]).out.splitlines()
        if line.count(" ") > 1
    )
    ours = dict(line.split("=", 1) for line in printed("predefined", "--target=" + target))
    assert len(ours) > 150
    version = ("__GNUC__", "__GNUC_MINOR__", "__GNUC_PATCHLEVEL__")
    assert not {
        name: (value, theirs.get(name))
        for name, value in ours.items()
        if theirs.get(name) != value and name not in version
    }


FOREIGN = [target for target in flags.TARGETS if not target.startswith(os.uname().machine)][0]

PLAIN = """
#if !defined __CPU__ || __SIZEOF_LONG__ != 8 || __LDBL_MANT_DIG__ < 64 || __INT_MAX__ != 2147483647
#error names
#endif
__SIZE_TYPE__ f(const char *s) { __SIZE_TYPE__ n = 0; while (s[n]) n++; return n; }
"""


@pytest.fixture
def alone(tmp_path):
    """A machine with no other C compiler than its own."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for tool in ("gcc", "python3", "sh", "env", "as"):
        (folder / tool).symlink_to(need(tool) or shutil.which(tool))
    return {**os.environ, "PATH": str(folder)}


def test_assembly_for_another_target_needs_no_compiler_of_it(alone, tmp_path):
    (tmp_path / "plain.c").write_text(PLAIN.replace("__CPU__", "__" + FOREIGN.split("-")[0] + "__"))
    result = command([CILKC, "--target=" + FOREIGN, "-O1", "-S", "plain.c"], cwd=tmp_path, env=alone)
    assert result.status == 0, str(result)
    text = (tmp_path / "plain.s").read_text()
    assert "f:" in text and ("ldrb" in text if FOREIGN.startswith("aarch64") else "%rax" in text), text
    made = command([CILKC, "--target=" + FOREIGN, "-c", "plain.c"], cwd=tmp_path, env=alone)
    machine = int.from_bytes((tmp_path / "plain.o").read_bytes()[18:20], "little")
    assert made.status == 0 and machine == {"x86_64": 62, "aarch64": 183}[FOREIGN.split("-")[0]], str(made)


def test_headers_of_another_target_are_missed_by_name(alone, tmp_path):
    (tmp_path / "x.c").write_text("#include <stdio.h>\nint main(void) { return 0; }\n")
    result = command([CILKC, "--target=" + FOREIGN, "-S", "x.c"], cwd=tmp_path, env=alone)
    assert result.status == 1 and "stdio.h" in result.err and "no C compiler for %s" % FOREIGN in result.err, str(
        result
    )
    assert not (tmp_path / "x.s").exists()


@pytest.mark.parametrize("target, good, bad", [("x86_64-linux-gnu", "aYzx", "U"), ("aarch64-linux-gnu", "wUmpS", "a")])
def test_constraints_are_the_targets_own(target, good, bad, tmp_path):
    for letters, status in ((good, 0), (bad, 1)):
        (tmp_path / "x.i").write_text("int f(int x) { asm (\"\" : : \"%s\"(x)); return x; }\n" % letters)
        result = command([BUILD / "cilkc1", "--emit=check", "--target=" + target, "x.i"], cwd=tmp_path)
        assert result.status == status and ("[asm-operand]" in result.err) == bool(status), str(result)


def test_builtins_of_another_target_are_refused(tmp_path):
    (tmp_path / "x.i").write_text("int f(void) { return __builtin_cpu_supports(\"sse2\"); }\n")
    result = command([BUILD / "cilkc1", "--emit=check", "--target=aarch64-linux-gnu", "x.i"], cwd=tmp_path)
    assert result.status == 1 and "on aarch64-linux-gnu is not supported [unsupported]" in result.err, str(result)


def test_halves_are_an_error_where_a_target_has_none(tmp_path):
    (tmp_path / "h.i").write_text("_Float16 h;\ndouble f(void) { return h; }\n")
    made = {name: command([BUILD / "cilkc1", "--target=" + name, "--lang=c", "--emit=asm", "h.i", "-o", "-"], cwd=tmp_path)
            for name in flags.TARGETS}
    for name, result in made.items():
        expected = "h.i:1:1: error: '_Float16' on s390x-linux-gnu is not supported" if "s390x" in name else ""
        assert (result.status != 0) == bool(expected) and expected in result.err, str(result)
