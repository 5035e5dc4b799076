// FLAGS: -std=c23
_BitInt(1) a;                                           // ERROR: 2:9 bitint-width
unsigned _BitInt(0) b;                                  // ERROR: 3:18 bitint-width
_BitInt(4097) c;                                        // ERROR: bitint-width
short _BitInt(4) d;                                     // ERROR: bad-specifiers
_BitInt(200) e = 0x100000000000000000000000000000000wb;
int label(_BitInt(200) v) { switch (v) { case 0x100000000000000000000000000000000wb: return 1; } return 0; }   // ERROR: case-too-wide
unsigned _BitInt(128) full = 0xffffffffffffffffffffffffffffffffuwb;
_BitInt(130) h = 340282346638528859811704183484516925440wb;
int sizes[(unsigned _BitInt(300))1 << 200];             // ERROR: array-too-large
struct bits { unsigned _BitInt(5) f : 6; };             // ERROR: bit-field-width
struct s { int a; };
struct s { int b; };                                    // ERROR: redefined-tag
enum colour { red };
enum colour { red, green };                             // ERROR: redefined-tag
int *p = nullptr;
int has(void) { return __builtin_has_attribute(p, weak); }   // ERROR: has-attribute
typeof(nullptr) n = &p;                                 // ERROR: incompatible-types
int number(void) { return nullptr; }                    // ERROR: incompatible-types
long cast(void) { return (long)nullptr; }               // ERROR: invalid-cast
int call(void) { return missing(1); }                   // ERROR: implicit-function-declaration
int *literal(void) { return (extern int[]){1}; }        // ERROR: storage-in-type-name
int *local(int i) { return (static int[]){i}; }         // ERROR: not-constant
auto g;                                                 // ERROR: auto-needs-initializer
#define TWICE(digits) TWICE_(digits)
#define TWICE_(digits) digits##digits
#define WHOLE(digits) WHOLE_(digits)
#define WHOLE_(digits) 0x1##digits##uwb
unsigned _BitInt(4096) longest = WHOLE(TWICE(TWICE(TWICE(TWICE(TWICE(TWICE(0000000000000000)))))));   // ERROR: integer-too-wide
// Enumerations and structures declared again are the same; nullptr has no arithmetic.
enum twice { ONE, TWO };
enum twice { ONE, THREE };                        // ERROR: redefined-tag
enum fixed : short;
enum fixed : long;                                // ERROR: redefined-tag
enum apart : short;
enum apart : short used;                          // ERROR: enum-underlying
enum with_values : short;
enum with_values { VALUE };                       // ERROR: redefined-tag
[[nodiscard(1)]] int reason_is_text(void);        // ERROR: attribute-argument
[[deprecated("a", "b")]] int one_reason(void);    // ERROR: attribute-argument
[[nodiscard("text"), deprecated("text")]] int good(void);
void no_arithmetic(typeof(nullptr) n) {
  void *p = nullptr + 1;                          // ERROR: bad-operands
  n++;                                            // ERROR: bad-operand
  n += 1;                                         // ERROR: bad-operands
  p = n;
}
int one_byte[] = {u8'a', u8'\xff', u'\u20ac', L'\u20ac'};
int two_bytes = u8'é';                                  // ERROR: unsupported
int two_letters = u8'ab';                               // ERROR: unsupported
int of_null = nullptr == 1;                             // ERROR: bad-operands
int of_nulls = (nullptr == 0) + (0 != nullptr) + (nullptr == (void *)0);
int before = 0x'1;                                      // ERROR: bad-number
int in_prefix = 0'x1;                                   // ERROR: bad-number
int after = 1'u;                                        // ERROR: bad-number
double at_point = 1.'0;                                 // ERROR: bad-number
double at_exponent = 1e'0;                              // ERROR: bad-number
double between = 0x1'f.8'0p1'0 + 1'0.0'1e1'0 + 0'17 + 1'0ul;
constexpr struct { int part; } whole_object = {1};
static_assert((whole_object, 1));
