// FLAGS: -Wall -Wextra
static int unused_static;  // WARNING: unused-variable
static const int unused_const = 3;  // WARNING: unused-const-variable
static int used_static;
static int unused_fn(void) { return 0; }  // WARNING: unused-function
static int declared_only(void);  // WARNING: unused-function
static inline int inline_ok(void) { return 0; }
static int __attribute__((unused)) marked(void) { return 0; }
implicit_result(void) { return used_static; }  // WARNING: implicit-int
static implicit_var = 1;  // WARNING: implicit-int
int shadowed;
int params(int used, int unused, int marked __attribute__((unused)), int) { (void)implicit_var; return used; }  // WARNING: unused-parameter
void locals(void) {
  int a;  // WARNING: unused-variable
  int b = 1;
  int c __attribute__((unused));
  int d; d = 3;  // WARNING: unused-but-set-variable
  static int e;  // WARNING: unused-variable
  int shadowed = 1;
  int f = b; (void)f;
  (void)shadowed;
  { int b = 2; (void)b; }
}
int excess[2] = { 1, 2, 3 };  // WARNING: excess-initializers
char tight[3] = "abcd";  // WARNING: init-string-too-long
struct two { int x, y, z; } partial = { 1, 2 }, zeroed = { 0 }, named = { .x = 1 };  // WARNING: missing-field-initializers
struct two twice = { .x = 1, .x = 2 };  // WARNING: override-init
extern int ext = 4;  // WARNING: extern-initializer
int bogus __attribute__((no_such_attribute));  // WARNING: attributes
int;  // WARNING: missing-declarator
struct { int q; };  // WARNING: unnamed-record
void in_params(struct local_tag *p);  // WARNING: visibility
int old(x) { return x; }  // WARNING: implicit-int
int tentative[];  // WARNING: tentative-array
int braces = { { 1 } };  // WARNING: braced-scalar-init
#pragma unheard of
#pragma pack(3)
inline int never_defined(void);  // WARNING: undefined-inline
int use_it(void) { return never_defined(); }
float main(void) { return 1; }  // WARNING: main

// WARNING: 36:1 unknown-pragmas
// WARNING: 37:1 pragmas
struct pair2 { int a, b; };
struct pair2 zeroed2 = { 0 }, half = { 1 };   // WARNING: missing-field-initializers
struct { int *p; int a; } null = { 0 };
