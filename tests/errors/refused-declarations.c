// Declarations that gcc refuses, and clang as far as it knows them.
int stars(x) int x[*]; { return 0; }                   // ERROR: array-star
int matrix(x) int x[][*]; { return 0; }                // ERROR: array-star
int *aligned(void) {
  int *p = &(_Alignas(1) int){0};                      // ERROR: bad-alignment
  return p ? &(_Alignas(16) int){0} : p;
}
int registers(int n) {
  register int wrong __asm__("nope");                  // ERROR: asm-label-local
  register int right __asm__("0") = n;
  return wrong + right;
}
int from_bit_fields(struct { unsigned narrow : 3; } *s) {
  __auto_type copy = s->narrow;                        // ERROR: bad-auto-type
  __auto_type sum = s->narrow + 0;
  return sum;
}
