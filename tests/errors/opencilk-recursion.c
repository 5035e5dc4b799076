// FLAGS: -fopencilk -Wall -Wextra
// Variables that the leaves of a recursion change, or functions that run in parallel with each other.
#include <cilk/cilk.h>
int count, row[100];

void base_case_first(int n)
{
    if (n == 0) {
        count++;
        return;
    }
    cilk_spawn base_case_first(n - 1);
    base_case_first(n - 1);                 // WARNING: 13:5 parallel-updates
    cilk_sync;
}

void add(void) { count += 1; }
void call_and_child(void)
{
    cilk_spawn add();
    add();                                  // WARNING: 21:5 parallel-updates
    cilk_sync;
    add();
}

void positive(int i)
{
    if (row[i] > 0)
        count++;                            // WARNING: 29:9 parallel-updates
}
void iterations(int n)
{
    cilk_for (int i = 0; i < n; i++)
        positive(i);
}

void columns(int n, int placed)
{
    if (placed == n) {
        count++;                            // WARNING: 40:9 parallel-updates
        return;
    }
    cilk_for (int i = 0; i < n; i++)
        columns(n, placed + 1);
}

void *pieces[9];
void fine(int n)
{
    if (n == 0) {
        add();
        return;
    }
    cilk_spawn fine(n - 1);
    cilk_sync;
    fine(n - 1);
    cilk_for (int i = 0; i < 9; i++)
        if (pieces[i])
            pieces[i] = 0;
}
