"""Hardening switches do what they say. An unknown switch is refused, so that configure scripts learn the truth."""

import pytest

from conftest import CILKC, command, compiled

pytestmark = pytest.mark.tier("check")

SOURCE = """
int ext(char *);
int (*pointer)(int);
int call(int x) { return pointer(x) + 1; }
int big(void) { char space[100000]; return ext(space); }
int uninitialised(void) { int a[4]; ext((char *)a); return a[2]; }
"""


def assembly(folder, *flags):
    (folder / "h.c").write_text(SOURCE)
    return compiled([CILKC, "-O2", "-S", *flags, "h.c", "-o", "-"], cwd=folder).out


@pytest.mark.parametrize("flag,text,lacks", [
    ("-fcf-protection=full", "endbr64", "-fcf-protection=none"),
    ("-fstack-clash-protection", "orq\t$0, (%rsp)", "-fno-stack-clash-protection"),
    ("-fzero-call-used-regs=used-gpr", "xorl\t%ecx, %ecx", "-fzero-call-used-regs=skip"),
    ("-fpatchable-function-entry=3,1", "__patchable_function_entries", "-fpatchable-function-entry=0"),
    ("-mindirect-branch=thunk", "__llvm_retpoline", "-mindirect-branch=keep"),
    ("-mretpoline", "__llvm_retpoline", "-mno-retpoline"),
])
def test_code_of_a_switch(flag, text, lacks, tmp_path):
    with_flag, without = assembly(tmp_path, flag), assembly(tmp_path, lacks)
    if text.startswith(("orq", "xorl")):
        assert with_flag.count("\n") > without.count("\n"), with_flag     # which instructions is the back end's choice
    else:
        assert text in with_flag
    assert "retpoline" in text or text not in without


@pytest.mark.parametrize("value,expected", [("zero", "0 0 0"), ("pattern", "170 170 170")])
def test_automatic_variables_get_a_value(value, expected, tmp_path):
    (tmp_path / "a.c").write_text("""
#include <stdio.h>
#include <string.h>
__attribute__((noinline)) static int look(const unsigned char *p) { return p[1]; }
int main(int argc, char **argv) {
  { volatile char dirt[64]; memset((void *)dirt, 77, sizeof dirt); }
  unsigned char a[40];
  struct { char c; int i; } s;
  int n = argc * 9;
  unsigned char vla[n];
  __attribute__((uninitialized)) int own;
  memcpy(&own, a, 4);
  printf("%d %d %d\\n", look(a), look((unsigned char *)&s), look(vla));
}
""")
    for level in ("-O0", "-O2"):
        compiled([CILKC, level, "-w", "-ftrivial-auto-var-init=" + value, "a.c", "-o", "a"], cwd=tmp_path)
        assert command([tmp_path / "a"]).out.strip() == expected


@pytest.mark.parametrize("flag", ["-fno-such-thing", "-fsuch-thing=3", "-mno-such-thing", "-fcf-protection=sometimes", "-ftrivial-auto-var-init=one",
                                  "-fzero-call-used-regs=some", "-mindirect-branch=register", "-fpatchable-function-entry=1,2", "-falign-functions=no"])
def test_unknown_switches_are_refused(flag, tmp_path):
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")
    result = command([CILKC, "-c", flag, "a.c"], cwd=tmp_path)
    assert result.status != 0 and flag.split("=")[0] in result.err and not (tmp_path / "a.o").exists(), str(result)


def test_what_other_compilers_know_is_accepted(tmp_path):
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")
    flags = ["-fno-strict-overflow", "-fno-tree-vrp", "-fira-loop-pressure", "-fgcse-after-reload", "-fno-ident",
             "-falign-functions=16", "-fno-rtti", "-fdata-sections", "-fstrict-flex-arrays=3",
             "-fno-delete-null-pointer-checks", "-ftree-loop-distribution", "-fmerge-all-constants", "-mno-vzeroupper",
             "-mtune=native", "-maccumulate-outgoing-args", "-mavx2", "-fvisibility=hidden", "-fno-plt", "-fcommon",
             "-fmax-errors=3", "-ffunction-sections", "-fno-stack-check", "-fno-exceptions", "-finput-charset=utf-8",
             "-fno-working-directory"]
    result = command([CILKC, "-c", *flags, "a.c"], cwd=tmp_path)
    assert result.status == 0, str(result)
    assert "not supported" in command([CILKC, "-c", "-fsplit-stack", "a.c"], cwd=tmp_path).err


def test_functions_ask_for_a_stack_protector_or_against_it(tmp_path):
    (tmp_path / "a.c").write_text("""
void use(char *);
__attribute__((stack_protect)) int asks(void) { char b[8]; use(b); return b[0]; }
int plain(void) { char b[8]; use(b); return b[0]; }
__attribute__((no_stack_protector)) int refuses(void) { char b[8]; use(b); return b[0]; }
""")

    def checked(flag):
        text = compiled([CILKC, "-O1", "-S", flag, "a.c", "-o", "-"], cwd=tmp_path).out
        bodies = {name: text.split("\n%s:" % name)[1].split(".cfi_endproc")[0] for name in ("asks", "plain", "refuses")}
        return [name for name, body in bodies.items() if "__stack_chk_fail" in body]

    assert checked("-fno-stack-protector") == []
    assert checked("-fstack-protector-explicit") == ["asks"]
    assert checked("-fstack-protector-strong") == ["asks", "plain"]
    assert checked("-fstack-protector-all") == ["asks", "plain"]
