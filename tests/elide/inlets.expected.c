#include <stdio.h>

int f(int n) { return n; }
void v(int *p) { *p = 1; }

struct sums_s { long sum; int count; };

static void sums_add(struct sums_s *const s, int (*const cells)[4], int r, int k)
{
    static int calls;
    s->sum += r * k;         /* captured */
    s->count++;
    if (calls++ > 100)
        return;
    (*cells)[k & 3] = r;
}

static void sums_note(int *const hits) { (*hits)++; }

static void sums_add_2(int *const hits, int r) { *hits += r; }

/* The comment of the procedure stays with it. */
int sums(int n)
{
    struct sums_s s = { 0, 0 };
    int hits = 0;
    int cells[4] = { 0 }, i;


    for (i = 0; i < n; i++) {
        sums_add(&s, &cells, f(i), i);
        v(&cells[0]), sums_note(&hits);
    }
    ;
    {
        int hits = 5;
        sums_add_2(&hits, f(1));
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
