// The functions of <math.h> set errno, also where their value is unused.
#include <errno.h>
#include <math.h>
#include <stdio.h>
static const double two = __builtin_sqrt(4.0);
static volatile double minus = -1, large = 1e10;
static volatile float minusf = -2;
#define ERRNO(e) (errno = 0, (void)(e), errno)
int main(void) {
  printf("%d %d %d\n", ERRNO(sqrt(minus)) == EDOM, ERRNO(sqrtf(minusf)) == EDOM, ERRNO(sqrtl(minus)) == EDOM);
  printf("%d %d %d\n", ERRNO(log(minus)) == EDOM, ERRNO(pow(minus, 0.5)) == EDOM, ERRNO(exp(large)) == ERANGE);
  errno = 0;
  double r = sqrt(minus);
  printf("%d %d %g\n", errno == EDOM, r != r, two + sqrt(-minus));
  return errno != EDOM;
}
