// What other functions than its own does a continuation get past? Each case ends only when main's continuation is stolen while the child waits for it.
#include <stdio.h>
#include <stdlib.h>
#include "waits.h"
int flag;
static void set(void) { __atomic_store_n(&flag, 1, __ATOMIC_RELEASE); }
static void here(int n) { cilk_scope { cilk_spawn wait_for_flag(n); } }
static void nothing(int n) { if (n) cilk_spawn nothing(n - 1); cilk_sync; }
static int compare(const void *a, const void *b) { wait_for_flag(*(const int *)a); return *(const int *)a - *(const int *)b; }
static int compare_here(const void *a, const void *b) { here(*(const int *)a); return *(const int *)a - *(const int *)b; }
static void sorts(int n) { int v[2] = {n, n - 1}; qsort(v, 2, sizeof *v, n == 5 ? compare : compare_here); }
static void awaits(int n) { here(n); }
static int value(void) { set(); return 1; }
static int returns(void) { cilk_spawn wait_for_flag(5); return value(); }
static void deep(int n) { if (n == 0) through(here, 5); else through_spawning(deep, n - 1); }
int main(int argc, char **argv) {
    switch (atoi(argv[1])) {
    case 0: cilk_spawn wait_for_flag(5); break;
    case 1: cilk_spawn through(wait_for_flag, 5); break;
    case 2: cilk_spawn through(here, 5); break;
    case 3: cilk_spawn sorts(5); break;
    case 4: cilk_spawn sorts(6); break;
    case 5: cilk_spawn through_spawning(here, 5); break;
    case 6: cilk_spawn awaits(5); break;
    case 7: cilk_spawn { through(here, 5); } break;
    case 8: cilk_spawn deep(3); break;
    case 10: cilk_spawn wait_for_flag(5); nothing(3); break;      // the call waits for its own child alone
    case 11: argc > 1 ? cilk_spawn wait_for_flag(5) : set(); break;
    case 12: if (returns()) break; return 1;                      // the value comes before the join
    case 9: cilk_for (int i = 0; i < 2; i++) if (i) set(); else through(here, 5); break;
    }
    set();
    cilk_sync;
    printf("done\n");
    return 0;
}
