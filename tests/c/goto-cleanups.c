// A jump back runs the cleanup functions of what is declared after its label, in statement expressions, too.
#include <stdio.h>

static void leave(int *p) { printf("leave %d\n", *p); }

static int in_an_expression(int n)
{
    int result = ({
        int i = 0;
    again:;
        int x __attribute__((cleanup(leave))) = i;
        if (i++ < n)
            goto again;
        i;
    });
    return result;
}

static int out_of_an_expression(int n)
{
    int i = 0;
    for (;;) {
        int y __attribute__((cleanup(leave))) = 100 + i;
        int r = ({
            int k __attribute__((cleanup(leave))) = 200 + i;
            if (++i > n)
                goto out;
            k;
        });
        if (r > 205)
            break;
    }
out:
    return i;
}

static int beside_an_array(int n)
{
    int i = 0, v[n];
again:;
    int x __attribute__((cleanup(leave))) = 300 + i;
    v[i] = i;
    if (++i < n)
        goto again;
    return v[n - 1];
}

static int declared_by_the_label(int n)
{
    int i = 0;
again:
    if (0) {
    }
last:;
    int z __attribute__((cleanup(leave))) = 400 + i;
    if (i++ < n) {
        if (i % 2)
            goto last;
        goto again;
    }
    return i;
}

int main(void)
{
    printf("%d\n", in_an_expression(3));
    printf("%d\n", out_of_an_expression(3));
    printf("%d\n", beside_an_array(3));
    printf("%d\n", declared_by_the_label(4));
    return 0;
}
