"""Ten mistakes of beginners: `cilkc explore` finds a schedule on which each goes wrong, and one sentence says why. The
sentence is what a reader of the program would say; workers and values are those of the schedule."""

import json
import re

import pytest

from conftest import CILKC, command

pytestmark = pytest.mark.tier("all")

HEAD = "#include <stdio.h>\n#include <stdlib.h>\n#include <cilk.h>\n"
LOST = (r"worker (\d) read {0}( = \d+)? on line {1} before worker (?!\1)(\d) wrote (\d+|it) there on line {2}; worker \1 then "
        r"wrote .*(so what worker \3 had written was lost|still going by the old value)")
MISTAKES = {
    "a counter of all children": ("""static int hits;
cilk void visit(int n) { if (n == 0) { hits++; return; } spawn visit(n - 1); spawn visit(n - 1); sync; }
cilk int main(void) { spawn visit(3); sync; printf("%d\\n", hits); return 0; }
""", LOST.format("hits", 5, 5)),
    "a maximum of all children": ("""static int best;
static const int a[] = {3, 9, 4, 8};
cilk void look(int i)
{
    if (a[i] > best)
        best = a[i];
}
cilk int main(void) { for (int i = 0; i < 4; i++) spawn look(i); sync; printf("%d\\n", best); return 0; }
""", r"worker (\d) read best = \d on line 8 before worker (?!\1)(\d) wrote (\d|it) there on line 9; worker \1 then wrote best"
     r".* on line 9, still going by the old value"),
    "a balance read under one lock and written under the next": ("""static int money = 100;
static Cilk_lockvar lock;
cilk void take(int n)
{
    int had;
    Cilk_lock(lock);
    had = money;
    Cilk_unlock(lock);
    Cilk_lock(lock);
    money = had - n;
    Cilk_unlock(lock);
}
cilk int main(void) { Cilk_lock_init(lock); spawn take(10); spawn take(20); sync; printf("%d\\n", money); return 0; }
""", r"worker (\d) read money = 100 on line 10 before worker (?!\1)(\d) wrote (90|80|it) there on line 13; worker \1 then wrote "
     r"money = (80|90) on line 13, still going by the old value"),
    "no sync before the results": ("""cilk int fib(int n)
{
    int x = 0, y = 0;
    if (n < 2)
        return n;
    x = spawn fib(n - 1);
    y = spawn fib(n - 2);
    return x + y;
}
cilk int main(void) { int r; r = spawn fib(4); sync; printf("%d\\n", r); return 0; }
""", r"worker \d uses (x|y) on line 11 while fib\(\d\), whose result it gets, has not returned: a sync is missing"),
    "no sync, all on one line": ("""cilk int fib(int n) { int x = 0, y = 0; if (n < 2) return n; x = spawn fib(n - 1); y = spawn fib(n - 2); return x + y; }
cilk int main(void) { int r; r = spawn fib(4); sync; printf("%d\\n", r); return 0; }
""", r"worker \d uses (x|y) on line 4 while fib\(\d\), whose result it gets, has not returned: a sync is missing"),
    "an element that is added up in the loop": ("""cilk int half(int n) { return n / 2; }
cilk int main(void)
{
    int a[4] = {0}, sum = 0;
    for (int i = 0; i < 4; i++) {
        a[i] = spawn half(i * 4);
        sum += a[i];
    }
    sync;
    printf("%d\\n", sum);
    return 0;
}
""", r"worker \d uses a\[i\] on line 10 while half\(.+\), whose result it gets, has not returned: a sync is missing"),
    "one variable for two results": ("""cilk int twice(int n) { return 2 * n; }
cilk int main(void)
{
    int r;
    r = spawn twice(1);
    r = spawn twice(2);
    sync;
    printf("%d\\n", r);
    return 0;
}
""", r"r gets the results of twice\(1\) and twice\(2\), which run at the same time: the one that returns last decides"),
    "two locks in both orders": ("""static Cilk_lockvar a, b;
cilk void there(void) { Cilk_lock(a); Cilk_lock(b); Cilk_unlock(b); Cilk_unlock(a); }
cilk void back(void) { Cilk_lock(b); Cilk_lock(a); Cilk_unlock(a); Cilk_unlock(b); }
cilk int main(void) { Cilk_lock_init(a); Cilk_lock_init(b); spawn there(); spawn back(); sync; return 0; }
""", r"worker (\d) holds `a` \(line 5\) and waits on line 5 for `b`; worker (?!\1)\d holds `b` \(line 6\) and waits on line 6 for `a`"
     r"|worker (\d) holds `b` \(line 6\) and waits on line 6 for `a`; worker (?!\2)\d holds `a` \(line 5\) and waits on line 5 for `b`"),
    "the address of the loop's variable": ("""cilk void show(int *i) { printf("%d\\n", *i); }
cilk int main(void)
{
    for (int i = 0; i < 3; i++)
        spawn show(&i);
    sync;
    return 0;
}
""", r"worker (\d) wrote i \(\d → \d\) on line 7 before worker (?!\1)\d read \*i \(\d\) on line 4; without parallelism it is the other "
     "way round"),
    "lines in the order of the children": ("""cilk void greet(int n)
{
    printf("child %d\\n", n);
}
cilk int main(void) { spawn greet(1); spawn greet(2); sync; return 0; }
""", r"worker (\d) called printf on line 6 before worker (?!\1)\d called printf on line 6; without parallelism it is the other way "
     "round"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_sentence_explains_it(name, tmp_path):
    text, said = MISTAKES[name]
    (tmp_path / "p.cilk").write_text(HEAD + text)
    result = command([CILKC, "explore", "-w", "--json", "--no-page", "p.cilk"], cwd=tmp_path, timeout=300)
    assert result.status == 1 and re.fullmatch(said, json.loads(result.out)["why"]), str(result)
