#include <cilk/cilk.h>
int a[300];
int main(int argc, char **argv) { cilk_for (int i = 10; i > 0; i -= 1) a[i / 2] = 1; return 0; }
