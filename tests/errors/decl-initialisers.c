// Initialisers that break a constraint.
// FLAGS: -fmax-errors=0
int n; struct point { int x, y; };
int a1 = n;  // ERROR: not-constant
int *a2 = &n + n;  // ERROR: not-constant
int a3[2] = { [2] = 1 };  // ERROR: designator-bounds
int a4[2] = { [-1] = 1 };  // ERROR: designator-bounds
int a5[2] = { .x = 1 };  // ERROR: designator-not-record
struct point a6 = { .z = 1 };  // ERROR: designator-field
struct point a7 = { [0] = 1 };  // ERROR: designator-index
struct point a8 = 1;  // ERROR: incompatible-types
int a9 = { .x = 1 };  // ERROR: designator-in-scalar
int a10[3] = 5;  // ERROR: array-initializer
int a11[] = "abc";  // ERROR: init-string-type
char a12[] = L"abc";  // ERROR: init-string-type
int a13[] = { [3 ... 1] = 0 };  // ERROR: designator-empty-range
int a14[] = { [n] = 0 };  // ERROR: not-constant
int a15(int k) { int v[k] = { 1 }; return v[0]; }  // ERROR: vla-initialized
int a15_open(int k) { char v[][k] = { "" }; return v[0][0]; }  // ERROR: vla-initialized
int a16(void) { return n; } int a17 = a16();  // ERROR: not-constant
static struct point a18; struct point a19 = a18;  // ERROR: not-constant
int a20 = (int)&n;  // ERROR: not-constant
struct flex { int n; int data[]; }; void a21(void) { struct flex f = { 1, { 2 } }; (void)f; }  // ERROR: flexible-array-automatic
_Static_assert(__builtin_strlen("ab") == 3, "length");  // ERROR: static-assert
struct incomplete a22 = { 1 };  // ERROR: incomplete-type
int a23 = { { missing } };  // ERROR: undeclared
char a24[2] = { "ab", };
int a25[] = { 1, 2 } , a26[sizeof a25 / sizeof *a25 - 3];  // ERROR: array-too-large
