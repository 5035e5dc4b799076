/* FLAGS: -std=c90 -pedantic */
/* Features of later standards. */
struct open { int n; int a[]; };                /* WARNING: c99-extensions */
_Static_assert(1, "one");                       /* WARNING: c11-extensions */
_Noreturn void stop(void);                      /* WARNING: c11-extensions */
_Alignas(16) int aligned;                       /* WARNING: c11-extensions */
_Atomic int atomic;                             /* WARNING: c11-extensions */
int f(int n)
{
    n++;
    int m = n;                                  /* WARNING: declaration-after-statement */
    for (int i = 0; i < n; i++) m++;            /* WARNING: c99-extensions */
    return m;
}
long long wide;                                 /* WARNING: long-long */
int v(int n) { int a[n]; a[0] = n; return a[0]; }   /* WARNING: vla-c90 */
