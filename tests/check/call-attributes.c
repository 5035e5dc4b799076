// RUN: -O2 -c %s -o /dev/null
// STATUS: 1
// The attributes error and warning apply to the calls that are left after optimisation. The place is the user's call,
// also for calls in what is expanded there.
extern void never(void) __attribute__((error("this is never right")));
extern void rarely(int) __attribute__((warning("this is rarely right")));

static inline __attribute__((always_inline)) void choose(int n)
{
  if (n > 100) never();
  if (n < 0) rarely(n);
}
extern inline __attribute__((always_inline, gnu_inline)) int count(const char *text, ...)
{
  if (__builtin_va_arg_pack_len() > 2) never();
  return __builtin_va_arg_pack_len();
}

int good(void) { choose(7); return count("", 1, 2); }
void negative(void) { choose(-1); }
void large(void)
{
  choose(101);
}
int many(void)
{
  return 1 +
    count("", 1, 2, 3);
}
// CHECK: call-attributes.c:10:16: error: call of 'never', which is declared with the attribute error: this is never right [
// CHECK: call-attributes.c:11:14: warning: call of 'rarely', which is declared with the attribute warning: this is rarely right [
// CHECK: call-attributes.c:28:5: error: call of 'never'
// CHECK-NOT: :19:
