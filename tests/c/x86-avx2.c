/* FLAGS: -mavx2 -mfma -mf16c -mbmi2 */
/* AVX2 and its companions through <immintrin.h>: lanes, gathers, halves, fused arithmetic, unaligned access. */
#include <immintrin.h>
#include <stdio.h>

static float f[64];
static double d[64];
static int x[64];
static long long q[64];

static void floats(const char *what, __m256 v) {
  float r[8];
  _mm256_storeu_ps(r, v);
  printf("%s", what);
  for (int i = 0; i < 8; i++) printf(" %g", r[i]);
  puts("");
}
static void ints(const char *what, __m256i v) {
  int r[8];
  _mm256_storeu_si256((__m256i *)r, v);
  printf("%s", what);
  for (int i = 0; i < 8; i++) printf(" %x", r[i]);
  puts("");
}

/* All of it that is not a question to the processor: the flags allow such instructions anywhere. */
__attribute__((noinline)) static void run(void) {
  for (int n = 0; n < 64; n++) f[n] = n, d[n] = n * 2, x[n] = n * 3, q[n] = n * 4;
  __m256 a = _mm256_loadu_ps(f + 1), b = _mm256_loadu_ps(f + 17);
  __m256i i = _mm256_setr_epi32(1, 5, 9, 2, 4, 8, 16, 33), j = _mm256_loadu_si256((const __m256i *)(x + 3));
  floats("halves", _mm256_permute2f128_ps(a, b, 0x21));
  floats("zeroed half", _mm256_permute2f128_ps(a, b, 0x83));
  ints("integers", _mm256_permute2x128_si256(i, j, 0x13));
  floats("gather", _mm256_i32gather_ps(f, i, 4));
  floats("gather some", _mm256_mask_i32gather_ps(b, f, i, _mm256_castsi256_ps(_mm256_setr_epi32(-1, 0, -1, 0, -1, -1, 0, 0)), 4));
  ints("gather ints", _mm256_i32gather_epi32(x, i, 4));
  ints("gather longs", _mm256_i64gather_epi64(q, _mm256_setr_epi64x(3, 9, 27, 60), 8));
  floats("gather doubles", _mm256_castpd_ps(_mm256_i32gather_pd(d, _mm_setr_epi32(7, 3, 20, 40), 8)));
  floats("fused", _mm256_fnmadd_ps(a, b, _mm256_fmaddsub_ps(a, a, b)));
  floats("half floats", _mm256_cvtph_ps(_mm256_cvtps_ph(a, 0)));
  ints("bytes", _mm256_alignr_epi8(i, j, 5));
  ints("shuffled", _mm256_shuffle_epi8(j, _mm256_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, -1, 9, 8, 11, 10, 12, 0, 1, 3, 2, 1, 0, 7, 6, 5, 4, -1, 9, 8, 11, 10, 12, 0, 1)));
  ints("across", _mm256_permutevar8x32_epi32(j, i));
  floats("blend", _mm256_blendv_ps(a, b, _mm256_sub_ps(a, _mm256_set1_ps(4))));
  ints("packed", _mm256_packus_epi32(j, i));
  printf("%d %x %x\n", _mm256_movemask_epi8(_mm256_cmpgt_epi32(j, i)), _pext_u32(0xabcdef, 0xf0f0f), _pdep_u32(0x5a5, 0x0ff0ff));
}

int main(void) {
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) run();
  return 0;
}
