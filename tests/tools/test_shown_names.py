"""Tools call a procedure that the compiler made of a loop, a block or a call by what it is in the text. Two spawns of one
line have their columns."""

import re

import pytest

from conftest import CILKC, command

pytestmark = pytest.mark.tier("test")

PROGRAM = """#include <stdio.h>
static int total;
static void later(void) { }
static int plain(int k) { return k; }
static void adds(int *a, int n)
{
    cilk_for (int i = 0; i < n; i++)
        a[i]++;
}
int main(void)
{
    int a[8] = {0}, x, y;
    void (*through)(void) = later;
    x = cilk_spawn plain(1); y = cilk_spawn plain(2);
    cilk_spawn through();
    cilk_spawn { a[0]++; }
    cilk_sync;
    cilk_for (int i = 0; i < 4; i++) {
        int own[8] = {0};
        adds(own, 8);
    }
    cilk_spawn adds(a, 4);
    total += x + y;
    cilk_sync;
    printf("%d\\n", total);
    return 0;
}
"""
NAMES = ("loop of main (line 18)", "loop of adds (line 7)", "block of main (line 16)", "call of main (line 15)", "plain")


def shown(folder, *words, pages=()):
    (folder / "p.c").write_text(PROGRAM)
    result = command([CILKC, *words, "-fopencilk", "-w", "p.c"], cwd=folder, timeout=300)
    assert result.status in (0, 1), str(result)
    text = result.out + result.err + "".join((folder / page).read_text() for page in pages)
    made = re.findall(r"\b(?:main|adds|later|plain)\.(?:for|spawn|block|call)\b[.\d]*", text)
    assert not made, made
    return text


@pytest.mark.parametrize(
    "words,pages,names",
    [
        (["profile", "--top", "30"], [], NAMES),
        (["dag", "--html", "p.dag.html"], ["p.dag.html"], NAMES),
        (["memory"], [], NAMES[:1]),
        (["trace"], ["p.trace.html"], NAMES[:1]),
        (["simulate"], [], ()),
        (["explore", "--schedules", "3"], [], ()),
    ],
    ids=lambda value: value[0] if isinstance(value, list) and value else None,
)
def test_no_name_that_the_compiler_made_is_shown(words, pages, names, tmp_path):
    text = shown(tmp_path, *words, pages=pages)
    assert all(name in text for name in names), [name for name in names if name not in text]


def test_two_spawns_of_one_line_have_columns(tmp_path):
    text = shown(tmp_path, "profile")
    assert "p.c:14:9 " in text.replace("\n", " ") and "p.c:14:34 " in text.replace("\n", " ") and "p.c:16:" not in text, text
    paths = re.findall(r"plain +p\.c:14:(\d+)$", shown(tmp_path, "dag"), re.M)
    assert sorted(paths) == ["34", "9"], paths
