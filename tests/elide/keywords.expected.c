/* spawn, sync and cilk in a comment stay */
#include <stdio.h>
#define SPAWN   // macro bodies are elided, too
#define WAIT()  do { ; } while (0)
static const char *const words = "spawn sync cilk \" inlet";

int counter;
static int first(int n), second(int n);
int twice(int n)               /* implicit int */
{
    return 2 * n;
}

_BitInt(37) wide(_BitInt(37) n);
typeof(1L) same(long n);
typedef int (*procedure)(int);
struct table { int (*apply)(int); int sync_count; };

static int first(int n) { return n; }
static int second(int n)
{
    int x = 0, y;

    if (n < 0) { }
    else if (n > 1000)
        { }
    else
        { }
    x += SPAWN   first(n - 1);
    y =
        first(n);
    WAIT();
    if (1)
        counter++;
    return x + y;
}

int main(void)
{
    procedure p = second;
    struct table t = { first, 0 };
    int a, b, c;

    a = (*p)(3);
    b = t.apply(4);
    c = twice(5);
    ;
    printf("%d %d %d %s\n", a, b, c, words);
    return 0;
}
