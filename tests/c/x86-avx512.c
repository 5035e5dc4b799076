/* FLAGS: -mavx512f -mavx512vl -mavx512bw -mavx512dq */
/* AVX-512: operations under masks, comparisons to masks, tables, ternary logic, compression, gathers and scatters. */
#include <immintrin.h>
#include <stdio.h>

static float f[64], out[64];
static int x[64];

static void floats(const char *what, __m512 v) {
  _mm512_storeu_ps(out + 1, v);
  printf("%s", what);
  for (int i = 1; i < 17; i++) printf(" %g", out[i]);
  puts("");
}
static void ints(const char *what, __m512i v) {
  int r[16];
  _mm512_storeu_si512(r, v);
  printf("%s", what);
  for (int i = 0; i < 16; i++) printf(" %x", r[i]);
  puts("");
}

/* All of it that is not a question to the processor: the flags allow such instructions anywhere. */
__attribute__((noinline)) static void run(void) {
  for (int n = 0; n < 64; n++) f[n] = n, x[n] = (n * 7) % 61;
  __m512 a = _mm512_loadu_ps(f + 1), b = _mm512_set1_ps(6);
  __m512i i = _mm512_loadu_si512(x + 1), j = _mm512_set1_epi32(20);
  __mmask16 k = _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ), m = _mm512_cmpgt_epu32_mask(i, j);
  printf("%x %x %x %x\n", k, m, _mm512_mask_cmpeq_epi32_mask(0xff, i, i), _mm512_test_epi32_mask(i, _mm512_set1_epi32(1)));
  floats("add", _mm512_mask_add_ps(b, k, a, a));
  floats("max", _mm512_maskz_max_ps(m, a, b));
  floats("fused", _mm512_mask3_fmadd_ps(a, b, b, k));
  ints("shift", _mm512_mask_slli_epi32(j, m, i, 3));
  ints("rotate", _mm512_ror_epi32(i, 5));
  ints("ternary", _mm512_ternarylogic_epi32(i, j, _mm512_set1_epi32(0xff0), 0x96));
  ints("tables", _mm512_permutex2var_epi32(i, _mm512_set1_epi32(17), j));
  ints("permuted", _mm512_maskz_permutexvar_epi32(0x7777, _mm512_sub_epi32(_mm512_set1_epi32(15), i), i));
  ints("aligned", _mm512_alignr_epi32(i, j, 3));
  ints("narrow", _mm512_zextsi256_si512(_mm512_cvtepi32_epi16(i)));
  ints("bytes", _mm512_mask_add_epi8(i, 0x123456789abcdef, i, j));
  floats("gather", _mm512_mask_i32gather_ps(b, 0xa5f0, i, f, 4));
  floats("compress", _mm512_maskz_compress_ps(0x8421, a));
  floats("expand", _mm512_mask_expand_ps(b, 0x00ff, a));
  floats("lanes", _mm512_shuffle_f32x4(a, b, 0x1b));
  _mm512_mask_storeu_ps(out, 0x0f0f, a);
  _mm512_i32scatter_ps(out, i, b, 4);
  for (int n = 0; n < 64; n += 3) printf("%g ", out[n]);
  printf("%g %d\n", _mm512_reduce_add_ps(a), _mm512_reduce_max_epi32(i));
  __m256i y = _mm256_maskz_mullo_epi32(0x5a, _mm512_castsi512_si256(i), _mm256_set1_epi32(7));
  ints("narrower", _mm512_zextsi256_si512(y));
  printf("%d %d\n", _kortestz_mask16_u8(k, m), _mm512_kunpackb(k, m));
}

int main(void) {
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) run();
  return 0;
}
