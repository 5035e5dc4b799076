/* goto in and out of blocks, computed goto, label differences in tables, case ranges, Duff's device, switch on wide types, dead code. */
static int fails;
#define CHECK(e) do { if (!(e)) fails += __LINE__; } while (0)
static int interp(const char *p) {
  static const void *const ops[] = { &&add, &&sub, &&twice, &&stop };
  static const int rel[] = { &&add - &&add, &&sub - &&add, &&twice - &&add, &&stop - &&add };
  int acc = 0, n = 0;
next:
  if (n++ & 1) goto *(&&add + rel[*p++ - 'a']);
  goto *ops[*p++ - 'a'];
add: acc += 3; goto next;
sub: acc -= 1; goto next;
twice: acc *= 2; goto next;
stop: return acc;
}
static int range(long x) {
  switch (x) {
    case 0 ... 9: return 1;
    case 10: case 11: return 2;
    case 1000 ... 100000: return 3;
    case -5 ... -1: return 4;
    case 0x7fffffffff: return 5;
    default: return 0;
  }
}
static void duff(char *to, const char *from, int count) {
  int n = (count + 7) / 8;
  switch (count % 8) { case 0: do { *to++ = *from++; case 7: *to++ = *from++; case 6: *to++ = *from++; case 5: *to++ = *from++;
    case 4: *to++ = *from++; case 3: *to++ = *from++; case 2: *to++ = *from++; case 1: *to++ = *from++; } while (--n > 0); }
}
static int into(int n) { int r = 0; if (n) goto inside; for (r = 10; r < 12; r++) { inside: r += 5; } return r; }
static unsigned uns(unsigned x) { switch (x) { case 0xffffffffu: return 1; case 0x80000000u ... 0x80000005u: return 2; } return 3; }
int undefined_function(void);
int main(void) {
  CHECK(interp("aacbd") == 11);
  CHECK(range(5) == 1 && range(11) == 2 && range(5000) == 3 && range(-3) == 4 && range(0x7fffffffffL) == 5 && range(12) == 0 && range(100001) == 0);
  char b[14]; duff(b, "hello, world!", 14); CHECK(b[0] == 'h' && b[12] == '!' && b[13] == 0);
  CHECK(into(0) == 16 && into(1) == 12 || into(1) > 0);
  CHECK(uns(~0u) == 1 && uns(0x80000003u) == 2 && uns(7) == 3);
  if (0) undefined_function();
  if (1) ; else undefined_function();
  while (0) undefined_function();
  int x = 0 && undefined_function(); x |= 1 || undefined_function(); CHECK(x == 1);
  int i; for (i = 0; ; i++) { if (i == 3) continue; switch (i) { case 5: break; default: continue; } break; } CHECK(i == 5);
  do { if (i) break; i++; } while (1);
  { goto out; int skipped = 5; out: skipped = 1; CHECK(skipped == 1); }
  switch (3) { int v; case 3: v = 4; CHECK(v == 4); }
  switch (1) { case 2 ... 1: fails++; }
  return fails ? 1 : 0;
}
