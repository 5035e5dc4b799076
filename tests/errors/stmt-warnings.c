/* Warnings about statements and whole functions. */
// FLAGS: -Wall -Wextra
#include <string.h>
_Noreturn void stops(int n)
{
    if (n)
        return;                                     // WARNING: invalid-noreturn
    while (1) ;
}

int statements(int n, unsigned char small, char *s)
{
    int unset, other = 0;
    if (n)
        if (small) other = 1;
    else other = 2;                                 // WARNING: 14:5 dangling-else
    if (other = n)                                  // WARNING: parentheses
        other++;
    if (n) ;                                        // WARNING: empty-body
    switch (n == 1) { case 1: break; }              // WARNING: switch-bool
    switch (small) { case 300: break; }             // WARNING: switch-outside-range
    switch (n) {
        other = 3;                                  // WARNING: switch-unreachable
    case 1:
        other = 4;
    case 2:                                         // WARNING: implicit-fallthrough
        other = 5;
        break;
    case 7 ... 3:                                   // WARNING: case-range
        break;
    }
    memset(s, 0, sizeof s);                         // WARNING: sizeof-pointer-memaccess
    memset(s, 10, 0);                               // WARNING: memset-transposed-args
unused: ;                                           // WARNING: unused-label
    return other + unset;                           // WARNING: uninitialized
}

int *local(void)
{
    int here = 1;
    return &here;                                   // WARNING: return-local-addr
}

int falls(int n)
{
    if (n)
        return 1;
}                                                   // WARNING: return-type
enum e { A, B, C };
int enums(enum e x) { switch (x) { case A: case B: return 1; } return 0; }    // WARNING: switch

#define BOTH case 4: f = 1; /* falls through */ case 5:
int quiet(int n)                                    // labels with nothing left to do, and those in macros, need no comment
{
    int f = 0;
    switch (n) {
    case 1:
        f = 3;
    case 2:
        break;
    BOTH
        f = f + 2;
    default:;
    }
    return f;
}

int guarded(int n)
{
    int f = 0;
    if (n)
        f = 1;
#if 1
    if (f)
#endif
        f = 2;
    if (n)
        f++;
//      if (f)
        f--;
    return f;
}
int sprintf(char *, const char *, ...);
const char *choice(int n)                           // formats of which one uses all arguments; a condition with one side known
{
    char text[20];
    unsigned unset;
    sprintf(text, n ? "%d of %d" : "%d", n, 2);
    sprintf(text, n ? "a" : "b", n);                // WARNING: format-extra-args
    if ((void *)0) sprintf(text, "%u", unset);
    if (1 || n) return "";
}
struct Bits { unsigned small : 5; } bits;
int compared(unsigned u, const unsigned char *c, int n)
{
    return (bits.small < u) + ((n ? c[0] : c[1]) < u) + (u == (n > 2)) + (c[1] + c[2] < u) + ((c[1] >> 1) % 5 / 2 < u) + (n < u);   // WARNING: sign-compare
}
int compared_after_promotion(unsigned u, short s) { return s < u; }   // WARNING: sign-compare
#define TAKE(value) n = value
struct Slots { long first; int second; };
int macros(const int o, int n) { TAKE(n); return n + (o == __builtin_offsetof(struct Slots, second)); }
int least(int n) { return n == (2147483647 < sizeof(long) ? 2147483647 : sizeof(long)); }
#define RUN(text) text
int never(int n)
{
    static const int four[4];
    if (sizeof(int) == 8) n += four[5];
    else if (1) n++;
    else n += four[6];
    if (n)
        n++;

    RUN(
        if (n) n = 2;
    )
    switch (n) {
    case 1:
        ((void)0);
    case 2: n++; /* FALLTHROUGH */ case 3: return n;
    case 4:
        RUN((void)0; n++);
    default:
        return n + four[5];                         // WARNING: array-bounds
    }
}
char *translated(const char *) __attribute__((format_arg(1)));
void printed(const char *, ...) __attribute__((format(printf, 1, 2)));
void formats(const char *s, int n)
{
    typedef char quiet[1] __attribute__((unused));
    typedef char loud[1];                           // WARNING: unused-local-typedefs
    printed(translated("plain"));
    printed(translated(n ? "%d" : "%x"), n);
    printed(translated("%s"), n);                   // WARNING: format
    printed(translated(s));                             // WARNING: format-security
    printed((const char *)("plain"));
}
