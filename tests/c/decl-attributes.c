// Attributes whose effect can be seen from inside the program.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int line, order, ctor_seen, early_seen;
#define CHECK(c) do { if (!(c) && !line) line = __LINE__; } while (0)
__attribute__((constructor(200))) static void early(void) { early_seen = ++order; }
__attribute__((constructor)) static void ctor(void) { ctor_seen = ++order; }
__attribute__((destructor)) static void dtor(void) { fflush(stdout); }
__attribute__((noinline, cold, used)) static int target_fn(int x) { return x + 1; }
int aliased(int) __attribute__((alias("alias_target"))); int alias_target(int x) { return x * 3; }
extern int missing(void) __attribute__((weak)); extern int missing_var __attribute__((weak));
__attribute__((weak)) int weak_def(void) { return 7; }
static int refd(int) __attribute__((weakref("alias_target")));
__attribute__((section("my_section"), used)) int in_section = 11; __attribute__((visibility("hidden"))) int hid = 12;
#pragma GCC visibility push(hidden)
int hid2 = 13;
#pragma GCC visibility pop
#pragma weak pragma_weak
extern int pragma_weak(void);
static int cleaned; static void clean(int *p) { cleaned += *p; }
static int with_cleanup(void) { int a __attribute__((cleanup(clean))) = 5; { __attribute__((cleanup(clean))) int b = 7; } for (int i = 0; i < 2; i++) { int c __attribute__((cleanup(clean))) = 1; if (i) break; } return cleaned; }
typedef union { int *ip; const char *cp; } tu __attribute__((transparent_union)); static int take(tu u) { return *u.ip; }
typedef union { long *lp; void *vp; } any __attribute__((transparent_union)); static int take_any(any u) { return *(int *)u.vp; }
__attribute__((format(printf, 1, 2), nonnull(1))) static int fmt(const char *f, ...) { return (int)strlen(f); }
__attribute__((malloc, alloc_size(1), warn_unused_result, returns_nonnull)) static void *mk(size_t n) { return malloc(n); }
__attribute__((const)) static int pure1(int x) { return x * x; } __attribute__((pure)) static int pure2(const int *x) { return *x; }
int unused_arg(int a __attribute__((unused)), int b) { return b; }
struct __attribute__((aligned(16))) al { char c; }; typedef short may __attribute__((__may_alias__));
[[gnu::noinline]] static int std_attr([[maybe_unused]] int x) { switch (x) { case 1: x++; __attribute__((fallthrough)); default: return x; } }
int common_var __attribute__((common)); int nocommon_var __attribute__((nocommon)) = 0; static __thread int tl __attribute__((tls_model("initial-exec"))) = 3;
int main(void) {
  CHECK(early_seen == 1 && ctor_seen == 2 && target_fn(1) == 2 && aliased(2) == 6 && refd(3) == 9);
  CHECK(!missing && !&missing_var && !pragma_weak && weak_def() == 7 && in_section == 11 && hid + hid2 == 25);
  CHECK(with_cleanup() == 9 && cleaned == 14);
  int v = 4; CHECK(take(&v) == 4 && take_any(&v) == 4 && fmt("%d", 1) == 2);
  void *m = mk(8); CHECK(m); free(m);
  CHECK(pure1(3) == 9 && pure2(&v) == 4 && unused_arg(1, 2) == 2 && _Alignof(struct al) == 16 && sizeof(struct al) == 16);
  int i = 0; *(may *)&i = 1; CHECK(i == 1 && std_attr(1) == 2 && common_var == 0 && nocommon_var == 0 && tl == 3);
  int al __attribute__((aligned(64))); CHECK((unsigned long)&al % 64 == 0);
  return line;
}
