/* Given to everybody. */
#include <stdio.h>
#include <stdlib.h>

static inline int wanted(int argc, char **argv)
{
    int n = 0;
    if (argc > 1)
        return atoi(argv[1]);
    return scanf("%d", &n) == 1 ? n : 0;
}
