// FLAGS: -std=c23
// A tag defined again with the same members is the same type; in another scope a compatible one. So are enumerations.
#define pair(T, U) struct pair_##T##_##U { T first; U second; }
struct node { int value; struct node *next; union { int i; float f; }; };
struct node { int value; struct node *next; union { int i; float f; }; };
enum colour { red, green = 5 };
enum colour { red, green = 5 };
enum bits : unsigned char { low = 1 };
enum bits : unsigned char { low = 1 };
static enum bits of_file;
union both { int a; float b; };
union both { int a; float b; };
static pair(int, double) made(int a, double b) { return (pair(int, double)){a, b}; }
static double total(pair(int, double) p) { return p.first + p.second; }
static int length(const struct node *n) { return n ? 1 + length(n->next) : 0; }
static_assert(_Generic((struct node *)0, struct node *: 1, default: 2) == 1);
int main(void) {
  struct node { int value; struct node *next; union { int i; float f; }; };
  struct node last = {2}, head = {1, &last};
  if (length(&head) != 2) return 1;
  pair(int, double) p = made(3, 0.5);
  if (total(p) != 3.5) return 2;
  p = made(4, 1);
  enum colour { red, green = 5 };
  enum colour c = green;
  enum bits : unsigned short { low = 1 } b = low;   // of another underlying type: no compatible one
  static_assert(_Generic(&b, typeof(&of_file): 1, default: 2) == 2);
  { enum bits : unsigned char { low = 1 }; static_assert(_Generic((enum bits *)0, typeof(&of_file): 1, default: 2) == 1); }
  union both { int a; float b; } u = {7}, *q = &u;
  struct local { int a; };
  struct local { int a; } l = {9};
  return total(p) != 5 || c != 5 || q->a != 7 || l.a != 9;
}
