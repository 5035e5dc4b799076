/* Vector types: arithmetic, comparisons, scalars mixed in, shifts, element access, shuffles, conversion, parameters and results, initialisers. */
typedef int v4 __attribute__((vector_size(16))); typedef float f4 __attribute__((vector_size(16))); typedef double d2 __attribute__((vector_size(16))); typedef unsigned char b16 __attribute__((vector_size(16)));
typedef short s4 __attribute__((vector_size(8))); typedef int v8 __attribute__((vector_size(32))); typedef long l2 __attribute__((vector_size(16)));
static int fails;
#define CHECK(e) do { if (!(e)) fails += __LINE__; } while (0)
static v4 g = { 1, 2, 3, 4 }; static f4 gf[2] = { { 1, 2 }, { 3 } };
static v4 add(v4 a, v4 b) { return a + b * 2; } static v8 wide(v8 a) { return -a; } static s4 small(s4 a) { return a << 1; } static int sum(v4 v) { int s = 0; for (int i = 0; i < 4; i++) s += v[i]; return s; }
int main(void) {
  v4 a = { 10, 20, 30, 40 }, b = add(a, g); CHECK(b[0] == 12 && b[3] == 48); CHECK(sum(b) == 120); b[2] = 7; CHECK(b[2] == 7 && b[1] == 24); b += 1; CHECK(b[0] == 13); b = 100 - b; CHECK(b[0] == 87);
  v4 m = a > 20; CHECK(m[0] == 0 && m[2] == -1); m = (a == g * 10) & g; CHECK(sum(m) == 10); m = ~g; CHECK(m[0] == -2); m = a >> 1; CHECK(m[3] == 20); m = a % 7; CHECK(m[1] == 6); m = a << g; CHECK(m[1] == 80);
  f4 f = gf[0] * 2.0f + gf[1]; CHECK(f[0] == 5 && f[1] == 4 && f[2] == 0); d2 d = { 1.5, -2 }; d = -d / 2; CHECK(d[1] == 1 && d[0] == -0.75);
  v8 w = { 1, 2, 3, 4, 5, 6, 7, 8 }; w = wide(w); CHECK(w[7] == -8); s4 s = { 1, 2, 3, 4 }; s = small(s); CHECK(s[3] == 8);
  CHECK(__builtin_shuffle(a, (v4) { 3, 2, 1, 0 })[0] == 40); CHECK(__builtin_shuffle(a, g, (v4) { 0, 4, 1, 5 })[1] == 1); v4 idx = { 1, 1, 2, 6 }; CHECK(__builtin_shuffle(a, idx)[3] == 30);
  f4 cv = __builtin_convertvector(a, f4); CHECK(cv[3] == 40); v4 bits = (v4) gf[0]; CHECK(bits[0] == 0x3f800000); b16 by = (b16) g; CHECK(by[4] == 2); l2 l = { 1, 2 }; l *= l; CHECK(l[1] == 4);
  v4 *p = &a; (*p)[1]++; CHECK(a[1] == 21); int k = 2; CHECK(a[k] == 30 && (a + g)[k] == 33); v4 arr[2] = { { 1 }, { 2, 3 } }; CHECK(arr[1][1] == 3 && sizeof arr == 32);
  struct { int n; v4 v; } st = { 5, { 6, 7 } }; CHECK(st.v[1] == 7); v4 z = {}; CHECK(sum(z) == 0); a = z; CHECK(sum(a) == 0); CHECK(__alignof__(v4) == 16);
  return fails ? 1 : 0;
}
