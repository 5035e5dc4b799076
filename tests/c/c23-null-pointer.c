// FLAGS: -std=c23
// nullptr has a type of its own, which converts to any pointer and to bool, and has one value.
#include <stddef.h>
#include <stdarg.h>
#define KIND(e) _Generic((e), void *: 1, nullptr_t: 2, int *: 3, char *: 4, int: 5, default: 9)
static_assert(KIND(nullptr) == 2 && KIND((void *)0) == 1 && KIND(0) == 5 && sizeof(nullptr) == sizeof(void *) && alignof(nullptr_t) == alignof(void *));
static_assert(_Generic((nullptr_t *)0, void **: 1, nullptr_t *: 2) == 2);
static int null(int *p) { return p == nullptr; }
static nullptr_t nothing(int *calls) { ++*calls; return nullptr; }
static void *last(int n, ...) {
  va_list ap;
  va_start(ap, n);
  void *p = va_arg(ap, void *);
  va_end(ap);
  return p;
}
union bits {
  nullptr_t null;
  unsigned long value;
};
// Whatever is in its bytes: the type has one value.
static int null_in_a_union(union bits u) {
  void *p = u.null;
  return !u.null && !p && u.null == nullptr;
}
int main(void) {
  nullptr_t n = nullptr, m = {};
  typeof(nullptr) same = n;
  int x = 1, *p = &x, calls = 0;
  char *s = x ? "text" : nullptr;
  static_assert(KIND(x ? p : nullptr) == 3 && KIND(x ? nullptr : nullptr) == 2 && KIND(x ? n : "a") == 4);
  bool b = n, c = nullptr;
  void (*f)(void) = nullptr, (*g)(void) = n;
  if (!null(nullptr) || !null(n) || null(p) || b || c || f || g || n || m || same != nullptr || !(n == m) || p == nullptr || nullptr == s) return 1;
  p = nothing(&calls);
  if (p || calls != 1 || p != n || last(1, nullptr)) return 2;
  p = (int *)n;
  if (p || (bool)nullptr || (nullptr_t)nullptr != n || (nullptr_t)0 != n) return 3;
  if (!null_in_a_union((union bits){.value = 0x1234})) return 4;
  return x ? 0 : 1;
}
