// Members, bit-fields, enumerators.
// FLAGS: -fmax-errors=0
struct a1 { int a; int a; };  // ERROR: duplicate-member
struct a2 { struct a2 x; };  // ERROR: incomplete-type
struct a3 { int f(void); };  // ERROR: function-member
struct a4 { void v; };  // ERROR: void-object
struct a5 { int a[]; int b; };  // ERROR: flexible-not-last
struct a6 { int x : 33; };  // ERROR: bit-field-width
struct a7 { int x : -1; };  // ERROR: bit-field-negative
struct a8 { int x : 0; };  // ERROR: bit-field-zero
struct a9 { float x : 3; };  // ERROR: bit-field-type
struct a10 { int *x : 3; };  // ERROR: bit-field-type
struct a11 { int x : 1.5; };  // ERROR: constant-not-integer
struct a12 { static int x; };  // ERROR: member-storage
struct a13 { int x; struct { int x; }; };  // ERROR: duplicate-member
struct a14 a14v;  // ERROR: incomplete-type
int n; struct a15 { int x[n]; };  // ERROR: member-variable-size
enum a16 { b16 = 1.5 };  // ERROR: constant-not-integer
enum a18 { b18 = n };  // ERROR: not-constant
enum a19 { b19 = 0x7fffffffffffffff * 2ull + 1, c19 };  // ERROR: enum-overflow
struct a20 { _Static_assert(0, "no"); int x; };  // ERROR: static-assert
struct a21 { _Alignas(8) int x : 3; };  // ERROR: bad-alignment
struct a22 { int x; } __attribute__((aligned(3)));  // ERROR: bad-alignment
int a23 = sizeof(struct undefined_a23);  // ERROR: incomplete-type
struct a24 { _Bool x : 2; };  // ERROR: bit-field-width
_Static_assert(sizeof(int) == 3, "three bytes");  // ERROR: static-assert
_Static_assert(n, "not constant");  // ERROR: not-constant
