"""Each builtin of frontend/builtins/*.def with too few, too many and unfit arguments: an error at the call, or code."""

import re

import pytest

from conftest import BUILD, ROOT, command

pytestmark = pytest.mark.tier("test")

ARGUMENTS = ("", "1", "i", "p", "1, 2", "p, i", "d, d", "1, 2, 3", "p, p, p", "p, i, i, i", "1, 1, 1, 1, 1",
             "p, p, p, p, p, p", "i, i, i, i, i, i, i, i, i, i, i, i", "v", "v, v", "s", "z, z")




def test_each_builtin_takes_or_refuses_any_arguments(tmp_path):
    (tmp_path / "names.c").write_text(
        '#define BUILTIN(id, name, ...) @ name @\n#include "frontend/builtins/builtins.def"\n')
    text = command(["cc", "-E", "-P", "-I", ROOT, "names.c"], cwd=tmp_path).out
    names = ["".join(re.findall(r'"([^"]*)"', name)) for name in re.findall(r"@ (.*?) @", text)]
    assert len(names) > 2000 and "__builtin_ia32_addpd512_mask" in names, len(names)
    calls = ["%s(%s)" % (name, arguments) for name in names for arguments in ARGUMENTS]

    def compiled(calls, *words):
        (tmp_path / "calls.i").write_text(
            "typedef int vec __attribute__((vector_size(16))); struct t { int x; };\n"
            + "".join("void f%d(int i, double d, void *p, vec v, struct t s, _Complex double z) { %s; }\n" % pair
                      for pair in enumerate(calls)))
        return command([BUILD / "cilkc1", "-w", *words, "--max-errors=9999999", "calls.i"], cwd=tmp_path, timeout=200)

    result = compiled(calls, "--emit=check")
    wrong = {int(line) for line in re.findall(r"^calls\.i:(\d+):\d+: error:", result.err, re.M)}
    assert result.status == 1 and "internal" not in result.err, str(result)[:2000]
    assert len(wrong) > len(calls) / 2
    taken = [call for number, call in enumerate(calls, 2) if number not in wrong]
    result = compiled(taken, "--emit=ir")
    assert result.status in (0, 1) and "internal" not in result.err, str(result)[-3000:]
