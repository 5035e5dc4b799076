// C17 6.7.9, the example of DR 413: overriding one member of a struct value keeps the others. (gcc clears them, so this is not compared.)
struct t { int k, l; };
struct s { int i; struct t t; };
int main(void) {
  struct t x = { .l = 43, .k = 42 };
  struct s l = { 1, .t = x, .t.l = 41 };
  return !((l.t.k == 42 || l.t.k == 0) && l.t.l == 41 && l.i == 1);
}
