"""tests/check: `// RUN: words` calls cilkc (%s is the file), `// CHECK: text` must appear in its output, in that order.

`// CHECK-NOT: text` must not appear at all; `// STATUS: n` is the exit status (0).  Text between {{ and }} is a
regular expression.  Both output streams count.
"""

import re
import shlex

import pytest

from conftest import CILKC, command, files, no_internal_error


def pattern(text):
    parts = re.split(r"\{\{(.*?)\}\}", text.strip())
    return "".join(part if i % 2 else re.escape(part) for i, part in enumerate(parts))


@pytest.mark.parametrize("path", files("tests/check/*"))
def test_check(path, tmp_path):
    text = path.read_text()
    calls = re.findall(r"RUN:\s*(.*?)\s*(?:\*/)?$", text, re.M)
    assert calls, "no RUN: line"
    status = re.search(r"STATUS:\s*(\d+)", text)
    output = ""
    for call in calls:
        words = [word.replace("%s", str(path)).replace("%t", str(tmp_path / "out")) for word in shlex.split(call)]
        result = command([CILKC] + words, cwd=tmp_path)
        no_internal_error(result)
        assert result.status == (int(status.group(1)) if status else 0), str(result)
        output += result.out + result.err
    at = 0
    for kind, wanted in re.findall(r"(CHECK|CHECK-NOT):\s*(.*?)\s*(?:\*/)?$", text, re.M):
        if kind == "CHECK-NOT":
            assert not re.search(pattern(wanted), output), "found %r in\n%s" % (wanted, output)
            continue
        found = re.compile(pattern(wanted)).search(output, at)
        assert found, "%r does not follow in\n%s" % (wanted, output[at:][:8000])
        at = found.end()
