/* Access through pointers to typedefs of lesser alignment, and the unaligned loads and stores of the vector headers. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#ifdef __AVX__
#include <immintrin.h>
#elif defined __SSE2__
#include <emmintrin.h>
#endif

typedef int v4 __attribute__((vector_size(16)));
typedef v4 v4u __attribute__((aligned(1)));
typedef uint64_t u64u __attribute__((aligned(1)));
typedef struct { v4 a; int b; } wide;
typedef wide wideu __attribute__((aligned(4)));
typedef const v4u *cursor;

static char buf[256] __attribute__((aligned(64)));

__attribute__((noinline)) static v4 get(const void *p) { return *(const v4u *)p; }
__attribute__((noinline)) static v4 second(cursor p) { return p[1]; }
__attribute__((noinline)) static void put(v4u *p, v4 v) { *p += v; }
__attribute__((noinline)) static uint64_t word(const void *p) { return *(const u64u *)p; }
__attribute__((noinline)) static void copy(wideu *to, const wideu *from) { *to = *from; to->a += from->a; }

static void show(const char *what, const void *p, size_t n) {
  printf("%s", what);
  for (size_t i = 0; i < n; i++) printf(" %02x", ((const unsigned char *)p)[i]);
  puts("");
}

int main(void) {
  for (int i = 0; i < 256; i++) buf[i] = (char)(i * 7);
  v4 x = get(buf + 1);
  show("get", &x, sizeof x);
  x = second((cursor)(buf + 3));
  show("second", &x, sizeof x);
  put((v4u *)(buf + 37), x);
  show("put", buf + 37, 16);
  uint64_t w = word(buf + 5);
  show("word", &w, sizeof w);
  copy((wideu *)(buf + 68), (const wideu *)(buf + 132));
  show("copy", buf + 68, 24);
  v4u *p = (v4u *)(buf + 5);
  v4 *q = &x;
  const v4u *r = p;
  *q = *r;
  __typeof__(*p) y = *p++;
  show("typeof", &y, sizeof y);
  printf("%d %d\n", (int)((char *)p - buf), (int)_Alignof(v4u));
  _Alignas(int __attribute__((aligned(32)))) static char held[3];
  printf("%d %d\n", (int)_Alignof(int __attribute__((aligned(64)))), (int)((uintptr_t)held % 32));
  x = *(v4 __attribute__((aligned(1))) *)(buf + 21);
  show("cast", &x, sizeof x);
#ifdef __SSE2__
  __m128i i = _mm_loadu_si128((const __m128i *)(buf + 3));
  _mm_storeu_si128((__m128i *)(buf + 99), _mm_add_epi8(i, i));
  __m128 f = _mm_loadu_ps((const float *)(buf + 7));
  _mm_storeu_ps((float *)(buf + 117), f);
  _mm_storeu_pd((double *)(buf + 141), _mm_loadu_pd((const double *)(buf + 11)));
  show("vectors", buf + 96, 64);
#endif
#ifdef __AVX__
  _mm256_storeu_si256((__m256i *)(buf + 165), _mm256_loadu_si256((const __m256i *)(buf + 13)));
  show("wider", buf + 160, 48);
#endif
  return 0;
}
