// Reducers in structures and arrays are initialised as their views are: braces, designators, whole values, strings.
#include <cilk/cilk.h>
#include <stdio.h>
#include <string.h>
typedef struct { int m[2][2]; } matrix;
static void none(void *v) { memset(v, 0, sizeof(matrix)); }
static void add(void *l, void *r) {
    for (int i = 0; i < 4; i++) ((matrix *)l)->m[i / 2][i % 2] += ((matrix *)r)->m[i / 2][i % 2];
}
typedef struct { int k; matrix m; char text[4]; } entry;
static void empty(void *v) { memset(v, 0, sizeof(entry)); }
static void join(void *l, void *r) { ((entry *)l)->k += ((entry *)r)->k; }
typedef matrix cilk_reducer(none, add) sum;
typedef entry cilk_reducer(empty, join) entries;
static sum alone = {{{1, 2}, {3, 4}}}, flat[2] = {1, 2, 3, 4, 5, 6, 7, 8};
static sum row[2] = {{{{1, 2}, {3, 4}}}, {{{5, 6}, {7, 8}}}};
static struct { int x; sum s; int y; } middle = {1, {{{2, 3}, {4, 5}}}, 6}, without = {1, 2, 3, 4, 5, 6};
static struct { int x; sum s; int y; } named = {.s.m[1][0] = 5, .y = 7, .s.m[0] = {[1] = 8}};
static entries one[] = {{1, {{{1, 2}, {3, 4}}}, "abc"}, [2].text = "xyz", [2].m.m[1] = {5, 6}};
static void show(matrix m) { printf("%d%d%d%d\n", m.m[0][0], m.m[0][1], m.m[1][0], m.m[1][1]); }
int main(void) {
    matrix value = {{{9, 8}, {7, 6}}};
    struct two { sum a; int z; } whole = {value, 3}, later = {.z = 4, .a = value};
    struct { char c; struct { sum in[2]; } k; } deep = {'c', {{{{{1, 2}}}, [1].m[1][0] = 7}}};
    sum local[] = {value, {{{1}}}, [3] = value, [2].m = {{4, 5}}};
    cilk_for (int i = 0; i < 100; i++) {
        row[i % 2].m[1][1] += i;
        middle.s.m[0][1]++;
        named.s.m[1][0]--;
        one[2].k += i;
        local[i % 4].m[0][0] += 2;
        deep.k.in[1].m[1][1] += i;
        later.a.m[1][0] += i;
    }
    show(alone), show(row[0]), show(row[1]), show(flat[0]), show(flat[1]);
    show(middle.s), show(without.s), show(named.s);
    show(whole.a), show(later.a), show(deep.k.in[0]), show(deep.k.in[1]), show(one[0].m), show(one[2].m);
    for (int i = 0; i < 4; i++) show(local[i]);
    printf("%d%d %d%d %d%d\n", middle.x, middle.y, without.x, without.y, named.x, named.y);
    printf("%d%d %c\n", whole.z, later.z, deep.c);
    printf("%d%s %d%s %zu\n", one[0].k, one[0].text, one[2].k, one[2].text, sizeof one / sizeof *one);
    return 0;
}
