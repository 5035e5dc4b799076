// Specifiers and declarators that break a constraint.
// FLAGS: -fmax-errors=0
short long s1;  // ERROR: bad-specifiers
signed unsigned s2;  // ERROR: bad-specifiers
float int s3;  // ERROR: bad-specifiers
unsigned double s4;  // ERROR: bad-specifiers
long char s5;  // ERROR: bad-specifiers
long long long s6;  // ERROR: bad-specifiers
long float s7;  // ERROR: bad-specifiers
static extern int s8;  // ERROR: multiple-storage
int restrict r1;  // ERROR: bad-restrict
_Atomic(int[3]) at1;  // ERROR: bad-atomic
int (*fa(void))[3]; int fb(void)[3];  // ERROR: bad-result
int fc(void)(void);  // ERROR: bad-result
void av[3];  // ERROR: bad-array-element
int fd(void), ff[2](void);  // ERROR: bad-array-element
struct incomplete ai[3];  // ERROR: incomplete-element
int am[][];  // ERROR: incomplete-element
int an[-1];  // ERROR: array-size-negative
int ad[1.5];  // ERROR: array-size-type
extern int runtime; int ar[runtime];  // ERROR: vla-file-scope
int ast[*];  // ERROR: array-star
int asq[const 3];  // ERROR: array-static
register int fr;  // ERROR: file-scope-storage
auto int fauto;  // ERROR: file-scope-storage
inline int il;  // ERROR: inline-not-function
_Noreturn int nr;  // ERROR: inline-not-function
_Alignas(3) int al3;  // ERROR: bad-alignment
_Alignas(1) int al1;  // ERROR: bad-alignment
_Alignas(8) typedef int alt;  // ERROR: bad-alignment
_Thread_local int tlf(void);  // ERROR: bad-thread-local
void tlb(void) { _Thread_local int x; (void)x; }  // ERROR: bad-thread-local
__auto_type noinit;  // ERROR: auto-needs-initializer
__auto_type *autop = 0;  // ERROR: bad-auto-type
typeof(missing_name) tm;  // ERROR: undeclared
int big[0x7fffffffffffffff];  // ERROR: array-too-large
int mode1 __attribute__((mode(FOO)));  // ERROR: unknown-mode
int vec1 __attribute__((vector_size(12)));  // ERROR: vector-size
typedef int td = 3;  // ERROR: initialized-typedef
int fn = 3, fn2(void) = 4;  // ERROR: initialized-function
int f_storage(static int x);  // ERROR: parameter-storage
int f_twice(int x, int x);  // ERROR: redefined-parameter
int f_void(void, int);  // ERROR: void-parameter
int f_cvoid(const void);  // ERROR: qualified-void-parameter
static int weak1 __attribute__((weak));  // ERROR: unsupported
static int weak2(void) __attribute__((weak));  // ERROR: unsupported
typeof(int) typeof(int) typeof_twice;  // ERROR: bad-specifiers
