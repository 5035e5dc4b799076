// FLAGS: -latomic
/* _Atomic objects of all kinds, __atomic_*, __sync_*, <stdatomic.h>. */
#include <stdatomic.h>
#include <stdbool.h>
static int fails;
#define CHECK(e) do { if (!(e)) fails += __LINE__; } while (0)
static _Atomic int ai = 5; static _Atomic(char *) ap; static _Atomic double ad = 1.5; static _Atomic _Bool ab; static atomic_ulong al; static _Atomic float af;
struct pair { int a, b; }; static _Atomic struct pair as; struct big { long v[5]; }; static _Atomic struct big abig;
static _Atomic _Complex float ac;
int main(void) {
  ai += 3; CHECK(ai == 8); CHECK(ai++ == 8 && ++ai == 10); ai <<= 2; CHECK(ai == 40); ai /= 3; CHECK(ai == 13); CHECK((ai = 7) == 7);
  char buf[8]; ap = buf; ap += 2; CHECK(ap == buf + 2); CHECK(ap-- == buf + 2); CHECK(ap == buf + 1);
  ad *= 4; CHECK(ad == 6); ad++; CHECK(ad == 7); af = 2; af -= 0.5f; CHECK(af == 1.5f);
  ab = 5; CHECK(ab); ab ^= 1; CHECK(!ab);
  struct pair p = { 1, 2 }; as = p; p.a = 0; p = as; CHECK(p.a == 1 && p.b == 2);
  struct big g = { { 1, 2, 3, 4, 5 } }; abig = g; g.v[4] = 0; g = abig; CHECK(g.v[4] == 5);
  ac = 1.0f + 2.0fi; ac *= 2; _Complex float c = ac; CHECK(__real__ c == 2 && __imag__ c == 4);
  CHECK(atomic_fetch_add(&al, 5) == 0 && atomic_load(&al) == 5); atomic_store_explicit(&al, 9, memory_order_release); CHECK(atomic_exchange(&al, 1) == 9);
  unsigned long e = 2; CHECK(!atomic_compare_exchange_strong(&al, &e, 3) && e == 1 && atomic_compare_exchange_weak(&al, &e, 3) == (al == 3));
  CHECK(atomic_fetch_or(&al, 4) == 3 && atomic_fetch_xor(&al, 1) == 7 && atomic_fetch_and(&al, 2) == 6 && atomic_fetch_sub(&al, 1) == 2);
  atomic_flag f = ATOMIC_FLAG_INIT; CHECK(!atomic_flag_test_and_set(&f) && atomic_flag_test_and_set(&f)); atomic_flag_clear(&f);
  int x = 3; CHECK(__sync_fetch_and_add(&x, 4) == 3 && __sync_add_and_fetch(&x, 1) == 8 && __sync_bool_compare_and_swap(&x, 8, 9) && __sync_val_compare_and_swap(&x, 1, 2) == 9);
  CHECK(__sync_lock_test_and_set(&x, 1) == 9); __sync_lock_release(&x); CHECK(x == 0); __sync_synchronize();
  CHECK(__atomic_nand_fetch(&x, 1, 5) == -1 && __atomic_fetch_nand(&x, 3, 0) == -1 && x == -4);
  short s = 1, s2 = 2, s3; __atomic_exchange(&s, &s2, &s3, 5); CHECK(s == 2 && s3 == 1); __atomic_load(&s, &s3, 2); CHECK(s3 == 2); __atomic_store(&s, &s3, 3);
  CHECK(__atomic_compare_exchange_n(&s, &s3, 8, 0, 5, 5) && s == 8);
  char *q = buf; CHECK(__atomic_fetch_add(&q, 3, 0) == buf && q == buf + 3); CHECK(__atomic_add_fetch(&q, 1, 0) == buf + 4);
  bool t = false; CHECK(!__atomic_test_and_set(&t, 5) && t); __atomic_clear(&t, 3); CHECK(!t);
  double d = 1, d2 = 2, d3; __atomic_exchange(&d, &d2, &d3, 5); CHECK(d == 2 && d3 == 1);
  CHECK(__atomic_always_lock_free(4, 0)); atomic_thread_fence(memory_order_seq_cst); atomic_signal_fence(memory_order_acquire);
  atomic_int *pi = (atomic_int *)&ai; CHECK(*pi == 7); *pi = 1; (*pi)++; CHECK(ai == 2);
  volatile _Atomic unsigned char vc = 255; vc++; CHECK(vc == 0); vc--; CHECK(vc == 255);
  return fails ? 1 : 0;
}
