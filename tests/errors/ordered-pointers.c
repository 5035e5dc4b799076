// FLAGS: -std=c23
int ordered(int *p, void *q, typeof(nullptr) n) {
  int a = p < q;                                   // WARNING: compare-distinct-pointer-types
  int b = q >= p;                                  // WARNING: compare-distinct-pointer-types
  int c = p < (int *)q, d = p == q, e = (void *)p > q;
  int f = p < n;                                   // ERROR: bad-operands
  int g = n > nullptr;                             // ERROR: bad-operands
  int h = p == n;
  return a + b + c + d + e + f + g + h + 0x1'0 + 0x'10 + 0b1'1;  // ERROR: bad-number
}
