// AST
struct record { int first; int second[5]; };
unsigned long sizes(int n) {
  int vla[n];
  return sizeof n + sizeof(struct record) + sizeof vla + _Alignof(double) + __alignof__(n) + __builtin_offsetof(struct record, second[2]);
}
int generic(long x) { return _Generic(x, int: 1, long: 2, default: 3); }
struct record *literal(void) { return &(struct record){ 1, { 2, 3 } }; }
int same = __builtin_types_compatible_p(int, const int), chosen = __builtin_choose_expr(1, 5, "no");
