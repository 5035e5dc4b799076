"""The base of all instrumentation of memory: each access of a C program is reported once, in C's size. Accesses that
the compiler adds are not reported.

The mode -cilk-access calls cilk_on_access for every access that codegen/body/memory.cpp and atomic.cpp report. What each
construct below does to memory was counted by hand from the C standard: a lvalue converted to a value is read; an
assignment writes; an initialiser writes the object once; arguments and results are not objects of the program.
An object with a name is reported by its name. All others (locals, literals, memory of alloca) are "-". The order
within a statement is not compared.
"""

import collections

import pytest

from conftest import CILKC, command, compiled

pytestmark = pytest.mark.tier("check")

TYPES = """
struct S { int a; char b[20]; };  struct T { int a; };  struct P { long a, b; };
struct B { int x : 3, y : 5; int : 0; int z : 9; int w; };
union U { int i; float f; };
typedef int v4 __attribute__((vector_size(16)));
struct Big { long v[4]; };
"""
OBJECTS = """
int i, j, arr[10], m[3][4], *p; unsigned char c; _Bool flag; double d; long double ld; volatile int v;
struct S s, q, s2, *ps, *pq; struct T t; struct P pp; struct B b; union U u; v4 vec;
_Complex double z, y; _Atomic int at; _Atomic(struct Big) abig; struct Big big; void (*fp)(void);
"""
NAMES = "i j arr m c flag d ld v p s q s2 t pp b u vec ps pq z y at abig big fp".split()

HELPERS = """
struct S makeS(void) { struct S r; r.a = 7; return r; }
struct T makeT(void) { struct T r; r.a = 7; return r; }
struct P makeP(void) { struct P r; r.a = 7; return r; }
int take(int n, ...) { return 0; }
void takeS(struct S x) {} void takeT(struct T x) {} void takeP(struct P x) {}
struct S returnS(void) { return s; } struct T returnT(void) { return t; } int returnI(void) { return i; }
int sum(int n, ...) {
  __builtin_va_list a, e; int k;
  __builtin_va_start(a, n); __builtin_va_copy(e, a);
  k = __builtin_va_arg(a, int); __builtin_va_arg(e, double);
  __builtin_va_end(a); __builtin_va_end(e);
  return k;
}
"""
RETURNS = {"makeS": "W - 4, R - 24", "makeT": "W - 4, R - 4", "makeP": "W - 8, R - 16"}
MAKE_S, MAKE_T, MAKE_P = RETURNS["makeS"], RETURNS["makeT"], RETURNS["makeP"]

# Before each case: i == j == 3, p == &i, ps == &s, pq == &q.
CASES = {
    "i = 1;": "W i 4",
    "j = i;": "R i 4, W j 4",
    "i += 2;": "R i 4, W i 4",
    "i++; --i;": "R i 4, W i 4, R i 4, W i 4",
    "*p = j;": "R p 8, R j 4, W i 4",
    "*p++ = 1;": "R p 8, W p 8, W i 4",
    "p = &j; p = &arr[2];": "W p 8, W p 8",
    "arr[i] = arr[2];": "R i 4, R arr+8 4, W arr+12 4",
    "m[1][2] = 5;": "W m+24 4",
    "s.a = 1; s.b[3] = 1;": "W s 4, W s+7 1",
    "ps->a = pq->b[i];": "R ps 8, R pq 8, R i 4, R q+7 1, W s 4",
    "s = q;": "R q 24, W s 24",
    "s = s;": "R s 24, W s 24",
    "*ps = *pq;": "R ps 8, R pq 8, R q 24, W s 24",
    "s2 = s = q;": "R q 24, W s 24, W s2 24",
    "j = (s = q).a;": "R q 24, W s 24, W j 4",  # the value of an assignment is not read from its object
    "s = i ? q : s2;": "R i 4, R q 24, W s 24",
    "s = makeS();": MAKE_S + ", W s 24",
    "t = makeT();": MAKE_T + ", W t 4",
    "pp = makeP();": MAKE_P + ", W pp 16",
    "*ps = makeS();": MAKE_S + ", R ps 8, W s 24",
    "makeS();": MAKE_S,
    "i = makeS().a;": MAKE_S + ", W i 4",
    "takeS(s); takeT(t); takeP(pp); takeS(makeS());": "R s 24, R t 4, R pp 16, " + MAKE_S,
    "take(1, s, t);": "R s 24, R t 4",
    "returnS(); returnT(); returnI();": "R s 24, R t 4, R i 4",
    "{ int x = i; }": "R i 4, W - 4",
    "{ int x; }": "",
    "{ int a[10] = {1, 2, 3}; }": "W - 40 initial",
    "{ int a[6] = {i, j, 1, 2, i, 3}; }": "R i 4, R j 4, R i 4, W - 24 initial",
    "{ int a[4] = {[0 ... 3] = i}; }": "R i 4, W - 16 initial",
    '{ struct S l = {i, "ab"}; }': "R i 4, W - 24 initial",
    "{ struct S l = q; }": "R q 24, W - 24",
    "{ struct S l = makeS(); }": MAKE_S + ", W - 24",
    '{ char text[8] = "abc"; }': "W - 8 initial",
    "{ static int k = 3; k = 1; }": "W - 4",
    's = (struct S){1, "x"};': "W - 24 initial, R - 24, W s 24",
    "p = (int[]){i, 2};": "R i 4, W - 8, W p 8",
    "{ int n = 3; int a[n]; a[1] = sizeof a; }": "W - 4, R - 4, W - 4",
    "{ int *x = __builtin_alloca(8); x[1] = 1; }": "W - 8, R - 8, W - 4",
    "b.x = 1;": "W b 1",
    "b.y += 1;": "R b 1, W b 1",
    "b.x++;": "R b 1, W b 1",
    "b.z = b.x;": "R b 1, W b+4 2",
    "i = b.w; b.w = 2;": "R b+8 4, W i 4, W b+8 4",
    "z = 1;": "W z 8, W z+8 8",
    "z = y;": "R y 8, R y+8 8, W z 8, W z+8 8",
    "z += y;": "R y 8, R y+8 8, R z 8, R z+8 8, W z 8, W z+8 8",
    "d = __imag__ z; __real__ z = d;": "R z+8 8, W d 8, R d 8, W z 8",
    "at = 1; i = at;": "W at 4 atomic, R at 4 atomic, W i 4",
    "at += 2; at++;": "RW at 4 atomic, RW at 4 atomic",
    "at = i;": "R i 4, W at 4 atomic",
    "abig = big; big = abig;": "R big 32, W abig 32 atomic, R abig 32 atomic, W big 32",
    "__atomic_fetch_add(&i, j, 5);": "R j 4, RW i 4 atomic",
    "__atomic_store_n(&i, 1, 5); j = __atomic_load_n(&i, 5);": "W i 4 atomic, R i 4 atomic, W j 4",
    "__atomic_load(&i, &j, 5); __atomic_store(&i, &j, 5);": "R i 4 atomic, W j 4, R j 4, W i 4 atomic",
    "__atomic_exchange(&i, &j, &arr[1], 5);": "R j 4, RW i 4 atomic, W arr+4 4",
    "__atomic_load((struct S *)&s, &q, 5);": "R s 24 atomic, W q 24",
    "__atomic_compare_exchange_n(&i, &j, 9, 0, 5, 5);": "R j 4, RW i 4 atomic",
    "j = 5; __atomic_compare_exchange_n(&i, &j, 9, 0, 5, 5);": "W j 4, R j 4, RW i 4 atomic, W j 4",
    "__sync_fetch_and_or(&i, 1); __sync_bool_compare_and_swap(&i, 1, 2); __sync_lock_release(&i);": "RW i 4 atomic, RW i 4 atomic, W i 4 atomic",
    "__atomic_test_and_set(&c, 5); __atomic_clear(&c, 5);": "RW c 1 atomic, W c 1 atomic",
    "__builtin_memcpy(&s, &q, 10);": "R q 10 block, W s 10 block",
    "__builtin_memmove(&s, &s.b, i);": "R i 4, R s+4 3 block, W s 3 block",
    "__builtin_memset(arr, 0, sizeof arr); __builtin_bzero(arr, 8);": "W arr 40 block, W arr 8 block",
    "sum(1, 2, 3.0);": "W - 24 va_list, R - 24 va_list, W - 24 va_list, RW - 24 va_list, W - 4, RW - 24 va_list, W - 24 va_list, W - 24 va_list, R - 4",
    '__asm__ volatile("" : "+m"(i)); __asm__ volatile("" : : "m"(s));': "RW i 4 asm, R s 24 asm",
    '__asm__ volatile("" : "=m"(arr[1]));': "W arr+4 4 asm",
    '__asm__ volatile("" : "=r"(i) : "0"(j));': "R j 4, W i 4",
    '__asm__ volatile("" : "+r"(t));': "R t 4, W t 4",
    "v = v;": "R v 4, W v 4",
    "v;": "R v 4",
    "ld = ld + 1;": "R ld 16, W ld 16",
    "flag = i; c = flag;": "R i 4, W flag 1, R flag 1, W c 1",
    "u.f = 1; i = u.i;": "W u 4, R u 4, W i 4",
    "j = i && arr[1];": "R i 4, R arr+4 4, W j 4",
    "j = i || arr[1];": "R i 4, W j 4",
    "j = i ? arr[0] : arr[1];": "R i 4, R arr 4, W j 4",
    "j = (i, arr[1]);": "R i 4, R arr+4 4, W j 4",
    "switch (i) { case 3: j = 1; }": "R i 4, W j 4",
    "for (int k = 0; k < 2; k++) arr[k] = 0;": "W - 4, "
    + "R - 4, R - 4, W arr 4, R - 4, W - 4, "
    + "R - 4, R - 4, W arr+4 4, R - 4, W - 4, R - 4",
    'c = "abc"[1];': "R - 1, W c 1",
    "vec[1] = 3; i = vec[2];": "W vec+4 4, R vec+8 4, W i 4",
    "vec = vec + vec;": "R vec 16, R vec 16, W vec 16",
    "flag = __builtin_add_overflow(i, 1, &j);": "R i 4, W j 4, W flag 1",
    "fp();": "R fp 8",
    "j = ({ i; });": "R i 4, W j 4",
    "s = ({ q; });": "R q 24, W s 24",
    "{ int k = 1; void nested(void) { j = k; } nested(); }": "W - 4, R - 4, W j 4",
    "j = sizeof i + _Alignof(int); j = sizeof arr[i++];": "W j 4, W j 4",
    "j = _Generic(i, int: i, default: c);": "R i 4, W j 4",
}

SUPPORT = r"""
#include <stddef.h>
#include <stdio.h>
%s
static const struct { const char *name; void *at; size_t size; } objects[] = { %s };
void cilk_on_access(void *at, long size, int mode, int kind, int line)
{
  static const char *const modes[] = {"", "R", "W", "RW"}, *const kinds[] = {"", " atomic", " initial", " block", " va_list", " asm", " masked"};
  const char *name = "-";
  long offset = 0;
  for (size_t k = 0; k < sizeof objects / sizeof *objects; k++) {
    long o = (char *)at - (char *)objects[k].at;
    if (o >= 0 && o < (long)objects[k].size) { name = objects[k].name; offset = o; }
  }
  printf(offset ? "%%s %%s+%%ld %%ld%%s\n" : "%%s %%s%%.0ld %%ld%%s\n", modes[mode], name, offset, size, kinds[kind]);
}
static void nothing(void) {}
%s
int main(void)
{
%s
}
"""


def counted(text):
    return collections.Counter(" ".join(one.split()) for one in text.split(",") if one.strip())


@pytest.fixture(scope="module", params=["-O0", "-O2"])
def log(request, tmp_path_factory):
    """What every case did, by its text."""
    folder = tmp_path_factory.mktemp("access")
    extern = TYPES + "".join("extern %s;\n" % one.strip() for one in OBJECTS.split(";") if one.strip())
    functions = ["void case_%d(void) { %s }" % (n, case) for n, case in enumerate(CASES)]
    (folder / "cases.c").write_text(extern + HELPERS + "\n".join(functions) + "\n")
    calls = [
        '  i = j = 3; p = &i; ps = &s; pq = &q; fp = nothing; printf("# %d\\n"); case_%d();' % (n, n)
        for n in range(len(CASES))
    ]
    (folder / "main.c").write_text(
        SUPPORT
        % (
            TYPES + OBJECTS,
            ", ".join('{"%s", (void *)&%s, sizeof %s}' % (n, n, n) for n in NAMES),
            "".join("void case_%d(void);\n" % n for n in range(len(CASES))),
            "\n".join(calls),
        )
    )
    compiled([CILKC, request.param, "-w", "-cilk-access", "-c", folder / "cases.c", "-o", folder / "cases.o"])
    compiled(
        ["gcc", "-w", folder / "main.c", folder / "cases.o", "-latomic", "-z", "noexecstack", "-o", folder / "cases"]
    )
    parts = command([folder / "cases"]).out.split("# ")[1:]
    return {case: collections.Counter(part.split("\n")[1:-1]) for case, part in zip(CASES, parts)}


@pytest.mark.parametrize("case", sorted(CASES))
def test_every_access_is_reported_once(case, log):
    assert log[case] == counted(CASES[case])
