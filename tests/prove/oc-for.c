#include <cilk/cilk.h>
int a[100], s;
int main(void) { cilk_for (int i = 0; i < 100; i++) s += a[i]; return s; }
