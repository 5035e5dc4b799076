/* index N: for each of the words, the positions where it occurs among N, in a hash table. Every list is in the order of
 * the text. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

#define BUCKETS 64
#define GRAIN 50

struct place {
    long word, position;
    struct place *next;
};

struct table {
    struct {
        struct place *first, *last;
    } bucket[BUCKETS];
};

/* A view without entries. */
static void clear(void *view)
{
    static const struct table none;
    *(struct table *)view = none;
}

/* Appends the lists of the view on the right to those on the left. */
static void append(void *left, void *right)
{
    struct table *l = left, *r = right;
    int b;
    for (b = 0; b < BUCKETS; b++) {
        if (r->bucket[b].first == NULL)
            continue;
        if (l->bucket[b].first == NULL)
            l->bucket[b] = r->bucket[b];
        else {
            l->bucket[b].last->next = r->bucket[b].first;
            l->bucket[b].last = r->bucket[b].last;
        }
    }
}

static struct table cilk_reducer(clear, append) places;

static void add(struct table *table, long word, long position)
{
    struct place *p = malloc(sizeof *p);
    int b = word % BUCKETS;
    if (p == NULL)
        abort();
    p->word = word;
    p->position = position;
    p->next = NULL;
    if (table->bucket[b].first == NULL)
        table->bucket[b].first = p;
    else
        table->bucket[b].last->next = p;
    table->bucket[b].last = p;
}

static long word_at(long i)
{
    unsigned x = (unsigned)i * 2654435761u + 1;
    int round;
    for (round = 0; round < 20; round++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    return x % 1000;
}

static void fill(long low, long high)
{
    long i, middle = low + (high - low) / 2;
    if (high - low <= GRAIN) {
        for (i = low; i < high; i++)
            add(&places, word_at(i), i);
        return;
    }
    cilk_spawn fill(low, middle);
    fill(middle, high);
    cilk_sync;
}

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 1000, sum = 0;
    int b;
    fill(0, n);
    for (b = 0; b < BUCKETS; b++)
        for (struct place *p = places.bucket[b].first; p != NULL; p = p->next)
            sum = (sum * 31 + p->word * 7 + p->position) % 1000003;
    printf("%ld\n", sum);
    return 0;
}
