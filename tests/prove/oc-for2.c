#include <cilk/cilk.h>
int a[200];
#pragma cilk grainsize 1
int main(int argc, char **argv) {
#pragma cilk grainsize 1
 cilk_for (int i = 0; i < 100; i++) a[i] = a[i + argc]; return 0; }
