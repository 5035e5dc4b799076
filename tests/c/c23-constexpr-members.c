// FLAGS: -std=gnu23
// Members of constexpr structures are constants, those that have no initialiser zero; also through nested structures and bit-fields,
// and in copies. The object is const, not what it points to.
struct point { int x, y; double scale; };
struct shape { struct point from, to; unsigned low : 3, high : 5; char name[4]; };
constexpr struct point origin = {.y = 3, .scale = 0.5};
constexpr struct shape box = {{1, 2}, .to = {.x = 5}, .high = 17};
static_assert(origin.x == 0 && origin.y == 3);
static_assert(box.from.y == 2 && box.to.x == 5 && box.to.y == 0 && box.high == 17 && box.low == 0);
constexpr struct point again = origin;
constexpr auto inferred = box;
constexpr union { struct shape shape; int word; } either = {.shape = inferred};
constexpr struct { int before; struct shape shape; } within = {1, {again, {4}}};
static_assert(again.y == 3 && inferred.to.x == 5 && either.shape.high == 17 && (constexpr struct shape){again}.from.y == 3);
static_assert(within.shape.from.y == 3 && within.shape.to.x == 4 && (constexpr union { int a; long b; }){}.b == 0);
constexpr void *nowhere = 0;
static_assert(_Generic(&nowhere, void *const *: 1));
int *nothing = nowhere, *null = (constexpr int *){nullptr};
int cells[origin.y + box.to.x];
enum { corner = (box.from).x };
double scaled = origin.scale * 4;
static int pick(int n) {
  constexpr struct point local = {7, 8, 1};
  static int kept = local.y;
  switch (n) {
  case local.x: return kept;
  case box.to.x: return 2;
  default: return 0;
  }
}
int main() { return !(sizeof cells == 8 * sizeof(int) && corner == 1 && scaled == 2 && pick(7) == 8 && pick(5) == 2 && pick(6) == 0 && !nothing && !null); }
