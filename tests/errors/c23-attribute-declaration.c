// FLAGS: -std=c23 -pedantic
// Attributes that stand alone, in a declaration or a statement, are about nothing.
[[]];
[[maybe_unused]];                           // WARNING: ignored-attributes
void f(int x) {
  [[]];
  [[maybe_unused]];                         // WARNING: ignored-attributes
  [[gnu::unused]];                          // WARNING: ignored-attributes
  __attribute__((assume(x)));
  switch (x) {
    case 1: x++; [[fallthrough]];
    default: ;
  }
}
int;                                        // WARNING: missing-declarator
const;                                      // WARNING: missing-declarator
