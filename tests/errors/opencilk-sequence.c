// FLAGS: -fopencilk -Wsequence-point
// The parent evaluates receiver and arguments in any order, as C does without the spawn.
int f(int), g(int, int);
void place(int *v, int i) {
    v[i++] = cilk_spawn f(i);               // WARNING: sequence-point
    cilk_spawn g(i, i++);                   // WARNING: sequence-point
    v[i] = cilk_spawn f(i);
    i = cilk_spawn f(i++);
    cilk_sync;
}
