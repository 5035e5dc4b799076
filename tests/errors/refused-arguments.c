// Arguments that the builtins of gcc and clang refuse.
int compares(int a, double b) {
  return __builtin_isless(a, a)                        // ERROR: builtin-argument
         + __builtin_isunordered(1, 2u)                // ERROR: builtin-argument
         + __builtin_isless(a, b) + __builtin_isunordered(b, a);
}
void overflow(_Atomic int *a, int *b) {
  __builtin_add_overflow(1, 2, a);                     // ERROR: builtin-argument
  __builtin_add_overflow(1, 2, b);
}
void *callers(void) {
  if (__builtin_return_address(-1)) return 0;          // ERROR: builtin-argument
  return __builtin_frame_address(65536);               // ERROR: builtin-argument
}
void *caller(void) { return __builtin_return_address(0); }
