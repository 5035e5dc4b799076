// C17 6.8.5p3: gcc and clang refuse what is no automatic object; clang takes tags.
int f(int x) {
  for (extern int y; x;) x--;                          // ERROR: for-declaration
  for (static int y = 0; x; y++) x--;                  // ERROR: for-declaration
  for (typedef int t; x;) x--;                         // ERROR: for-declaration
  for (int function(void); x;) x--;                    // ERROR: for-declaration
  for (struct t { int a; } y = {x}; y.a; y.a--) x--;   // WARNING: for-tag
  for (enum { Less = 1 } y = Less; x; x -= y) ;        // WARNING: for-tag
  for (register int y = x; y; y--) x--;
  return x;
}
