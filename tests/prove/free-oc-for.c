#include <cilk/cilk.h>
int a[100];
int main(void) { cilk_for (int i = 0; i < 100; i++) a[i] = i; return a[3]; }
