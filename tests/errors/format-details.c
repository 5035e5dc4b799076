// FLAGS: -Wall
/* Flags, widths and modifiers that a conversion does not take. */
#include <stdio.h>
#include <time.h>
char *gettext(const char *);
char *ngettext(const char *, const char *, unsigned long);
const char *mine(const char *) __attribute__((format_arg(1)));
void f(int i, unsigned u, long l, double d, char *s, struct tm *t, int *ip)
{
    printf("%+u %-d % d %#x %05d %'d\n", u, i, i, u, i, i);     // WARNING: format
    printf("%-05d\n", i);                       // WARNING: format
    printf("%05.2d\n", i);                      // WARNING: format
    printf("%+ d\n", i);                        // WARNING: format
    printf("%0s\n", s);                         // WARNING: format
    printf("%.3c\n", i);                        // WARNING: format
    printf("%hs\n", s);                         // WARNING: format
    printf("%lp\n", (void *)s);                 // WARNING: format
    printf("%lf %Lf\n", d, (long double)d);
    printf("%d\0%d\n", i);                      // WARNING: format-contains-nul
    printf("50%");                              // WARNING: format
    printf("%y %d\n", i);                       // WARNING: format
    printf(gettext("%ld\n"), i);                // WARNING: format
    printf(ngettext("%d\n", "%ld\n", 2), i);    // WARNING: format
    printf(mine("%d\n"), i);
    printf(i ? "%d\n" : "none\n", i);
    printf(i ? "one\n" : "none\n", i);          // WARNING: format-extra-args
    printf("%zd %jd %td %lld\n", (long)l, l, l, (long long)l);
    scanf("%*d %ld", &l);
    scanf("%0d", ip);                           // WARNING: format
    scanf("%*ld");                              // WARNING: format
    scanf("%[a", s);                            // WARNING: format
    strftime(s, 3, "%Ed", t);                   // WARNING: format
    strftime(s, 3, "%5D", t);                   // WARNING: format
    strftime(s, 3, "%Y-%m-%d %H:%M:%S %-d", t);
    strftime(s, 3, "%Q", t);                    // WARNING: format
}
