// Names declared again with another type, kind or linkage.
// FLAGS: -fmax-errors=0
int a1; float a1;  // ERROR: conflicting-types
static int a2; int a2;  // ERROR: nonstatic-after-static
extern int a3; static int a3;  // ERROR: static-after-nonstatic
int a4(void); static int a4(void);  // ERROR: static-after-nonstatic
int a5(int); int a5(void);  // ERROR: conflicting-types
int a6(void) { return 0; } int a6(void) { return 1; }  // ERROR: redefined-function
typedef int a7; typedef long a7;  // ERROR: conflicting-typedef
int a8; typedef int a8;  // ERROR: redeclared-kind
int a9 = 1; int a9 = 2;  // ERROR: redefinition
int a10[2]; int a10[3];  // ERROR: conflicting-types
_Thread_local int a11; int a11;  // ERROR: thread-local-mismatch
enum { a12 }; int a12;  // ERROR: redeclared-kind
enum { a13, a13 };  // ERROR: redefinition
void a14(void) { int x; int x; }  // ERROR: redefinition
void a15(void) { int x; extern int x; }  // ERROR: redeclared-linkage
int a16(int x) { int x; return x; }  // ERROR: redeclares-parameter
void a17(void) { enum { y }; int y; }  // ERROR: redefinition
struct a18 { int x; }; union a18 *a18p;  // ERROR: wrong-tag-kind
struct a19 { int x; }; struct a19 { int y; };  // ERROR: redefined-tag
struct a20 { struct a20 { int x; } y; };  // ERROR: nested-redefinition
enum a21 { b21 }; enum a21 { c21 };  // ERROR: redefined-tag
int a22(float); int a22(x) float x; { return x > 0; }
int a23(char); int a23();  // ERROR: conflicting-types
int a24(int, int); int a24(x) int x; { return x; }  // ERROR: conflicting-types
void a25(void) { static int g(void); }  // ERROR: static-function-in-block
void a26(void) { extern int h = 3; }  // ERROR: extern-block-initializer
int a27(x) int y; { return x; }  // ERROR: no-such-parameter
int a28(x, x) int x; { return x; }  // ERROR: redefined-parameter
int a29(x) int x = 3; { return x; }  // ERROR: initialized-parameter
struct a31 a31(void) { }  // ERROR: incomplete-type
void a32(struct a32s x) { }  // ERROR: incomplete-type
struct a33 { int x; }; union a33 b33;  // ERROR: wrong-tag-kind
enum a34 { b34 }; struct a34 c34, *d34 = &c34;  // ERROR: wrong-tag-kind
union a35 { int x; } b35; int c35(enum a35 x) { return x; }  // ERROR: wrong-tag-kind
