// Loops that spawn void functions: over lists, tables, strings; with counters, commas and nested calls; children that spawn on.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct job { int id, cost; long result; struct job *next; void (*run)(struct job *); };
static void spin(struct job *j) { long s = 0; for (int i = 0; i < j->cost; i++) s = (s * 3 + j->id) % 1009; j->result = s; }
static void split(struct job *j) {
    struct job l = *j, r = *j;
    if (j->cost < 20) { spin(j); return; }
    l.cost /= 2, r.cost -= l.cost;
    cilk_spawn split(&l);
    cilk_spawn split(&r);
    cilk_sync;
    j->result = l.result * 7 + r.result;
}
static void run_all(struct job *head) { for (struct job *j = head; j != NULL; j = j->next) cilk_spawn j->run(j); }
static void upper(char *s) { for (; *s; s++) if (*s >= 'a' && *s <= 'z') *s -= 32; }
static void rows(int n, int m, int a[n][m]) {
    for (int i = 0, k = n; i < n; i++, k--) {
        if (k % 5 == 0) continue;
        cilk_spawn { for (int j = 0; j < m; j++) a[i][j] = k * j; }
    }
    cilk_sync;
}
int main(void) {
    struct job jobs[20], *head = NULL;
    for (int i = 0; i < 20; i++) { jobs[i] = (struct job){i, 10 + i * 17 % 90, 0, head, i % 3 ? spin : split}; head = &jobs[i]; }
    run_all(head);
    long s = 0;
    for (int i = 0; i < 20; i++) s = s * 11 % 1000003 + jobs[i].result;
    char words[][8] = {"alpha", "beta", "gamma", "delta"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) cilk_spawn upper(words[i]);
    int a[12][6];
    memset(a, 0, sizeof a);
    rows(12, 6, a);
    cilk_sync;
    for (int i = 0; i < 12; i++) for (int j = 0; j < 6; j++) s = s * 3 % 1000003 + a[i][j];
    printf("%ld %s %s %s %s\n", s, words[0], words[1], words[2], words[3]);
    return 0;
}
