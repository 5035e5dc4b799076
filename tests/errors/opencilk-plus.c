// FLAGS: -fopencilk
// Cilk Plus' array notation, which OpenCilk has not.
int __sec_reduce_add(int), first, second[10];
void sections(int *a, int *b, int n) {
    a[0:n] = b[0:n];                        // ERROR: foreign-word
    second[:] = first;                      // ERROR: foreign-word
    if (a[1 : n : 2]) first = 1;            // ERROR: foreign-word
    first = a[n ? first : 0];
}
