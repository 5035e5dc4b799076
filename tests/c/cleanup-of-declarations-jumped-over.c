/* The cleanup of an object whose declaration no control passes runs, where control enters its block after it. */
#include <stdio.h>
#define CLEANED __attribute__((cleanup(gone)))
static void gone(int *p) { printf("gone %d\n", *p); }

static int by_goto(int x)
{
    goto in;
    { int a CLEANED = 1; in: a = x; if (x > 1) return a; }
    { if (x) goto on; { int b CLEANED = 3; on: b = 4; } }
    return 0;
}

static void by_case(int x)
{
    switch (x) { int a CLEANED; case 1: a = 10; break; case 2: { int b CLEANED = 20; } a = 11; default: a = 12; }
}

static void around(int x)
{
    int first CLEANED = 30;
    goto in;
    for (;;) {
        int a CLEANED = 1;
    in: a = x;
        int b CLEANED = 32;
        if (x++ > 3) break;
        if (x & 1) continue;
        goto out;
    }
out: first++;
}

int main(void)
{
    by_goto(1); by_goto(2);
    by_case(1); by_case(2); by_case(3);
    around(0); around(1); around(4);
    return 0;
}
