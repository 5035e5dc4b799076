// FLAGS: -std=c23
// C23 6.2.5p31: an array has the qualifiers of its elements, for typeof_unqual and beside a pointer to void.
typedef const int Row[2];
static Row row = { 1, 2 };
static const int grid[2][3] = { { 1 }, { 2 } };

int main(void) {
  const int (*p)[2] = &row;
  void *v = nullptr;
  const void *c = v;
  volatile char (*q)[3] = nullptr;
  static_assert(_Generic(1 ? p : v, const void *: 1, default: 0));
  static_assert(_Generic(1 ? v : p, const void *: 1, default: 0));
  static_assert(_Generic(1 ? c : q, const volatile void *: 1, default: 0));
  static_assert(_Generic(1 ? (int (*)[2]) nullptr : v, void *: 1, default: 0));
  typeof_unqual(Row) of_type;
  typeof_unqual(grid) of_object;
  static_assert(_Generic(&of_type, int (*)[2]: 1, default: 0));
  static_assert(_Generic(&of_object, int (*)[2][3]: 1, default: 0));
  of_type[1] = row[1];
  of_object[1][0] = grid[1][0];
  return of_type[1] + of_object[1][0] == 4 ? 0 : 1;
}
