// [[ ]] after the brace is about that use of the type, which keeps its layout. A warning names what `copy` cannot copy.
struct { char a; int b; } [[gnu::packed]] u;  // WARNING: ignored-attributes
_Static_assert(sizeof u == 8, "");
struct { char a; int b; } __attribute__((packed)) v;
_Static_assert(sizeof v == 5, "");
enum { A } [[gnu::packed]] e;  // WARNING: ignored-attributes
_Static_assert(sizeof e == 4, "");

struct B { char c; int i; } __attribute__((copy((__typeof__(v) *)0)));
_Static_assert(sizeof(struct B) == 5, "");
__attribute__((aligned(16))) int x;
__attribute__((copy(x))) int y;
_Static_assert(_Alignof(y) == 16, "");
typedef int T __attribute__((copy(x)));  // WARNING: ignored-attributes

