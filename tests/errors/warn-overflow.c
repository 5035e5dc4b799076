/* What does not fit: indices, strings, numbers. */
// FLAGS: -Wall
#include <string.h>
struct tail { int n; char text[1]; };
static int global[4];

int indices(void)
{
    int a[5] = {0}, *end = &a[5], sum = 0;
    a[5] = 1;                           // WARNING: 10:5 array-bounds
    sum += a[5];                        // WARNING: 11:12 array-bounds
    a[5]++;                             // WARNING: 12:5 array-bounds
    global[4] = 2;                      // WARNING: 13:5 array-bounds
    sum += (int)sizeof a[5];
    for (int *p = a; p != end; p++)
        sum += *p;
    return sum + a[4];
}

int strings(struct tail *t)
{
    char buffer[4], exact[5];
    strcpy(buffer, "four");             // WARNING: 23:5 stringop-overflow
    strcpy(exact, "four");
    strcpy(exact, "ends\0 here");
    memset(buffer, 0, 5);               // WARNING: 26:5 stringop-overflow
    memset(buffer, 0, sizeof buffer);
    memcpy(&exact, "four", 5);
    strcpy(t->text, "as long as it takes");
    return buffer[0] + exact[0];
}

int numbers(void)
{
    int big = 3000000000;               // WARNING: 35:15 overflow
    int bits = 0xffffffff, low = -2147483648;
    unsigned all = -1, u = 3000000000;
    return big + bits + low + (int)(all + u);
}
