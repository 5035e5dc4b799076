"""The table of x86 builtins (frontend/builtins/builtins_x86.def) has the types that gcc gives them."""

import platform
import re

import pytest

from conftest import CILKC, ROOT, command, compiled

pytestmark = pytest.mark.tier("check")

TABLE = ROOT / "frontend/builtins/builtins_x86.def"
NEWER = ROOT / "codegen/target/ia32_newer.cpp"
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


# ---- the inline functions of gcc's headers ------------------------------------------------------------------------

# What is refused where it is used: sets that no processor has any more (3DNow!, XOP, those of the Xeon Phi), and hreset.
REFUSED = re.compile(
    r"pf(2id|2iw|acc|add|cmp\w\w|max|min|mul|nacc|pnacc|rcp\w*|rsq\w*|sub|subr)|pi2f[dw]|pmulhrw|pavgusb|pswapdsf|femms"
    r"|vpcom\w+|vprot\w+|vpcmov(256)?|4fn?madd[ps]s(_mask)?|vp4dpwssds?(_mask)?|(exp2|rcp28|rsqrt28)[ps][sd]_\w+"
    r"|(gather|scatter)pf[dq]p[sd]|hreset"
)
NOT_CALLED = re.compile(r"undefined|cast|monitor|mwait|wait|pause|xsave|xrstor|[gs]etbv|stream|kl_u8|encodekey|ssp")


def inlines():
    """The inline functions of <x86intrin.h>: (name, result, types of the parameters, builtins, instruction sets); and
    the header's text with plain functions in their place."""
    text = command(["gcc", "-E", "-P", "-O2", "-x", "c", "-include", "x86intrin.h", "/dev/null"]).out
    attributes = r"__attribute__\s*\(\(\s*__gnu_inline__\s*,\s*__always_inline__\s*,\s*__artificial__\s*\)\)"
    text = re.sub(r"extern __inline|\bextern\s+_?_?inline\b|" + attributes, "", text)
    sets, kept, found = (), [], []
    whole = r"^#pragma GCC ([^\n]*)|^ ?([a-z_]\w[\w *]*?)\s*\b(_\w+)\s*\(([^)]*)\)\s*(\{.*?^\})"
    for match in re.finditer(whole, text, re.M | re.S):
        if pragma := match[1]:
            if pragma == "push_options":
                kept.append(sets)
            elif pragma == "pop_options":
                sets = kept.pop()
            else:
                sets += tuple(re.findall(r"[\w.+-]+", pragma.partition("target")[2]))
            continue
        parameters = [" ".join(re.sub(r"\w+$", "", p.strip()).split()) for p in match[4].split(",")]
        builtins = re.findall(r"__builtin_ia32_(\w+)", match[5])
        found.append((match[3], match[2].strip(), [] if parameters == [""] else parameters, builtins, sets))
    return found, text


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the headers are those of the processor")
def test_every_inline_of_the_headers_compiles_or_is_an_error(tmp_path):
    found, text = inlines()
    assert len(found) > 6000
    (tmp_path / "inlines.c").write_text(text)
    made = command([CILKC, "emit", "--stage", "ir", "-fmax-errors=0", "-w", tmp_path / "inlines.c"], timeout=300)
    refused = set(re.findall(r"error: the builtin '__builtin_ia32_(\w+)' is not supported", made.err))
    assert made.err.count("error: ") == made.err.count("error: the builtin '__builtin_ia32_"), made.err[:2000]
    assert {name for name in refused if not REFUSED.fullmatch(name)} == set()
    # without the functions that use those, all is made, and no builtin is a call
    for name, _, _, builtins, _ in found:
        if refused.intersection(builtins):
            text = re.sub(r"^ ?[a-z_]\w[\w *]*?\s*\b%s\s*\([^)]*\)\s*\{.*?^\}" % name, "", text, flags=re.M | re.S)
    (tmp_path / "inlines.c").write_text(text)
    made = command([CILKC, "emit", "--stage", "ir", "-w", tmp_path / "inlines.c"], timeout=300)
    assert made.status == 0, made.err[:2000]
    assert made.out.count("\ndefine ") > 6000 and re.findall(r"^declare .*ia32_.*", made.out, re.M) == []


PROGRAM = """#include <stdio.h>
#include <stdlib.h>
#include <x86intrin.h>
static volatile long long words[8];
_Alignas(64) static unsigned char floats[512], doubles[512], integers[512];
static void set(void) {
  srand(7);
  for (int i = 0; i < 512; i++) integers[i] = rand() >> 4;
  for (int i = 0; i < 128; i++) ((float *)floats)[i] = (rand() % 2000 - 1000) / 16.0f;
  for (int i = 0; i < 64; i++) ((double *)doubles)[i] = (rand() % 2000 - 1000) / 32.0;
  for (int i = 0; i < 8; i++) words[i] = (long long)rand() << 31 ^ rand() ^ (long long)rand() << 50;
}
static void show(const char *name, const void *value, unsigned long size) {
  printf("%s ", name);
  for (unsigned long i = 0; i < size; i++) printf("%02x", ((const unsigned char *)value)[i]);
  puts("");
}
"""


def argument(kind, i, last, rounds):
    """An argument of the type: a constant for an immediate operand, else something random."""
    if not kind.startswith("__m"):
        return None if "*" in kind else "8" if last and rounds else "(%s)1" % kind
    if not kind.startswith("__mmask") and "*" not in kind:
        data = "doubles" if kind.endswith("d") else "floats" if kind[-1].isdigit() else "integers"
        return "*(%s *)(%s + %d)" % (kind, data, i % 6 * 64)
    return None if "*" in kind else "(%s)words[%d]" % (kind, i % 8)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the headers are those of the processor")
def test_builtins_under_other_names_have_gccs_values(tmp_path):
    """Those inlines of this processor's instruction sets that use a row of ia32_newer.cpp. Not dpbf16ps of 16 lanes
    under a mask, of which gcc 12 takes 8 bits alone."""
    rows = set(re.findall(r'^\s*\{"(\w+)", "llvm|\}, \{"(\w+)", "llvm', NEWER.read_text(), re.M))
    rows = {name for pair in rows for name in pair} | {"vpopcount", "vpshld", "vpshrd"}
    on = set(re.findall(r"-m(\S+)\s+\[enabled\]", command(["gcc", "-march=native", "-Q", "--help=target"]).out))
    lines, calls = [PROGRAM], []
    for name, result, kinds, builtins, sets in inlines()[0]:
        ours = any(b in rows or b.startswith(("vpopcount", "vpshld_v", "vpshrd_v", "vpshldv_v", "vpshrdv_v"))
                   for b in builtins)
        if not ours or not on.issuperset(sets) or NOT_CALLED.search(name) or result == "void":
            continue
        if re.fullmatch(r"_mm512_maskz?_dpbf16_ps", name):
            continue
        count = len(kinds) - 1
        given = [argument(kind, i + len(calls), i == count, "_round_" in name)
                 for i, kind in enumerate(kinds)]
        if None not in given:
            calls.append("  t%s();" % name)
            lines.append("static void t%s(void) { __auto_type r = %s(%s); show(\"%s\", &r, sizeof r); }"
                         % (name, name, ", ".join(given), name))
    if len(calls) < 20:
        pytest.skip("this processor has too few of the instruction sets")
    (tmp_path / "values.c").write_text("\n".join([*lines, "int main(void) {", "  set();", *calls, "}\n"]))
    printed = []
    for compiler in ("gcc", CILKC):
        compiled([compiler, "-w", "-O1", "-march=native", tmp_path / "values.c", "-o", tmp_path / "values"])
        printed.append(command([tmp_path / "values"]).out.splitlines())
    assert [pair for pair in zip(*printed) if pair[0] != pair[1]] == []
    assert len(printed[0]) == len(printed[1]) == len(calls)
