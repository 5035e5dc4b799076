/* More of C's constraints on declarations. */
typedef int wide __attribute__((aligned(16)));
wide array1[3];                                         // ERROR: array-element-alignment
int array2(void) { int a[]; return 0; }                 // ERROR: array-size-missing
int array3(int a[static]);                              // ERROR: array-static-size
int label1(void) { int x asm("y") = 1; return x; }      // ERROR: asm-label-local
int label2(void) asm("g");
int label2(void) asm("h");                              // WARNING: conflicting-asm-label
int attribute1 __attribute__((section(1)));             // ERROR: attribute-argument
int attribute2 __attribute__((noinline));               // WARNING: ignored-attributes
double attribute3 __attribute__((mode(SI)));            // ERROR: mode-mismatch
int attribute4(void) { int x __attribute__((section("mine"))) = 1; return x; }      // ERROR: section-of-local
struct record { int a : 3; } record;
typedef struct record vector __attribute__((vector_size(16)));  // ERROR: vector-element
int several(void) { __auto_type a = 1, b = 2; return a + b; }   // ERROR: auto-several
int strlen(int a);                                      // WARNING: builtin-declaration-mismatch
void user(void) { later(); }                            // WARNING: implicit-function-declaration
void later(void) { }                                    // WARNING: conflicting-implicit
struct nothing { int; int a; };                         // WARNING: declares-nothing
enum fixed : unsigned char { F = 256 };                 // ERROR: enum-fixed-range
enum mixed { M = -1, N = 18446744073709551615u };       // WARNING: enum-too-large
typedef int function(void);
typedef int f2(void) { return 0; }                      // ERROR: function-definition-storage
register int f3(void);                                  // ERROR: function-storage
int f5(...);                                            // ERROR: lone-ellipsis
int f6(a, b);                                           // WARNING: names-without-types
int f4(int, int);
int f4() { return 0; }                                  // ERROR: prototype-count
int f7(int, int);
int f7(a) int a; { return a; }                          // ERROR: conflicting-types
inline int main(void) { return 0; }                     // ERROR: inline-main
#pragma pack(pop)                                       // WARNING: pragma-pack
#pragma GCC visibility pop                              // WARNING: pragma-visibility
int early(void) { return late(); }                      // WARNING: implicit-function-declaration
static int late(void) { return 1; }                     // WARNING: static-after-implicit
int cast(double d) { return (static int)d; }            // ERROR: storage-in-type-name
struct huge { char a[1ull << 62]; char b[1ull << 62]; };        // ERROR: type-too-large
struct largest { char a[1ull << 59]; }; struct more { char a[1ull << 59]; char b; };        // ERROR: type-too-large
typeof(record.a) field;                                 // ERROR: typeof-bit-field
static struct point { int x, y; };                      // WARNING: useless-specifier
int vla1(int n) { extern int a[n]; return a[0]; }       // ERROR: vla-linkage
int vla2(int n) { static int a[n]; return a[0]; }       // ERROR: vla-static
struct { int b[2000000]; } ranges[2000000] = { [0 ... 1999999].b = { [0 ... 1999999] = 1 } };   // ERROR: range-too-large
struct open { int n; char s[]; };
struct open opens[] = { { 1, "abc" }, { 2 } };          // ERROR: flexible-array-automatic
// The function of `cleanup` gets the address of the variable.
void by_value(int);
void cleans_two(int *, int *);
void cleans(int *);
void cleans_old();
void cleanups(void) {
  int a __attribute__((cleanup(by_value))) = 1;     // ERROR: attribute-argument
  int b __attribute__((cleanup(cleans_two))) = 1;          // ERROR: attribute-argument
  int c __attribute__((cleanup(cleans))) = 1, d __attribute__((cleanup(cleans_old))) = 1;
}
