/* Warnings about conversions and arithmetic. */
// FLAGS: -Wall -Wextra -Wpointer-arith
int i, *p, **pp; char *s, c; const char *cs; unsigned char *us; double *d; long l; unsigned u; void *v; long *lp;
int g(void) __attribute__((warn_unused_result, deprecated("use h")));
int sink(int, ...) __attribute__((sentinel));

int warnings(int n, int array[])
{
    p = d;                                          // WARNING: incompatible-pointer-types
    p = l;                                          // WARNING: int-conversion
    i = s;                                          // WARNING: int-conversion
    s = cs;                                         // WARNING: discarded-qualifiers
    s = us;                                         // WARNING: pointer-sign
    c = 1000;                                       // WARNING: overflow
    i = 2147483647 + 1;                             // WARNING: overflow
    i = n / 0;                                      // WARNING: div-by-zero
    i = n << 32;                                    // WARNING: shift-count-overflow
    i = n << -1;                                    // WARNING: shift-count-negative
    i = u < n;                                      // WARNING: sign-compare
    i = p == d;                                     // WARNING: compare-distinct-pointer-types
    i = p == 5;                                     // WARNING: pointer-integer-compare
    v = n ? p : d;                                  // WARNING: pointer-type-mismatch
    i = (int) s;                                    // WARNING: pointer-to-int-cast
    p = (int *) n;                                  // WARNING: int-to-pointer-cast
    v = v + 1;                                      // WARNING: pointer-arith
    i = array[c];                                   // WARNING: char-subscripts
    i = i++ + i;                                    // WARNING: sequence-point
    n = n;                                          // WARNING: self-assign
    l = 99999999999999999999u;                      // WARNING: integer-too-large
    *d = 1e400;                                     // WARNING: overflow
    *d = 0x.01p-1080 + 0e9 + 0x0p0 + 1e39f;         // WARNING: overflow // WARNING: overflow
    l = 18446744073709551615;                       // WARNING: implicitly-unsigned
    i = unknown(1);                                 // WARNING: implicit-function-declaration
    g();                                            // WARNING: deprecated-declarations // WARNING: unused-result
    n + 1;                                          // WARNING: unused-value
    i = s == "x";                                   // WARNING: address
    i = n & 1 == 0;                                 // WARNING: parentheses
    sink(1, 2);                                     // WARNING: sentinel
    { int local[3]; local[0] = local[7];            // WARNING: array-bounds
    i = local[0]; }
    i = __atomic_load_n(&i, 3);                     // WARNING: invalid-memory-model
    return *__func__;
}
const char *file = __func__;                        // WARNING: predefined-identifier
int promoted(int n, ...) { __builtin_va_list ap; __builtin_va_start(ap, n); return n + __builtin_va_arg(ap, char); }   // WARNING: varargs
#define SET(object, value) ((object) != 0 ? (object)[0] = (value) : (value))
void fromMacro(void) { int item[1]; SET(item, 3); } // an address compared inside a macro is the macro's business
unsigned char row[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 255,
    300, 33};                                       // WARNING: overflow
