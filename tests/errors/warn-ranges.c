/* Values that a type does not have, masks that leave a value out, cases that are no enumerators. */
// FLAGS: -Wall -Wextra
#include <limits.h>
enum color { RED, GREEN = 5 };
struct bits { unsigned three : 3; };
int f(int);
int types(unsigned char u, signed char s, short h, int n, unsigned w)
{
    if (u <= 255) f(1);                 // WARNING: 9:11 type-limits
    if (u > 255) f(2);                  // WARNING: type-limits
    if (s == 300) f(3);                 // WARNING: type-limits
    if (-129 < s) f(4);                 // WARNING: type-limits
    if (h != 0xffff) f(5);              // WARNING: type-limits
    if (n < 5000000000) f(6);           // WARNING: type-limits
    if ((unsigned char)n == 256) f(7);  // WARNING: type-limits
    for (u = 0; u < 256; u++) f(u);     // WARNING: type-limits
    return w > 5000000000;              // WARNING: type-limits
}
int masks(unsigned a, int b)
{
    if ((a & 16) == 10) f(1);           // WARNING: 21:18 tautological-compare
    if ((b | 8) != 1) f(2);             // WARNING: tautological-compare
    return 3 == (b & 4);                // WARNING: tautological-compare
}
int cases(enum color c)
{
    switch (c) {
    case RED: return 1;
    case GREEN: return 2;
    case 7: return 3;                   // WARNING: 30:10 switch
    case (enum color)1: return 4;       // WARNING: switch
    case 2 ... 3: return 5;
    default: return 6;
    }
}
int fine(unsigned char u, signed char s, int n, unsigned w, unsigned long l, struct bits *b, enum color c)
{
    if (u < 255 || u == 255 || s >= -127 || s == 127) f(1);
    if (n <= INT_MAX) f(2);
    if (n >= INT_MIN && w <= UINT_MAX && l <= ULONG_MAX && w == -1u) f(2);
    if (b->three < 9) f(3);
    if ((n & 16) == 16 || (n & 0xff) == 0 || (n | 8) == 9 || (n & -8) == 16) f(4);
    if (sizeof n == 8 && sizeof u == 1) f(5);
    switch (n) { case 7: return 1; }
    return c == 9;
}
