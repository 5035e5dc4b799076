// FLAGS: -std=c23 -pedantic
// Attributes that stand alone, in a declaration or a statement, are about nothing; those of a statement have no effect.
[[]];
[[maybe_unused]];                           // WARNING: ignored-attributes
void f(int x) {
  [[]];
  [[maybe_unused]];                         // WARNING: ignored-attributes
  [[gnu::unused]];                          // WARNING: ignored-attributes
  __attribute__((assume(x)));
  [[deprecated]] x = 1;                     // WARNING: ignored-attributes
  [[nodiscard]] { [[fallthrough]] x++; }    // WARNING: ignored-attributes // WARNING: ignored-attributes
  if (x) [[clang::musttail]] return;        // WARNING: ignored-attributes
  if (x) [[likely]] x = 2;                  // WARNING: attributes
  switch (x) {
    case 1: x++; [[fallthrough]];
    default: ;
  }
}
int;                                        // WARNING: missing-declarator
const;                                      // WARNING: missing-declarator
