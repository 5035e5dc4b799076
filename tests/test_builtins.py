"""The table of x86 builtins (frontend/builtins/builtins_x86.def) has the types that gcc gives them."""

import platform
import re

import pytest

from conftest import ROOT, command

pytestmark = pytest.mark.tier("check")

TABLE = ROOT / "frontend/builtins/builtins_x86.def"
LETTERS = {
    "void": "v", "char": "c", "signed char": "c", "short int": "s", "int": "i", "long int": "l", "long long int": "L",
    "unsigned char": "Uc", "short unsigned int": "Us", "unsigned int": "Ui", "long unsigned int": "Ul",
    "long long unsigned int": "UL", "_Float16": "h", "float": "f", "double": "d", "__float128": "q",
}

SETS = """3dnow 3dnowa adx aes amx-bf16 amx-int8 amx-tile avx avx2 avx5124fmaps avx5124vnniw avx512bf16 avx512bitalg avx512bw
    avx512cd avx512dq avx512er avx512f avx512fp16 avx512ifma avx512pf avx512vbmi avx512vbmi2 avx512vl avx512vnni
    avx512vp2intersect avx512vpopcntdq avxvnni bmi bmi2 cldemote clflushopt clwb clzero crc32 enqcmd f16c fma fma4
    fsgsbase fxsr gfni hreset kl lwp lzcnt mmx movdir64b movdiri mwait mwaitx pclmul pconfig pku popcnt prefetchwt1
    prfchw ptwrite rdpid rdrnd rdseed rtm serialize sgx sha shstk sse sse2 sse3 sse4.1 sse4.2 sse4a ssse3 tbm tsxldtrk
    uintr vaes vpclmulqdq waitpkg wbnoinvd widekl xop xsave xsavec xsaveopt xsaves""".split()


def letters(text):
    """A type as gcc prints it, in the letters of builtins.h."""
    if text.endswith("*"):
        return "P" if "const" in text else "p"
    vector = re.fullmatch(r"__vector\((\d+)\) (.*)", text)
    return "N%s%s" % (vector[1], LETTERS[vector[2]]) if vector else LETTERS[text]


def gccs_types(names, folder):
    """{name: signature}, out of gcc's warnings that a pointer to such a function is not an int. Instruction sets are
    named because gcc has the builtins of those alone that are on."""
    known = command(["gcc", "-Q", "--help=target"]).out
    on = ["-m" + name for name in SETS if re.search(r"^\s+-m%s\s" % re.escape(name), known, re.M)]
    (folder / "b.c").write_text(
        "".join("void f%d(void) { int i = (__typeof__(__builtin_ia32_%s) *)0; }\n" % row for row in enumerate(names))
    )
    words = ["-fsyntax-only", "-fno-diagnostics-show-caret", "-fmessage-length=0", *on, folder / "b.c"]
    found = {}
    for line in command(["gcc", *words], env={"LC_ALL": "C"}).err.splitlines():
        if match := re.search(r"b\.c:(\d+):.* from '(.*?) ?\(\*\)\((.*)\)'", line):
            parts = [match[2]] + ([] if match[3] == "void" else re.split(r", +", match[3]))
            found[names[int(match[1]) - 1]] = "".join(map(letters, parts))
    return found


@pytest.mark.skipif(platform.machine() != "x86_64", reason="gcc knows the builtins of its own processor")
def test_x86_builtins_have_gccs_types(tmp_path):
    rows = dict(re.findall(r'X86\((\w+), "([^"]*)"\)', TABLE.read_text()))
    found = gccs_types(list(rows), tmp_path)
    wrong = [(name, rows[name], found[name]) for name in found if rows[name] != found[name]]
    assert wrong == []
    count = len(rows), len(found)
    assert count[0] > 3000 and count[1] > 0.9 * count[0]
