// FLAGS: -Wshadow=local -Wnested-externs -Wbad-function-cast -Wformat=2 -Wshift-overflow=2
/* Warnings that must be asked for. */
#include <stdio.h>
#include <time.h>
int outer;
double rate(void);
int f(int n, const char *format, char *s, struct tm *t)
{
    extern int elsewhere;                       // WARNING: nested-externs
    int hidden(void);                           // WARNING: nested-externs
    static const char constant[] = "%d\n";
    { int n = 1; outer = n; }                   // WARNING: shadow-compatible-local
    { char *n = s; s = n; }                     // WARNING: shadow-local
    { int outer = 1; n += outer; }
    n += (int)rate();                           // WARNING: bad-function-cast
    printf(format, n);                          // WARNING: format-nonliteral
    printf(format);                             // WARNING: format-security
    printf(constant, n);
    strftime(s, 8, "%y", t);                    // WARNING: format-y2k
    n += 1 << 31;                               // WARNING: shift-overflow-sign
    return n + elsewhere + hidden();
}
