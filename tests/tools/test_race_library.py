"""The C library's functions under `cilkc race`: which bytes each call reads and writes, and that it returns what the
library returns.

A row of the table has a call, and bytes of the objects a, b, c and d. The call reads (`r`) or writes (`w`) these bytes
by the C standard or the manual. For the first and the last of these bytes, and for the byte after them, a sibling of
the call uses that byte: the first two are races, the third is none. Nor is it a race where a sibling reads the last
byte that a call reads. All rows are one program."""

import json
import re
import subprocess
from typing import Any

import pytest

from conftest import CILKC, command

pytestmark = pytest.mark.tier("test")

TM = "sizeof(struct tm)"
STAT = "sizeof(struct stat)"
DAY = "*(long *)c = 86400;"
CLEAR = "memset(b, 0, %s)"
START = """#define _GNU_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <math.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#define W(p) ((wchar_t *)(p))
#define KEEP_PLACE(p) (*(char **)(p) = (char *)AT(*(char **)(p), a))
static long AT(const void *p, const void *of) { return p ? (const char *)p - (const char *)of : -1; }
static FILE *from, *null, *wide;
static regex_t expression;
static int zero, nowhere, sum;
static int order(const void *x, const void *y) { return *(const char *)x - *(const char *)y; }
static int order_r(const void *x, const void *y, void *z) { return *(const char *)x - *(const char *)y + !z; }
static FILE *out;
static void bytes(const char *p) { for (int i = 0; i < 64; i++) fprintf(out, " %d", p[i]); }
static void show(int n, long r, const char *p, const char *q, const char *s, const char *t)
{
    fprintf(out, "%d: %ld", n, r);
    bytes(p), bytes(q), bytes(s), bytes(t);
    fprintf(out, "\\n");
}
static void file(const char *text) { fclose(from); from = fmemopen((void *)text, strlen(text), "r"); }
static void piped(const char *text)                      /* fmemopen's streams cannot be read as wide characters */
{
    int ends[2];
    fclose(from);
    if (pipe(ends) || write(ends[1], text, strlen(text)) < 0) exit(3);
    close(ends[1]);
    from = fdopen(ends[0], "r");
}
"""

# What a and b have before, as texts, or by a statement; the call; what it reads and writes: an object, from, to (`-`: it
# does neither); what hides what differs between runs.
ROWS: "list[Any]" = [
    (("hello", ""), "AT(memcpy(b, a, 5), b)", "a r 0 5, b w 0 5"),
    (("hello", ""), "AT(mempcpy(b, a, 5), b)", "a r 0 5, b w 0 5"),
    (("hello", ""), "AT(memmove(b, a, 5), b)", "a r 0 5, b w 0 5"),
    (("hello", ""), "AT(memset(a, 1, 7), a)", "a w 0 7"),
    (("hello", ""), "(bzero(a, 7), 0)", "a w 0 7"),
    (("hello", ""), "(explicit_bzero(a, 7), 0)", "a w 0 7"),
    (("hello", ""), "(bcopy(a, b, 5), 0)", "a r 0 5, b w 0 5"),
    (("abcdef", "abcdxx"), "memcmp(a, b, 6) < 0", "a r 0 6, b r 0 6"),
    (("abcdef", "abcdxx"), "bcmp(a, b, 6) != 0", "a r 0 6, b r 0 6"),
    (("abcabc", ""), "AT(memchr(a, 'c', 9), a)", "a r 0 3"),
    (("abcabc", ""), "AT(memchr(a, 'z', 5), a)", "a r 0 5"),
    (("abcabc", ""), "AT(memrchr(a, 'b', 6), a)", "a r 0 6"),
    (("abcabc", ""), "AT(rawmemchr(a, 'c'), a)", "a r 0 3"),
    (("abcabc", "ca"), "AT(memmem(a, 10, b, 2), a)", "a r 0 10, b r 0 2"),
    (("abcabc", ""), "AT(memccpy(b, a, 'c', 9), b)", "a r 0 3, b w 0 3"),
    (("abcabc", ""), "AT(memccpy(b, a, 'z', 5), b)", "a r 0 5, b w 0 5"),
    (("hello", ""), "(long)strlen(a)", "a r 0 6"),
    (("hello", ""), "(long)strnlen(a, 3)", "a r 0 3"),
    (("hello", ""), "(long)strnlen(a, 20)", "a r 0 6"),
    (("hello", ""), "AT(strcpy(b, a), b)", "a r 0 6, b w 0 6"),
    (("hello", ""), "AT(stpcpy(b, a), b)", "a r 0 6, b w 0 6"),
    (("hello", ""), "AT(strncpy(b, a, 10), b)", "a r 0 6, b w 0 10"),
    (("hello", ""), "AT(stpncpy(b, a, 3), b)", "a r 0 3, b w 0 3"),
    (("hello", "xy"), "AT(strcat(b, a), b)", "a r 0 6, b r 0 2, b w 2 8"),
    (("hello", "xy"), "AT(strncat(b, a, 3), b)", "a r 0 3, b r 0 2, b w 2 6"),
    (("abcd", "abxd"), "strcmp(a, b) < 0", "a r 0 3, b r 0 3"),
    (("ab", "ab"), "strcmp(a, b)", "a r 0 3, b r 0 3"),
    (("abcd", "abxd"), "strncmp(a, b, 2)", "a r 0 2, b r 0 2"),
    (("abcd", "abxd"), "strcoll(a, b) < 0", "a r 0 5, b r 0 5"),
    (("abcd", "ABxd"), "strcasecmp(a, b) < 0", "a r 0 5, b r 0 5"),
    (("abcd", "ABxd"), "strncasecmp(a, b, 2)", "a r 0 2, b r 0 2"),
    (("abcabc", ""), "AT(strchr(a, 'c'), a)", "a r 0 3"),
    (("abcabc", ""), "AT(strchr(a, 'z'), a)", "a r 0 7"),
    (("abcabc", ""), "AT(index(a, 'c'), a)", "a r 0 3"),
    (("abcabc", ""), "AT(strchrnul(a, 'c'), a)", "a r 0 3"),
    (("abcabc", ""), "AT(strchrnul(a, 'z'), a)", "a r 0 7"),
    (("abcabc", ""), "AT(strrchr(a, 'b'), a)", "a r 0 7"),
    (("abcabc", ""), "AT(rindex(a, 'b'), a)", "a r 0 7"),
    (("abcabc", "ca"), "AT(strstr(a, b), a)", "a r 0 7, b r 0 3"),
    (("abcabc", "CA"), "AT(strcasestr(a, b), a)", "a r 0 7, b r 0 3"),
    (("aabaa", "a"), "(long)strspn(a, b)", "a r 0 3, b r 0 2"),
    (("xxaxx", "a"), "(long)strcspn(a, b)", "a r 0 3, b r 0 2"),
    (("xxaxx", "a"), "AT(strpbrk(a, b), a)", "a r 0 3, b r 0 2"),
    (("x,y", ","), "(strtok_r(a, b, (char **)c), 0)", "b r 0 2, c w 0 8, a r 0 1, a w 1 2", "KEEP_PLACE(c)"),
    (("xy", ","), "(strtok_r(a, b, (char **)c), 0)", "b r 0 2, c w 0 8, a r 0 3", "KEEP_PLACE(c)"),
    (("x,y", ",", "*(char **)c = a;"), "AT(strsep((char **)c, b), a)", "b r 0 2, c w 0 8, a r 0 1, a w 1 2", "KEEP_PLACE(c)"),
    (("", ""), "AT(strerror_r(1, a, 40), a) == 0", "a w 0 40"),
    (("a9", "a10"), "strverscmp(a, b) < 0", "a r 0 3, b r 0 4"),
    (("hello", ""), "(long)strxfrm(b, a, 20)", "a r 0 6, b w 0 6"),
    (("hello", ""), "(long)strxfrm(b, a, 3)", "a r 0 6, b w 0 3"),
    (("hello", ""), "(swab(a, b, 5), 0)", "a r 0 4, b w 0 4"),
    (("1.5x", ""), "(long)(2 * strtod(a, (char **)c))", "a r 0 4, c w 0 8", "KEEP_PLACE(c)"),
    (("1.5x", ""), "(long)(2 * strtof(a, (char **)c))", "a r 0 4, c w 0 8", "KEEP_PLACE(c)"),
    (("1.5x", ""), "(long)(2 * strtold(a, (char **)c))", "a r 0 4, c w 0 8", "KEEP_PLACE(c)"),
    (("12x", ""), "strtol(a, (char **)c, 8)", "a r 0 3, c w 0 8", "KEEP_PLACE(c)"),
    (("12x", ""), "(long)strtoll(a, (char **)c, 8)", "a r 0 3, c w 0 8", "KEEP_PLACE(c)"),
    (("12x", ""), "(long)strtoul(a, (char **)c, 8)", "a r 0 3, c w 0 8", "KEEP_PLACE(c)"),
    (("12x", ""), "(long)strtoull(a, (char **)c, 8)", "a r 0 3, c w 0 8", "KEEP_PLACE(c)"),
    (("12x", ""), "(long)strtoimax(a, (char **)c, 8)", "a r 0 3, c w 0 8", "KEEP_PLACE(c)"),
    (("12x", ""), "(long)strtoumax(a, (char **)c, 8)", "a r 0 3, c w 0 8", "KEEP_PLACE(c)"),
    (("12", ""), "atoi(a)", "a r 0 3"),
    (("12 345", ""), "atoi(a)", "a r 0 3"),
    (("12 345", ""), "atol(a)", "a r 0 3"),
    (("12 345", ""), "(long)atoll(a)", "a r 0 3"),
    (("1.5 2.5", ""), "(long)(2 * atof(a))", "a r 0 4"),
    (("12", ""), "atol(a)", "a r 0 3"),
    (("12", ""), "(long)atoll(a)", "a r 0 3"),
    (("1.5", ""), "(long)(2 * atof(a))", "a r 0 4"),
    (("dcba", ""), "(qsort(a, 4, 1, order), 0)", "a w 0 4"),
    (("dcba", ""), "(qsort_r(a, 4, 1, order_r, a), 0)", "a w 0 4"),
    # printing
    (("hello", ""), 'snprintf(b, 20, "%s-%d", a, 5)', "a r 0 6, b w 0 8"),
    (("hello", ""), 'snprintf(b, 4, "%s-%d", a, 5)', "a r 0 6, b w 0 4"),
    (("hello", ""), 'sprintf(b, "%s-%d", a, 5)', "a r 0 6, b w 0 8"),
    (("hello", ""), 'asprintf((char **)c, "%s", a)', "a r 0 6, c w 0 8", "*(char **)c = 0"),
    (("hello", ""), 'dprintf(nowhere, "%s", a)', "a r 0 6"),
    (("hello", ""), 'fprintf(null, a)', "a r 0 6"),
    (("hello", ""), 'fprintf(null, "%.3s", a)', "a r 0 3"),
    (("hello", ""), 'fprintf(null, "%.*s", 3, a)', "a r 0 3"),
    (("hello", ""), 'fprintf(null, "%*s|%s", 3, "q", a)', "a r 0 6"),
    (("hello", ""), 'fprintf(null, "%+5d %ld %llx %s", 1, 2L, 3LL, a)', "a r 0 6"),
    (("hello", ""), 'fprintf(null, "%f %8.2Lf %c %% %p %s", 1.5, 2.5L, 65, a, a)', "a r 0 6"),
    (("hello", ""), 'fprintf(null, "%lc %C %m %s", L\'x\', L\'y\', a)', "a r 0 6"),
    (("", "", 'wcscpy(W(a), L"wide");'), 'fprintf(null, "%ls", W(a))', "a r 0 20"),
    (("", "", 'wcscpy(W(a), L"wide");'), 'fprintf(null, "%S", W(a))', "a r 0 20"),
    (("", ""), 'fprintf(null, "xyz%n", (int *)c)', "c w 0 4"),
    (("", ""), 'fprintf(null, "xyz%hhn", (signed char *)c)', "c w 0 1"),
    (("", ""), 'fprintf(null, "xyz%hn", (short *)c)', "c w 0 2"),
    (("", ""), 'fprintf(null, "xyz%ln", (long *)c)', "c w 0 8"),
    (("", "", 'wcscpy(W(a), L"%d!");'), "swprintf(W(b), 20, W(a), 12)", "a r 0 16, b w 0 16"),
    # scanning
    (("12 3", ""), 'sscanf(a, "%d", (int *)c)', "a r 0 5, c w 0 4"),
    (("12 3", ""), 'sscanf(a, "%hhd", (signed char *)c)', "c w 0 1"),
    (("12 3", ""), 'sscanf(a, "%hd", (short *)c)', "c w 0 2"),
    (("12 3", ""), 'sscanf(a, "%lx", (unsigned long *)c)', "c w 0 8"),
    (("12 3", ""), 'sscanf(a, "%*d %d", (int *)c)', "c w 0 4"),
    (("12 3", ""), 'sscanf(a, "%d %d", (int *)c, (int *)d)', "c w 0 4, d w 0 4"),
    (("12 x", ""), 'sscanf(a, "%d %d", (int *)c, (int *)d)', "c w 0 4, d - 0 4"),
    (("12 3", ""), 'sscanf(a, "%d%n", (int *)c, (int *)d)', "c w 0 4, d w 0 4"),
    (("1.5", ""), 'sscanf(a, "%f", (float *)c)', "c w 0 4"),
    (("1.5", ""), 'sscanf(a, "%lf", (double *)c)', "c w 0 8"),
    (("1.5", ""), 'sscanf(a, "%Lf", (long double *)c)', "c w 0 16"),
    (("word x", ""), 'sscanf(a, "%s", b)', "b w 0 5"),
    (("word x", ""), 'sscanf(a, "%3s", b)', "b w 0 4"),
    (("word x", ""), 'sscanf(a, "%c", b)', "b w 0 1"),
    (("word x", ""), 'sscanf(a, "%4c", b)', "b w 0 4"),
    (("word x", ""), 'sscanf(a, "%[a-q]", b)', "b - 0 2"),
    (("]word x", ""), 'sscanf(a, "%[]wo]", b)', "b w 0 4"),
    (("word x", ""), 'sscanf(a, "%[^r] %c", b, c)', "b w 0 3, c w 0 1"),
    (("word x", ""), 'sscanf(a, "%ms", (char **)c)', "c w 0 8", "*(char **)c = 0"),
    (("word", ""), 'sscanf(a, "%ls", W(b))', "b w 0 20"),
    (("0x10", ""), 'sscanf(a, "%p", (void **)c)', "c w 0 8"),
    (("", "", 'file("7 8");'), 'fscanf(from, "%d", (int *)c)', "c w 0 4"),
    # blocks and lines
    (("", "", 'file("abcdefgh");'), "(long)fread(b, 2, 3, from)", "b w 0 6"),
    (("", "", 'file("abc");'), "(long)fread(b, 2, 3, from)", "b w 0 2"),
    (("hello", ""), "(long)fwrite(a, 2, 2, null)", "a r 0 4"),
    (("hello", ""), "fputs(a, null) >= 0", "a r 0 6"),
    (("", "", 'file("ab\\ncd");'), "AT(fgets(b, 10, from), b)", "b w 0 4"),
    (("", "", 'file("ab;cd");'), "(long)getdelim((char **)c, (size_t *)d, ';', from)", "c w 0 8, d w 0 8", "*(char **)c = 0, *(long *)d = 0"),
    (("", "", 'file("ab\\ncd");'), "(long)getline((char **)c, (size_t *)d, from)", "c w 0 8, d w 0 8", "*(char **)c = 0, *(long *)d = 0"),
    (("hello", ""), "(long)read(zero, a, 4)", "a w 0 4"),
    (("hello", ""), "(long)pread(zero, a, 4, 0)", "a w 0 4"),
    (("hello", ""), "(long)write(nowhere, a, 4)", "a r 0 4"),
    (("hello", ""), "(long)pwrite(nowhere, a, 4, 0)", "a r 0 4"),
    (("/dev/null", "r"), "fopen(a, b) != NULL", "a r 0 10, b r 0 2"),
    (("/nowhere", ""), "remove(a)", "a r 0 9"),
    (("/nowhere", "/there"), "rename(a, b)", "a r 0 9, b r 0 7"),
    # the system
    (("", "", 'if (chdir("/")) abort();'), "AT(getcwd(a, 64), a)", "a w 0 2"),
    (("/dev/..", ""), "AT(realpath(a, b), b)", "a r 0 8, b w 0 2"),
    (("/", ""), "stat(a, (struct stat *)b)", "a r 0 2, b w 0 sizeof(struct stat)", CLEAR % STAT),
    (("/", ""), "lstat(a, (struct stat *)b)", "a r 0 2, b w 0 sizeof(struct stat)", CLEAR % STAT),
    (("", ""), "fstat(zero, (struct stat *)b)", "b w 0 sizeof(struct stat)", CLEAR % STAT),
    (("/tmp/race-XXXXXX", ""), "mkstemp(a) < 0 || unlink(a)", "a r 0 10, a w 10 16, a r 16 17", "memset(a, 0, 17)"),
    (("", ""), "pipe((int *)b)", "b w 0 8", CLEAR % 8),
    (("", ""), "getrusage(0, (struct rusage *)b)", "b w 0 sizeof(struct rusage)", CLEAR % "sizeof(struct rusage)"),
    (("", ""), "(long)getrandom(b, 7, 0)", "b w 0 7", CLEAR % 7),
    # time
    (("", ""), "(time((time_t *)c) == *(time_t *)c)", "c w 0 8", "memset(c, 0, 8)"),
    (("", ""), "gettimeofday((struct timeval *)c, 0) + (*(long *)c > 0)", "c w 0 16", "memset(c, 0, 16)"),
    (("", ""), "clock_gettime(CLOCK_REALTIME, (struct timespec *)c) + (*(long *)c > 0)", "c w 0 16", "memset(c, 0, 16)"),
    (("", ""), "timespec_get((struct timespec *)c, TIME_UTC) + (*(long *)c > 0)", "c w 0 16", "memset(c, 0, 16)"),
    (("", ""), "nanosleep((struct timespec *)c, NULL)", "c r 0 16"),
    (("", "", DAY), "AT(localtime_r((time_t *)c, (struct tm *)b), b)", "c r 0 8, b w 0 sizeof(struct tm)", CLEAR % TM),
    (("", "", DAY), "AT(gmtime_r((time_t *)c, (struct tm *)b), b) + ((struct tm *)b)->tm_mday", "c r 0 8, b w 0 sizeof(struct tm)", CLEAR % TM),
    (("%Y", ""), "(long)strftime(b, 20, a, (struct tm *)d)", "a r 0 3, d r 0 sizeof(struct tm), b w 0 5"),
    (("", "", DAY), "AT(ctime_r((time_t *)c, b), b)", "c r 0 8, b w 0 26"),
    (("", ""), "AT(asctime_r((struct tm *)d, b), b)", "d r 0 sizeof(struct tm), b w 0 26"),
    (("", ""), "mktime((struct tm *)d) < 0", "d w 0 sizeof(struct tm)", "memset(d, 0, %s)" % TM),
    (("", ""), "timegm((struct tm *)d) < 0", "d w 0 sizeof(struct tm)", "memset(d, 0, %s)" % TM),
    (("", "", DAY), "localtime((time_t *)c) != NULL", "c r 0 8"),
    (("", "", DAY), "gmtime((time_t *)c)->tm_mday", "c r 0 8"),
    (("", "", DAY), "ctime((time_t *)c) != NULL", "c r 0 8"),
    (("", ""), "asctime((struct tm *)d) != NULL", "d r 0 sizeof(struct tm)"),
    # the state that the caller has; the environment
    (("", ""), "rand_r((unsigned *)c)", "c w 0 4"),
    (("", ""), "(long)(1e6 * erand48((unsigned short *)c))", "c w 0 6"),
    (("", ""), "nrand48((unsigned short *)c)", "c w 0 6"),
    (("", ""), "jrand48((unsigned short *)c)", "c w 0 6"),
    (("", ""), "seed48((unsigned short *)c) != NULL", "c r 0 6"),
    (("", ""), "(lcong48((unsigned short *)c), 0)", "c r 0 14"),
    (("NAME", "v"), "setenv(a, b, 1)", "a r 0 5, b r 0 2"),
    (("NAME", ""), "getenv(a) != NULL", "a r 0 5"),
    (("NAME", ""), "secure_getenv(a) != NULL", "a r 0 5"),
    (("NAME", ""), "unsetenv(a)", "a r 0 5"),
    # numbers that come apart
    (("", ""), "(long)(100 * frexp(9.0, (int *)c))", "c w 0 4"),
    (("", ""), "(long)(100 * frexpf(9.0f, (int *)c))", "c w 0 4"),
    (("", ""), "(long)(100 * frexpl(9.0L, (int *)c))", "c w 0 4"),
    (("", ""), "(long)(100 * modf(9.25, (double *)c))", "c w 0 8"),
    (("", ""), "(long)(100 * modff(9.25f, (float *)c))", "c w 0 4"),
    (("", ""), "(long)(100 * modfl(9.25L, (long double *)c))", "c w 0 16"),
    (("", ""), "(long)(100 * remquo(9.25, 2, (int *)c))", "c w 0 4"),
    (("", ""), "(sincos(1, (double *)c, (double *)d), 0)", "c w 0 8, d w 0 8"),
    (("", ""), "(sincosf(1, (float *)c, (float *)d), 0)", "c w 0 4, d w 0 4"),
    # blocks of memory
    (("", ""), "posix_memalign((void **)c, 64, 9)", "c w 0 8", "*(char **)c = 0"),
    (("hello", ""), "strdup(a) != NULL", "a r 0 6"),
    (("hello", ""), "strndup(a, 3) != NULL", "a r 0 3"),
    # wide characters
    (("", "", 'wcscpy(W(a), L"hello");'), "AT(wmemcpy(W(b), W(a), 3), b)", "a r 0 12, b w 0 12"),
    (("", "", 'wcscpy(W(a), L"hello");'), "AT(wmemmove(W(b), W(a), 3), b)", "a r 0 12, b w 0 12"),
    (("", ""), "AT(wmemset(W(a), L'x', 3), a)", "a w 0 12"),
    (("", "", 'wcscpy(W(a), L"hello"), wcscpy(W(b), L"help");'), "wmemcmp(W(a), W(b), 3)", "a r 0 12, b r 0 12"),
    (("", "", 'wcscpy(W(a), L"hello");'), "(long)wcslen(W(a))", "a r 0 24"),
    (("", "", 'wcscpy(W(a), L"hello");'), "(long)wcsnlen(W(a), 3)", "a r 0 12"),
    (("", "", 'wcscpy(W(a), L"hello");'), "AT(wcscpy(W(b), W(a)), b)", "a r 0 24, b w 0 24"),
    (("", "", 'wcscpy(W(a), L"hello");'), "AT(wcsncpy(W(b), W(a), 8), b)", "a r 0 24, b w 0 32"),
    (("", "", 'wcscpy(W(a), L"hello"), wcscpy(W(b), L"xy");'), "AT(wcscat(W(b), W(a)), b)", "a r 0 24, b r 0 8, b w 8 32"),
    (("", "", 'wcscpy(W(a), L"hello"), wcscpy(W(b), L"xy");'), "AT(wcsncat(W(b), W(a), 3), b)", "a r 0 12, b r 0 8, b w 8 24"),
    (("", "", 'wcscpy(W(a), L"hello"), wcscpy(W(b), L"help");'), "wcscmp(W(a), W(b)) < 0", "a r 0 24, b r 0 20"),
    (("", "", 'wcscpy(W(a), L"hello"), wcscpy(W(b), L"help");'), "wcsncmp(W(a), W(b), 3)", "a r 0 12, b r 0 12"),
    (("", "", 'wcscpy(W(a), L"hello");'), "AT(wcschr(W(a), L'e'), a)", "a r 0 8"),
    (("", "", 'wcscpy(W(a), L"hello");'), "AT(wcschr(W(a), L'z'), a)", "a r 0 24"),
    (("", "", 'wcscpy(W(a), L"hello");'), "AT(wcsrchr(W(a), L'l'), a)", "a r 0 24"),
    (("", "", 'wcscpy(W(a), L"hello"), wcscpy(W(b), L"lo");'), "AT(wcsstr(W(a), W(b)), a)", "a r 0 24, b r 0 12"),
    (("", "", 'wcscpy(W(a), L"hello");'), "AT(wmemchr(W(a), L'e', 5), a)", "a r 0 8"),
    (("", "", 'wcscpy(W(a), L"hello");'), "AT(wmemchr(W(a), L'z', 3), a)", "a r 0 12"),
    (("", "", 'wcscpy(W(a), L"hello"), wcscpy(W(b), L"eh");'), "(long)wcsspn(W(a), W(b))", "a r 0 12, b r 0 12"),
    (("", "", 'wcscpy(W(a), L"hello"), wcscpy(W(b), L"l");'), "(long)wcscspn(W(a), W(b))", "a r 0 12, b r 0 8"),
    (("", "", 'wcscpy(W(a), L"hello"), wcscpy(W(b), L"l");'), "AT(wcspbrk(W(a), W(b)), a)", "a r 0 12, b r 0 8"),
    (("", "", 'wcscpy(W(a), L"x,y"), wcscpy(W(b), L",");'), "(wcstok(W(a), W(b), (wchar_t **)c), 0)", "b r 0 8, c w 0 8, a r 0 4, a w 4 8, a r 8 16", "KEEP_PLACE(c)"),
    (("", "", 'wcscpy(W(a), L"hello");'), "wcsdup(W(a)) != NULL", "a r 0 24"),
    (("", "", 'wcscpy(W(a), L"12 3");'), 'swscanf(W(a), L"%d", (int *)c)', "a r 0 20, c w 0 4"),
    (("", "", 'wcscpy(W(a), L"hello");'), "fputws(W(a), wide) >= 0", "a r 0 24"),
    (("", "", 'wcscpy(W(a), L"hello");'), 'fwprintf(wide, L"%ls", W(a))', "a r 0 24"),
    (("", "", 'piped("ab\\ncd");'), "AT(fgetws(W(b), 10, from), b)", "b w 0 16"),
    (("hello", ""), "(long)mbstowcs(W(b), a, 10)", "a r 0 6, b w 0 24"),
    (("hello", ""), "(long)mbstowcs(W(b), a, 3)", "a r 0 6, b w 0 12"),
    (("", "", 'wcscpy(W(a), L"hello");'), "(long)wcstombs(b, W(a), 10)", "a r 0 24, b w 0 6"),
    (("", "", 'wcscpy(W(a), L"hello");'), "(long)wcstombs(b, W(a), 3)", "a r 0 24, b w 0 3"),
    (("hello", ""), "mbtowc(W(b), a, 5)", "a r 0 1, b w 0 4"),
    (("", ""), "wctomb(b, L'x')", "b w 0 1"),
    # times, names, signals, expressions
    (("2001x", ""), 'AT(strptime(a, "%Y", (struct tm *)c), a)', "a r 0 5, c w 0 " + TM),
    (("", ""), "clock_getres(CLOCK_REALTIME, (struct timespec *)c)", "c w 0 16"),
    (("x/y", ""), "AT(basename(a), a)", "a w 0 4"),
    (("", ""), "sigaction(SIGUSR1, NULL, (struct sigaction *)b)", "b w 0 sizeof(struct sigaction)", CLEAR % "sizeof(struct sigaction)"),
    (("abc", "", 'regcomp(&expression, "b", 0);'), "regexec(&expression, a, 1, (regmatch_t *)c, 0)", "a r 0 4, c w 0 8"),
    (("abc", "", 'regcomp(&expression, "d", 0);'), "regexec(&expression, a, 1, (regmatch_t *)c, 0)", "a r 0 4, c - 0 8"),
]


def program():
    """Its text, and the pairs of lines that race: the call, and the use of a byte."""
    lines = START.splitlines()
    main, races = [], set()

    def add(line):
        lines.append(line)
        return len(lines)

    for n, ((a, b, *more), call, uses, *clean) in enumerate(ROWS):
        add("static _Alignas(16) char a%d[256], b%d[4200], c%d[64], d%d[64];" % (n, n, n, n))
        for name in "abcd":
            add("#undef " + name)
            add("#define %s %s%d" % (name, name, n))
        add("static long r%d;" % n)
        add("static void begin%d(void) { memset(c, 0, 64), memset(d, 0, 64); strcpy(a, \"%s\"), strcpy(b, \"%s\"); %s }" % (n, a, b, "".join(more)))
        at = add("cilk void call%d(void) { r%d = %s; }" % (n, n, call))
        for k, use in enumerate(uses.split(", ")):
            name, kind, start, end = use.split(" ", 3)
            looks, stores = "sum += %s[%s];", "%s[%s] = 1;"
            probes = [(place, looks if kind == "w" else stores) for place in (start, end + " - 1", end)]
            if re.search(r"\b%s [rw] %s\b" % (name, re.escape(end)), uses):
                probes.pop()                                # another use begins there
            if kind == "r":
                probes.append((end + " - 1", looks))
            for place, what in probes:
                probe = "use%d_%d_%d" % (n, k, len(lines))
                line = add("cilk void %s(void) { %s }" % (probe, what % (name, place)))
                if place != end and kind != "-" and (kind, what) != ("r", looks):
                    races.add((at, line))
                main.append("begin%d(); spawn call%d(); spawn %s(); sync;" % (n, n, probe))
        add("static void end%d(void) { %s; show(%d, r%d, a, b, c, d); }" % (n, "".join(clean), n, n))
        main.append("begin%d(); spawn call%d(); sync; end%d();" % (n, n, n))
    add("cilk int main(int argc, char **argv) {")
    add('out = fopen(argv[argc - 1], "w"), null = fopen("/dev/null", "w"), wide = fopen("/dev/null", "w"), from = fopen("/dev/null", "r");')
    add('zero = open("/dev/zero", O_RDONLY), nowhere = open("/dev/null", O_WRONLY);')
    lines.extend(main)
    add("fclose(out); return 0; }")
    return "\n".join(lines) + "\n", races


def test_calls_of_the_c_library_use_their_bytes_and_return_what_it_returns(tmp_path):
    text, races = program()
    path = tmp_path / "library.cilk"
    path.write_text(text)
    words = [CILKC, "race", "--json", "-O1", "-D_FORTIFY_SOURCE=2", "-w", path, "-lm", "--", tmp_path / "watched"]
    result = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=300)
    assert result.returncode == 1, result.stderr
    found = {tuple(sorted(a["line"] for a in row["accesses"])) for row in json.loads(result.stdout)["races"]}
    rows = text.splitlines()
    said = ["%s / %s" % (rows[a - 1], rows[b - 1]) for a, b in sorted(found ^ races)]
    assert not said, "\n".join(said)
    built = command([CILKC, "build", "-O0", "-w", path, "-lm", "-o", tmp_path / "plain"])
    assert built.status == 0, str(built)
    assert command([tmp_path / "plain", "--nproc", "1", tmp_path / "not"]).status == 0
    assert (tmp_path / "watched").read_text() == (tmp_path / "not").read_text()
