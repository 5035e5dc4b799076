// FLAGS: -std=c23 -pedantic
[[]];
[[maybe_unused]];
void f(void) {
  [[]];
  [[maybe_unused]];
}
int;                                        // WARNING: missing-declarator
const;                                      // WARNING: missing-declarator
