/* What each return gives back may be made in the caller's memory. Nothing else may see that. */
#include <stdio.h>
typedef struct { long a[4]; } R;
static R held;
static R *kept;
static void shout(R *r) { r->a[0] = -1; }
__attribute__((noipa)) R twice(const R *from) {  /* `from` may be what the result is assigned to */
  R r = {{1, 2, 3, 4}};
  for (int i = 0; i < 4; i++) r.a[i] += from->a[3 - i];
  return r;
}
__attribute__((noipa)) R ofGlobal(void) {
  R r = {{0}};
  r.a[0] = held.a[1] + 1;
  r.a[1] = held.a[0] + 1;
  return r;
}
__attribute__((noipa)) R cleaned(int n) {
  __attribute__((cleanup(shout))) R r = {{n, n, n, n}};
  return r;
}
__attribute__((noipa)) R cleanedThroughPointer(int n) {
  R r = {{n, n, n, n}};
  __attribute__((cleanup(shout))) R alias = r;
  (void)alias;
  return r;
}
__attribute__((noipa)) R either(int n) {
  R r = {{n, 0, 0, 0}}, s = {{0, n, 0, 0}};
  if (n & 1) return r;
  return s;
}
__attribute__((noipa)) R itsTwice(int n) {
  R r = {{n, 1, 2, 3}};
  if (n & 1) return twice(&r);
  return r;
}
__attribute__((noipa)) R rounds(int n) {
  for (int i = 0;; i++) {
    R r = {{i}};
    r.a[1] += r.a[0];
    if (i == n) return r;
  }
}
__attribute__((noipa)) R deep(int n) {
  R r = {{n}};
  if (n) {
    R below = deep(n - 1);
    r.a[1] = below.a[0] + below.a[1];
  }
  return r;
}
__attribute__((noipa)) R escapes(void) {
  R r = {{5, 6, 7, 8}};
  kept = &r;
  kept->a[2]++;
  return r;
}
__attribute__((noipa)) R constant(void) {
  const R r = {{9, 8, 7, 6}};
  return r;
}
__attribute__((noipa)) R volatileOne(void) {
  volatile R r = {{1, 1, 2, 3}};
  return r;
}
__attribute__((noipa)) R parameter(R r) {
  r.a[3] = 44;
  return r;
}
__attribute__((noipa)) R nested(int n) {
  R r = {{n}};
  void inner(void) { r.a[1] = r.a[0] + 1; }
  inner();
  return r;
}
static void print(R r) { printf("%ld %ld %ld %ld\n", r.a[0], r.a[1], r.a[2], r.a[3]); }
int main(void) {
  R x = {{10, 20, 30, 40}}, many[3] = {{{1}}, {{2}}, {{3}}};
  x = twice(&x);
  print(x);
  held = twice(&held);
  held = ofGlobal();
  print(held);
  many[1] = twice(&many[1]);
  print(many[1]);
  print(cleaned(3)), print(cleanedThroughPointer(4)), print(either(5)), print(either(6)), print(itsTwice(5)), print(itsTwice(6)),
      print(rounds(7)), print(deep(8));
  print(escapes()), print(constant()), print(volatileOne()), print(parameter(x)), print(nested(3));
  print((x = twice(&x), x));
}
