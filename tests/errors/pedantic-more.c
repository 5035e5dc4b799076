// FLAGS: -std=c17 -pedantic-errors
/* Constraints and extensions that are rarely met. */
static int comma = (2, 3);                      // ERROR: pedantic
static int fine = 1 ? 2 : (3, 4);
enum { SHIFT = 1 << 31, NEGATIVE = -1 << 1 };   // ERROR: pedantic // ERROR: pedantic
int flags = 1u << 31;
_Complex double z = 2.0i;                       // ERROR: pedantic
struct semi { int a;; };                        // ERROR: pedantic
struct again;
const struct again;                             // ERROR: useless-specifier
_Alignas(0) typedef int aligned;                // ERROR: bad-alignment
void parameter(_Alignas(0) int);                // ERROR: bad-alignment
int *literal = &(_Alignas(16) int){ 1 };
struct bits { _Atomic int b : 3; };             // ERROR: bit-field-type
_Atomic char text[] = "x";                      // ERROR: init-string-type
typedef enum e { E } te; typedef unsigned te2;
typedef int list[]; typedef int list[2];        // ERROR: conflicting-typedef
struct inner { int a; struct { int a; }; };     // ERROR: duplicate-member
const int (*fixed)[3]; int (*plain)[3];
int compare(_Atomic int *a, int *b, _Complex double c)
{
    void *restrict *r = 0;
    void **q = r;                               // ERROR: discarded-qualifiers
    fixed = plain;                              // ERROR: pedantic
    plain = fixed;                              // WARNING: discarded-array-qualifiers
    c++;                                        // ERROR: pedantic
    c = ~c;                                     // ERROR: pedantic
    switch (*b) { case 1 ... 3: return 2; }     // ERROR: pedantic
    q = &&out;                                  // ERROR: pedantic
    goto *q;                                    // ERROR: pedantic
    a = b;                                      // ERROR: incompatible-pointer-types
out:
    return a < b;                               // ERROR: compare-distinct-pointer-types
}
_Noreturn int main(void) { for (;;) ; }         // ERROR: main
