/* Elements beyond the end of an array, lengths in elements, strings without their end. */
// FLAGS: -Wall
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
int f(int), table[3][4];
char bytes[256];
int loops(void)
{
    int a[5], i;
    for (int k = 0; k <= 5; k++)
        a[k] = k;                       // WARNING: 12:9 array-bounds
    for (i = 0; i < 6; ++i) {
        int twice = 2 * i;
        a[i] += twice;                  // WARNING: array-bounds
    }
    for (i = 5; i >= 0; i--)
        f(a[i]);                        // WARNING: array-bounds
    for (i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            table[i][j] = 0;            // WARNING: array-bounds
    return *(a + 5) + a[0];             // WARNING: 22:12 array-bounds
}
int fine(int n)
{
    int a[5] = {0}, *last = 0, i;
    for (i = 0; i < 5; i++) a[i] = i;
    for (i = 0; i <= n; i++) a[i] = i;
    for (i = 1; i <= 5; i++) a[i - 1] = i;
    for (i = 0; i <= 5; i++) {
        if (i == 5) break;
        a[i] = i;
    }
    for (i = 0; i <= 5; i++) {
        a[i] = i;
        if (i == 4) break;
    }
    for (i = 0; i <= 5; i++) {
        if (i % 2) continue;
        a[i] = i;
    }
    for (i = 0; i <= 5; i++) {
        if (n-- == 0) exit(0);
        a[i] = i;
    }
    for (unsigned char c = 0; c <= 255; c++) bytes[c] = 0;
    for (i = 0; i <= 5; i++) a[i < 5 ? i : 0] = i < 5 ? a[i] : 0;
    for (i = 0; i <= 5; i++) if (i < 5) a[i]++;
    for (i = 0; i <= 5; i++) last = &a[i];
    for (i = 0; i <= 5; i++) for (int j = i; j < 5; j++) a[i] += j;
    for (i = 0; i <= 5; i++) { i++; a[i] = 0; }
    for (i = 5; i < 5; i++) a[i] = 0;
    return last - (a + 5) + *(a + 4) + sizeof a[9];
}
void lengths(char *p, char *s)
{
    int a[4];
    char b[4];
    memset(a, 0, 4);                    // WARNING: 59:18 memset-elt-size
    memset(b, 0, 4);
    memset(a, 0, sizeof a);
    f(a[3] + b[0]);
    if (*s) free(p + 1);                // WARNING: 63:13 free-nonheap-object
    else if (s[1]) free(&p[2]);         // WARNING: free-nonheap-object
    else free(p - 1);
}
int cut(const char *s)
{
    char b[4], c[4], d[4], e[4] = "";
    strncpy(b, s, sizeof b);            // WARNING: 70:5 stringop-truncation
    strncpy(c, s, sizeof c);
    c[3] = '\0';
    strncpy(d, s, 4);
    strncpy(e, s, 3);
    fwrite(d, 1, 4, stdout);
    return (int)(strlen(b) + strlen(c) + strlen(e));
}
