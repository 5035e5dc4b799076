// FLAGS: --gnu
#include <stdio.h>

int f(int n) { return n; }
void v(int *p) { *p = 1; }

/* The comment of the procedure stays with it. */
int sums(int n)
{
    struct { long sum; int count; } s = { 0, 0 };
    register int hits = 0;
    int cells[4] = { 0 }, i;

    void add(int r, int k)
    {
        static int calls;
        s.sum += r * k;         /* captured */
        s.count++;
        if (calls++ > 100)
            return;
        cells[k & 3] = r;
    }
    void note(void) { hits++; }

    for (i = 0; i < n; i++) {
        add(f(i), i);
        v(&cells[0]), note();
    }
    ;
    {
        int hits = 5;
        void add(int r) { hits += r; }
        add(f(1));
        ;
        s.count += hits;
    }
    return s.sum + s.count + hits + cells[1];
}

int main(void)
{
    int x;
    x = sums(10);
    ;
    printf("%d\n", x);
    return 0;
}
