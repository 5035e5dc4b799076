// GNU C: compound literals as initialisers of static objects.
#include <stdio.h>

struct pair {
  int a, b;
};
static int number = (int){5};
static const double fraction = (const double){2.5};
static int array[] = (int[]){1, 2, 3}, longer[] = (int[4]){1};
static char text[] = (char[]){"abc"};
static struct pair pair = (struct pair){1, 2};
static struct {
  struct pair p;
  int w[2];
  long n;
} nested = {(struct pair){3, 4}, (int[2]){5, 6}, (long){7}};
static int *pointer = (int *){&number};

int main(void) {
  static int local = (int){8};
  printf("%d %g %d %zu %s %d %d %d %ld %d %d\n", number, fraction, array[2], sizeof longer, text, pair.b, nested.p.a,
      nested.w[1], nested.n, *pointer, local);
  return 0;
}
