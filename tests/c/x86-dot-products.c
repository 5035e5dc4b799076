// The dot products of AVX512-VNNI under each of their masks, against plain C; run where the processor has them. The modifier X of an asm operand.
#include <immintrin.h>
#include <stdio.h>
#include <string.h>
static unsigned char a[64];
static signed char b[64];
static int c[16], r[16];
__attribute__((target("avx512f,avx512vl,avx512vnni"))) static int vectors(void) {
  __m512i x = _mm512_loadu_si512(a), y = _mm512_loadu_si512(b), z = _mm512_loadu_si512(c);
  int bad = 0;
  _mm512_storeu_si512(r, _mm512_dpbusd_epi32(z, x, y));
  for (int i = 0; i < 16; i++) {
    int s = c[i];
    for (int k = 0; k < 4; k++) s += a[4 * i + k] * b[4 * i + k];
    bad += r[i] != s;
  }
  _mm512_storeu_si512(r, _mm512_mask_dpbusd_epi32(z, 0x00ff, x, y));
  for (int i = 8; i < 16; i++) bad += r[i] != c[i];
  _mm512_storeu_si512(r, _mm512_maskz_dpwssd_epi32(0xff00, z, x, y));
  for (int i = 0; i < 8; i++) bad += r[i] != 0;
  _mm256_storeu_si256((__m256i *)r, _mm256_dpwssds_epi32(_mm512_castsi512_si256(z), _mm512_castsi512_si256(x), _mm512_castsi512_si256(y)));
  for (int i = 0; i < 8; i++) {
    short p[2], q[2];
    memcpy(p, a + 4 * i, 4);
    memcpy(q, b + 4 * i, 4);
    bad += r[i] != c[i] + p[0] * q[0] + p[1] * q[1];
  }
  return bad;
}
int main(void) {
  for (int i = 0; i < 64; i++) a[i] = i * 7 % 100, b[i] = i * 5 % 90 - 45;
  for (int i = 0; i < 16; i++) c[i] = 1000 * i;
  int seven = 7, copy;
  __asm__("movl %X1, %0" : "=r"(copy) : "m"(seven));
  if (copy != 7) return 2;
  if (!__builtin_cpu_supports("avx512vnni") || !__builtin_cpu_supports("avx512vl")) return 0;
  return vectors() != 0;
}
