/* Format strings against their arguments. */
// FLAGS: -Wall -Wformat-security -Wnonnull
#include <stdio.h>
#include <stdarg.h>
void report(const char *format, ...) __attribute__((format(printf, 1, 2)));

int formats(long n, char *s, double d, size_t z, int *p)
{
    printf("%d %s %5.2f %zu %ld %p %c %-*d|%% %hhd %llx %Lf\n", 1, s, d, z, n, (void *) s, 'x', 3, 4, 5, 6ull, 1.0L);
    printf("%d\n", n);                              // WARNING: 10:20 format
    printf("%s\n", 3);                              // WARNING: 11:20 format
    printf("%f\n", 3);                              // WARNING: 12:20 format
    printf("%d %d\n", 1);                           // WARNING: format
    printf("%d\n", 1, 2);                           // WARNING: 14:23 format-extra-args
    printf("%y\n", 1);                              // WARNING: format // WARNING: format-extra-args
    printf("%", 1);                                 // WARNING: format
    printf("%*d\n", n, 1);                          // WARNING: 17:21 format
    printf("");                                     // WARNING: format-zero-length
    printf(s);                                      // WARNING: format-security
    report("%s\n", d);                              // WARNING: 20:20 format
    snprintf(s, z, n ? "%d" : "%s", 1);             // WARNING: format
    printf("%2$d %1$d\n", 1, 2);
    scanf("%d %s %lf %zu %*d %[a-z]", p, s, &d, &z, s);
    scanf("%f", &d);                                // WARNING: 24:17 format
    return scanf("%d", 1);                          // WARNING: 25:24 format
}

#include <time.h>
void numbered(int i, char *p)
{
    printf("%1$d %2$s %1$d\n", i, p);
    printf("%2$d %1$s\n", i, p);                // WARNING: format // WARNING: format
    printf("%3$d\n", i, p);                     // WARNING: format
}

void scanned(const int *fixed, char **made, char *p, int *i)
{
    scanf("%d", fixed);                         // WARNING: format
    scanf("%ms %d", made, i);
    scanf("%ms", p);                            // WARNING: format
}

void times(char *s, const struct tm *t)
{
    strftime(s, 9, "%Y-%m-%d %H:%M:%S %Ey %%", t);
    strftime(s, 9, "%Q", t);                    // WARNING: format
    strftime(s, 9, "%E", t);                    // WARNING: format
}
