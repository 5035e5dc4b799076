// A record that every return gives back is made where the caller wants it: nothing is copied, and its members are
// registers.
// RUN: emit --stage ir -O2 %s
// CHECK: @sums(
// CHECK-NOT: alloca
// CHECK-NOT: memcpy
typedef struct { long n, sum, squares; } S;
S sums(const int *a, long n) {
  S all = {0, 0, 0};
  for (long i = 0; i < n; i++) all.n++, all.sum += a[i], all.squares += (long)a[i] * a[i];
  return all;
}
