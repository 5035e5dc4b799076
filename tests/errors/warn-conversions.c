// FLAGS: -Wconversion -Wsign-conversion -Wfloat-conversion -Wwrite-strings -Wcast-qual -Wcast-function-type -Wstrict-prototypes -Wswitch-enum -Wswitch-default -Wdeclaration-after-statement
/* Warnings that are given only on request. */
int old();                          // WARNING: strict-prototypes
int modern(void);
enum e { A, B };
typedef int (*one)(double);

char narrow(int a, long b, char c)
{
    char r = a;                     // WARNING: conversion
    r = c;
    r = a & 15;
    r = a % 10;
    r = a < 3;
    r = (char)a;
    r = 5;
    int i = b;                      // WARNING: declaration-after-statement // WARNING: conversion
    return i ? r : c;
}

unsigned sign(int a, unsigned short s, float *f, double d)
{
    unsigned u = a;                 // WARNING: sign-conversion
    u = s;
    a = u;                          // WARNING: sign-conversion
    a = s;
    a = d;                          // WARNING: float-conversion
    *f = d;                         // WARNING: float-conversion
    *f = a;                         // WARNING: conversion
    *f = 1.5;
    d = a;
    return u;
}

char *strings(const char *s)
{
    char *t = "abc";                // WARNING: write-strings
    const char *u = "abc";
    char v[] = "abc";
    t = (char *)s;                  // WARNING: cast-qual
    return u == v ? t : 0;
}

int calls(one p)
{
    return p == (one)modern && p(1) && p != (one)(void (*)(void))modern;        // WARNING: cast-function-type
}

int choices(enum e x)
{
    switch (x) {                    // WARNING: switch-enum
    case A: return 1;
    default: return 2;
    }
    switch (x) {                    // WARNING: switch-default
    case A: return 1;
    case B: return 2;
    }
}
