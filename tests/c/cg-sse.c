/* SSE2 to SSE4.2 through the vector headers: arithmetic, shuffles, shifts, comparisons, conversions, loads and stores, saturation. */
// FLAGS: -msse4.2
#ifdef __x86_64__
#include <immintrin.h>
#include <string.h>
static int fails;
#define CHECK(e) do { if (!(e)) fails++; } while (0)
static int at(__m128i v, int i) { int a[4]; _mm_storeu_si128((__m128i *)a, v); return a[i]; }
static float fat(__m128 v, int i) { float a[4]; _mm_storeu_ps(a, v); return a[i]; }
static double dat(__m128d v, int i) { double a[2]; _mm_storeu_pd(a, v); return a[i]; }
int main(void) {
  __m128i a = _mm_setr_epi32(1, 2, 3, 4), b = _mm_set1_epi32(10), z = _mm_setzero_si128();
  CHECK(at(_mm_add_epi32(a, b), 3) == 14 && at(_mm_sub_epi32(b, a), 0) == 9 && at(_mm_mullo_epi32(a, b), 2) == 30 && at(_mm_slli_epi32(a, 3), 1) == 16 && at(_mm_srai_epi32(_mm_sub_epi32(z, b), 1), 0) == -5);
  CHECK(at(_mm_shuffle_epi32(a, _MM_SHUFFLE(0, 1, 2, 3)), 0) == 4 && at(_mm_unpacklo_epi32(a, b), 1) == 10 && at(_mm_unpackhi_epi64(a, b), 0) == 3 && at(_mm_slli_si128(a, 4), 1) == 1 && at(_mm_srli_si128(a, 8), 0) == 3 && at(_mm_alignr_epi8(b, a, 12), 0) == 4 && at(_mm_alignr_epi8(b, a, 20), 3) == 0);
  CHECK(_mm_movemask_epi8(_mm_cmpeq_epi32(a, _mm_setr_epi32(1, 0, 3, 0))) == 0x0f0f && at(_mm_cmpgt_epi32(a, _mm_set1_epi32(2)), 3) == -1 && at(_mm_and_si128(a, _mm_set1_epi32(2)), 1) == 2 && at(_mm_andnot_si128(a, b), 1) == 8 && at(_mm_xor_si128(a, a), 2) == 0);
  CHECK(_mm_extract_epi16(_mm_adds_epi16(_mm_set1_epi16(32000), _mm_set1_epi16(1000)), 0) == 32767 && _mm_extract_epi16(_mm_mulhi_epi16(_mm_set1_epi16(1000), _mm_set1_epi16(1000)), 1) == 15 && at(_mm_madd_epi16(_mm_set1_epi16(3), _mm_set1_epi16(4)), 0) == 24 && at(_mm_sad_epu8(_mm_set1_epi8(5), _mm_set1_epi8(2)), 0) == 24);
  CHECK((_mm_extract_epi8(_mm_packus_epi16(_mm_set1_epi16(300), z), 0) & 255) == 255 && _mm_extract_epi32(a, 2) == 3 && at(_mm_insert_epi32(a, 9, 1), 1) == 9 && _mm_cvtsi128_si32(_mm_cvtsi32_si128(7)) == 7 && at(_mm_max_epi32(a, _mm_set1_epi32(2)), 0) == 2 && at(_mm_abs_epi32(_mm_set1_epi32(-4)), 0) == 4);
  char bytes[16] = "0123456789abcdef"; __m128i s = _mm_loadu_si128((__m128i *)bytes); __m128i rev = _mm_shuffle_epi8(s, _mm_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)); char out[16]; _mm_storeu_si128((__m128i *)out, rev); CHECK(out[0] == 'f' && out[15] == '0'); CHECK(_mm_testz_si128(a, z) && at(_mm_cvtepi8_epi32(_mm_set1_epi8(-3)), 1) == -3 && at(_mm_cvtepu8_epi32(_mm_set1_epi8(-3)), 1) == 253);
  __m128 f = _mm_setr_ps(1, 2, 3, 4), g = _mm_set1_ps(2); CHECK(fat(_mm_mul_ps(f, g), 3) == 8 && fat(_mm_add_ss(f, g), 0) == 3 && fat(_mm_add_ss(f, g), 1) == 2 && fat(_mm_sqrt_ps(_mm_set1_ps(9)), 2) == 3 && fat(_mm_shuffle_ps(f, g, _MM_SHUFFLE(1, 0, 3, 2)), 0) == 3 && _mm_movemask_ps(_mm_cmplt_ps(f, _mm_set1_ps(2.5f))) == 3 && fat(_mm_movehl_ps(f, g), 0) == 2 && fat(_mm_unpacklo_ps(f, g), 1) == 2 && fat(_mm_max_ps(f, g), 0) == 2);
  CHECK(_mm_cvtss_f32(_mm_hadd_ps(f, f)) == 3 && fat(_mm_blend_ps(f, g, 8), 3) == 2 && fat(_mm_floor_ps(_mm_set1_ps(-1.5f)), 0) == -2 && fat(_mm_dp_ps(f, f, 0xff), 0) == 30 && _mm_comilt_ss(f, g) && at(_mm_cvttps_epi32(_mm_set1_ps(3.9f)), 0) == 3 && fat(_mm_cvtepi32_ps(a), 3) == 4 && _mm_cvttss_si32(f) == 1 && fat(_mm_and_ps(f, f), 2) == 3);
  __m128d d = _mm_setr_pd(1.5, 2.5); CHECK(dat(_mm_add_pd(d, d), 1) == 5 && dat(_mm_unpackhi_pd(d, d), 0) == 2.5 && dat(_mm_shuffle_pd(d, d, 1), 0) == 2.5 && dat(_mm_cvtps_pd(f), 1) == 2 && dat(_mm_sqrt_sd(d, _mm_set1_pd(16)), 0) == 4 && dat(_mm_cvtsi32_sd(d, 7), 0) == 7 && dat(_mm_loadh_pd(d, &(double) { 8 }), 1) == 8 && _mm_cvttsd_si64(d) == 1 && dat(_mm_cmpge_sd(d, d), 0) != dat(d, 0) && dat(_mm_min_pd(d, _mm_set1_pd(2)), 1) == 2);
  CHECK(_mm_crc32_u32(0, 1) == 0xdd45aab8u && _mm_popcnt_u32(255) == 8 && _mm_cmpistri(s, s, 0) >= 0); _mm_mfence(); _mm_pause(); _mm_prefetch(bytes, _MM_HINT_T0); unsigned mx = _mm_getcsr(); _mm_setcsr(mx); CHECK(__rdtsc() != 0); int al[4] __attribute__((aligned(16))); _mm_stream_si128((__m128i *)al, a); _mm_sfence(); CHECK(al[3] == 4);
  return fails ? 1 : 0;
}
#else
int main(void) { return 0; }
#endif
