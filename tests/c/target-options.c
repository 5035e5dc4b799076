// Functions for a better processor than the unit's: target(…), and #pragma GCC target with push_options and pop_options. They are not inlined into
// others, and are called only where the processor has what they need.
// FLAGS: -O2
#include <stdio.h>
#if defined __x86_64__
#include <immintrin.h>

static unsigned char data[200];

static int plain(const unsigned char *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }

__attribute__((target("avx2"))) static int wide(const unsigned char *p, int n) {
  __m256i sum = _mm256_setzero_si256();
  int i = 0, s = 0;
  for (; i + 32 <= n; i += 32) sum = _mm256_add_epi64(sum, _mm256_sad_epu8(_mm256_loadu_si256((const __m256i *)(p + i)), _mm256_setzero_si256()));
  long long part[4];
  _mm256_storeu_si256((__m256i *)part, _mm256_permute4x64_epi64(sum, 0x1b));
  for (int k = 0; k < 4; k++) s += (int)part[k];
  for (; i < n; i++) s += p[i];
  return s;
}

__attribute__((target("bmi2", "bmi,lzcnt"))) static unsigned long bits(unsigned long x) { return _pext_u64(x, 0xff00ff00ff00ff0ul) + _andn_u64(x, 7) + _lzcnt_u64(x); }

#pragma GCC push_options
#pragma GCC target("avx2,fma")
#pragma GCC target("sse4.2")
static double fused(const double *a, const double *b) {
  __m256d x = _mm256_fmadd_pd(_mm256_loadu_pd(a), _mm256_loadu_pd(b), _mm256_set1_pd(1));
  __m128d y = _mm_add_pd(_mm256_castpd256_pd128(x), _mm256_extractf128_pd(x, 1));
  return y[0] + y[1] + _mm_crc32_u8(1, 2) % 2;
}
#pragma GCC pop_options

int main(void) {
  for (int i = 0; i < 200; i++) data[i] = (unsigned char)(i * 37 + 5);
  int expected = plain(data + 1, 190), sum = expected;
  double a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8}, f = 74 + _mm_cvtsi128_si32(_mm_setzero_si128());
  unsigned long p = 0x1234;
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    sum = wide(data + 1, 190);
    f = fused(a, b);
  }
  if (__builtin_cpu_supports("bmi2")) p = bits(0x123456789abcdeful) ? 0x1234 : 0;
  printf("%d %d %lx\n", sum == expected, f >= 74 && f <= 75, p);
  return !(sum == expected);
}
#else
int main(void) { puts("1 1 1234"); return 0; }
#endif
