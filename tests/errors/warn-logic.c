// FLAGS: -Wall -Wextra -Wlogical-op -Wduplicated-cond -Wduplicated-branches -Wdouble-promotion -Wno-unused-parameter
/* Conditions and values that are probably not meant. */
#include <stdlib.h>
#include <string.h>
enum color { RED, GREEN }; enum fruit { APPLE, PEAR };
int effect(void);
int logic(int a, int b, unsigned u, float x, double d, const char *p)
{
    if (a && a) return 1;                       // WARNING: logical-op
    if (a != 1 || a != 2) return 2;             // WARNING: tautological-overlap-compare
    if (a < 1 && a > 5) return 3;               // WARNING: tautological-overlap-compare
    if (a > 1 && a < 5) return 4;
    if (a != 1 && a != 2) return 5;
    if (effect() && effect()) return 6;
    if (a == 1) return 7;
    else if (b) return 8;
    else if (a == 1) return 9;                  // WARNING: duplicated-cond
    if (a == 1) return 7;
    else if (effect()) return 8;
    else if (a == 1) return 9;
    if (a) b = 3; else b = 3;                   // WARNING: duplicated-branches
    if (a) b = 3; else b = 4;
    if (a) effect(); else effect ();            // WARNING: duplicated-branches
    if (a) { b = 1; effect(); } else { b = 1; /* the same */ effect(); }    // WARNING: duplicated-branches
    if (a) for (;; b++) effect(); else for (; b++;) effect();
    if (a) { int c = b; b = c + 1; } else { long c = b; b = c + 1; }
    b = a ? b + 1 : b + 1;                      // WARNING: duplicated-branches
    if (a << b) return 10;                      // WARNING: int-in-bool-context
    if (u << b) return 11;
    if (a * b) return 12;                       // WARNING: int-in-bool-context
    if (a ? 2 : 3) return 13;                   // WARNING: int-in-bool-context
    if (!(a ? 0 : 4)) return 14;                // WARNING: int-in-bool-context
    if (p == '\0') return 15;                   // WARNING: pointer-compare
    x = x * d;                                  // WARNING: double-promotion
    a = abs(u);                                 // WARNING: absolute-value
    a = abs(d);                                 // WARNING: absolute-value
    a = abs(a);
    b = a ? a : u;                              // WARNING: sign-compare
    b = a ? 1 : u;
    b = 3 << 31;                                // WARNING: shift-overflow
    b = 1 << 31;
    if (a) b = 1; else ;                        // WARNING: empty-body
    return b;
}
int sizes(int *p, char *s, const char *t)
{
    static int a[8];
    int n = sizeof p / sizeof *p;               // WARNING: sizeof-pointer-div
    n += sizeof a / sizeof(short);              // WARNING: sizeof-array-div
    n += sizeof a / sizeof a[0] + sizeof a / sizeof(int);
    memset(p, 0, sizeof p);                     // WARNING: sizeof-pointer-memaccess
    memcpy(s, t, sizeof t);                     // WARNING: sizeof-pointer-memaccess
    memset(p, 0, sizeof(int *));                // WARNING: sizeof-pointer-memaccess
    memset(a, 0, sizeof a);
    memcpy(&p, &s, sizeof p);
    return n;
}
enum fruit convert(enum color c) { enum fruit f = c; enum fruit g = GREEN; return f + g ? PEAR : APPLE; }    // WARNING: enum-conversion // WARNING: enum-conversion
int compare(enum color c) { return c == PEAR; } // WARNING: enum-compare
const static int misplaced = 1;                 // WARNING: old-style-declaration
inline int static late(void);                   // WARNING: old-style-declaration
__attribute__((unused)) inline static int early(void);
inline int static late(void) { return early(); }
inline static int early(void) { return late(); }
int use(void) { int const const twice = 1; return twice + misplaced; }       // WARNING: duplicate-decl-specifier
