// A jump back past the declaration of an array of variable size gives its memory back, also beside an array that stays.
#include <stdio.h>
#include <string.h>

static int rounds(int n, int times)
{
    int kept[n];
    kept[n - 1] = 0;
again:;
    int each[n];
    memset(each, 1, sizeof each);
    kept[n - 1] += each[n / 2] & 1;
    if (--times)
        goto again;
    return kept[n - 1];
}

int main(void)
{
    printf("%d\n", rounds(10000, 2000));
    return 0;
}
