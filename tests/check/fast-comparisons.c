// RUN: -O2 -ffast-math -S -emit-llvm %s -o -
// Comparisons, negations and calls have the licence of -ffast-math, too: what is true of numbers is known.
extern double cabs(_Complex double), creal(_Complex double), fabs(double);
extern _Complex double conj(_Complex double);

int equal(double x) { return x == x; }
int ordered(double x) { return x != x; }
int parts(_Complex double z) { return creal(conj(z)) == creal(z); }
int twice(_Complex double z) { return conj(conj(z)) == z; }
int real(double x) { return cabs(x) == fabs(x); }
int length(void) { return cabs(3 + 4i) == 5; }
int other_side(_Complex double z) { return cabs(-z) == cabs(z); }
// CHECK: @equal
// CHECK: ret i32 1
// CHECK: @ordered
// CHECK: ret i32 0
// CHECK: @parts
// CHECK: ret i32 1
// CHECK: @twice
// CHECK: ret i32 1
// CHECK: @real
// CHECK: ret i32 1
// CHECK: @length
// CHECK: ret i32 1
// CHECK: @other_side
// CHECK: ret i32 1
// CHECK-NOT: fcmp
