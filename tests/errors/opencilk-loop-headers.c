// FLAGS: -fopencilk
// Headers of cilk_for whose elision is no C, or never ends.
extern int outside;
void variables(int *a)
{
    cilk_for (const int i = 0; i < 9; i++) a[i] = 0;            // ERROR: 6:25 cilk-for-form
    cilk_for (volatile int i = 0; i < 9; i++) a[i] = 0;         // ERROR: 7:28 cilk-for-form
    cilk_for (extern int outside; outside < 9; outside++) ;     // ERROR: for-declaration // WARNING: empty-body
    cilk_for (static int i = 0; i < 9; i++) a[i] = 0;           // ERROR: for-declaration
    cilk_for (const int *p = a; p < a + 9; p++) a[p - a] = 0;
}
