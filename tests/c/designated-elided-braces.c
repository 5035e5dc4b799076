/* A designator that leads to an aggregate whose braces are left out: its first member takes the value, and the ones after it the next values. */
typedef union { int lock; char bytes[4]; } U;
struct S { int c; U m; struct { int a, b; } p; int arr[2]; int last; };
int main(void)
{
    struct S r = { .m = 3 };
    struct S s = { .p = 1, 2, 7, 8, 9 };
    struct S t[2] = { [1].arr = 4, 5, 6, [0] = 1, 2, 3 };
    if (r.c != 0 || r.m.lock != 3) return 1;
    if (s.c != 0 || s.p.a != 1 || s.p.b != 2 || s.arr[0] != 7 || s.arr[1] != 8 || s.last != 9) return 2;
    if (t[1].arr[0] != 4 || t[1].arr[1] != 5 || t[1].last != 6) return 3;
    if (t[0].c != 1 || t[0].m.lock != 2 || t[0].p.a != 3) return 4;
    return 0;
}
