// Ways into a function of another file that spawns.
#include <stdio.h>
#include <stdlib.h>
int inside(int);
extern int (*pointer)(int);
void sorts(void);
int plain(int (*f)(int), int n);
static int compare(const void *a, const void *b) { return inside(*(const int *)a) - *(const int *)b; }
static int child(int n) { return plain(inside, n); }
int main(int argc, char **argv)
{
    int v[3] = {3, 1, 2}, x = 0;
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 0: x = inside(1); break;
    case 1: x = pointer(1); break;
    case 2: sorts(); break;
    case 3: qsort(v, 3, sizeof *v, compare); break;
    case 4: x = plain(inside, 0); break;
    case 5: x = cilk_spawn inside(1); break;
    case 6: x = cilk_spawn child(0); break;
    case 7: cilk_for (int i = 0; i < 3; i++) if (i == 1) plain(pointer, 1); break;
    case 8: x = cilk_spawn plain(inside, 0); break;
    case 9: cilk_scope { cilk_spawn sorts(); } break;
    }
    cilk_sync;
    printf("done %d\n", x);
    return 0;
}
