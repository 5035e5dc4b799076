// FLAGS: -std=c17 -pedantic -Wno-strict-prototypes
/* Declarations that GNU C accepts and ISO C does not. */
int literal[3] = (int[3]){ 1, 2, 3 };                   // WARNING: array-from-literal
struct bits { short a : 3; };
_Complex int integers;                                  // WARNING: complex-integer
_Complex lone;                                          // WARNING: lone-complex
signed signed int twice;                                // WARNING: duplicate-decl-specifier
int empty[3] = {};                                      // WARNING: empty-initializer
struct nothing { };                                     // WARNING: empty-struct
struct unnamed { int : 3; };                            // WARNING: no-named-members
enum forward;                                           // WARNING: enum-forward
enum forward { FORWARD };
enum big { BIG = 5000000000 };                          // WARNING: enum-not-int
enum small : short { SMALL };                           // WARNING: enum-underlying-c2x
struct alone { int a[]; };                              // WARNING: flexible-alone
struct open { int n; int a[]; } open = { 2, { 1, 2 } }; // WARNING: flexible-array-initializer
struct open several[3];                                 // WARNING: flexible-array-extensions
union choice { int n; int a[]; };                       // WARNING: flexible-in-union
int range[9] = { [3 ... 5] = 1 };                       // WARNING: gnu-designator
static int folded[(int)+2.5];                           // WARNING: gnu-folding-constant
char string[] = ("abc");                                // WARNING: parenthesised-string
int omitted(int) { return folded[0]; }                  // WARNING: parameter-name-omitted
int promoted(float);
int promoted(x) float x; { return x > 0; }              // WARNING: promoted-parameter
typedef int function(void);
const function qualified;                               // WARNING: qualified-function
const void result(void) { }                             // WARNING: qualified-void-result
_Static_assert(sizeof(int) == 4);                       // WARNING: static-assert-message
static int incomplete[];                                // WARNING: static-incomplete-array
static int incomplete[3];
int zero[0];                                            // WARNING: zero-length-array
int use(void) { return incomplete[0]; }
