// The alignment of a packed struct's member is 1, whatever a typedef name says; `aligned` at the member itself counts.
typedef int two __attribute__((aligned(2)));
struct __attribute__((packed)) p { char c; two t; long l; int a __attribute__((aligned(4))); } v;
struct q { char c; two t; } w;
_Static_assert(__alignof__(v.t) == 1 && __alignof__(v.l) == 1 && __alignof__(v.a) == 4 && __alignof__(w.t) == 2, "as laid out");
_Static_assert(sizeof(struct p) == 20 && sizeof(struct q) == 6, "as laid out");
// An atomic object is aligned to its size if that is a power of two, up to 16.
struct pair { int a, b; };
struct three { char c[3]; };
struct large { long l[4]; };
_Static_assert(_Alignof(_Atomic struct pair) == 8 && _Alignof(_Atomic struct three) == 1 && _Alignof(_Atomic struct large) == 8, "");
_Static_assert(_Alignof(_Atomic float _Complex) == 8 && _Alignof(_Atomic double _Complex) == 16 && _Alignof(struct pair) == 4, "");
int main(void) { return 0; }
