/* alias, weak, section, constructor order, visibility, common, inline semantics, asm labels, thread-locals, ifunc, weakref, used. */
static int fails, order;
#define CHECK(e) do { if (!(e)) fails += __LINE__; } while (0)
static int c1, c2, c3; int destroyed;
__attribute__((constructor(200))) static void second(void) { c2 = ++order; } __attribute__((constructor(150))) static void first(void) { c1 = ++order; } __attribute__((constructor)) void third(void) { c3 = ++order; }
__attribute__((destructor)) static void bye(void) { destroyed = 1; }
int real(int x) { return x + 1; } extern int other(int) __attribute__((alias("real"))); static int hid(void) { return 5; } int pub(void) __attribute__((alias("hid")));
int data = 4; extern int data2 __attribute__((alias("data"))); __attribute__((weak)) int weakdef(void) { return 9; } extern int missing(void) __attribute__((weak)); extern int missingvar __attribute__((weak));
__attribute__((section(".mydata"))) int sec = 3; __attribute__((section(".mytext"))) int sect(void) { return 6; } __attribute__((visibility("hidden"))) int hidden = 8; int tentative; int tentative; static int st; static int st = 2;
int lab(void) __asm__("renamed_label"); int lab(void) { return 12; } extern int viaasm(void) __asm__("renamed_label"); int gvar __asm__("gvar_renamed") = 5;
__thread int tls = 3; static _Thread_local int tls2[4] = { 1, 2 }; extern __thread int tls3; __thread int tls3 = 7;
inline int inl(int x) { return x * 2; } extern inline int inl(int x); static inline int sinl(int x) { return x * 3; } extern inline __attribute__((gnu_inline)) int gi(int x) { return x * 4; } int gi(int x) { return x * 5; }
static int impl(void) { return 21; } static void *resolve(void) { return (void *)impl; } int ifn(void) __attribute__((ifunc("resolve"))); static int wref(int) __attribute__((weakref("real"))); static int wmiss(void) __attribute__((weakref("nowhere_at_all")));
static int wlate(int); static int wlate(int) __attribute__((weakref("real"))); static int wnone(void); static int wnone(void) __attribute__((weakref("nowhere_at_all")));
__attribute__((aligned(64))) char al[3]; __attribute__((used)) static int kept = 1; __attribute__((noinline, noclone)) static int ni(int x) { return x; } __attribute__((always_inline)) static inline int ai(int x) { return x + 1; }
__attribute__((const)) static int cst(int x) { return x * x; } __attribute__((pure)) static int pur(const int *p) { return *p; } __attribute__((noreturn)) static void never(void) { __builtin_exit(fails ? 1 : 0); } __attribute__((cold)) static void cold(void) { fails++; }
int main(void) {
  CHECK(c1 == 1 && c2 == 2 && c3 == 3); CHECK(other(3) == 4 && pub() == 5 && &data2 == &data && weakdef() == 9 && !missing && !&missingvar); CHECK(sec == 3 && sect() == 6 && hidden == 8 && tentative == 0 && st == 2);
  CHECK(lab() == 12 && viaasm() == 12 && gvar == 5); CHECK(tls++ == 3 && tls == 4 && tls2[1] == 2 && tls3 == 7); int *p = &tls; CHECK(*p == 4);
  CHECK(inl(4) == 8 && sinl(4) == 12 && gi(2) == 10 && ifn() == 21 && wref(1) == 2 && !wmiss && wlate(2) == 3 && !wnone); CHECK(((unsigned long)al & 63) == 0 && ni(3) == 3 && ai(1) == 2 && cst(5) == 25 && pur(&data) == 4); if (fails > 1000000) cold();
  never();
}
