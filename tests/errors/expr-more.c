/* Rarer constraints of expressions. */
#include <stdarg.h>
typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
v4 v; f4 w; union u { int i; float f; } u; int i, *p; char *s; struct s { int x; } st;
typedef int T;
int bad1 = ({ 3; });                                // ERROR: 7:12 statement-expression
void *bad2 = &&label;                               // ERROR: 8:14 label-address-outside

int variadic(int n, ...) { va_list ap; va_start(ap, n); va_end(i); return va_arg(ap, void); }   // ERROR: va-list // ERROR: va-arg-type
int fixed(int n) { va_list ap; va_start(ap, n); return 0; }                 // ERROR: va-start

void more(int n)
{
    __auto_type a = n + 1;
    p = &v[0];                                      // a GNU extension: elements have addresses
    p = __builtin_popcount;                         // ERROR: 17:9 builtin-address
    i = __builtin_frame_address(n) != 0;            // ERROR: builtin-argument
    i = __builtin_isnan(p);                         // ERROR: builtin-argument
    u = (union u) s;                                // ERROR: 20:9 cast-to-union
    p = (int[n]) { 1 };                             // ERROR: 21:9 compound-literal-vla
    i = _Generic(n, void (void): 1, default: 2);    // ERROR: generic-type
    i = __builtin_offsetof(int, x);                 // ERROR: offsetof-type
    goto *st;                                       // ERROR: 24:11 computed-goto
    i = 1.0dd;                                      // ERROR: decimal-float
    asm("" : "r" (i));                              // ERROR: asm-constraint
    asm("" : : "=r" (i));                           // ERROR: asm-constraint
    goto inside;                                    // ERROR: jump-into-statement-expression
    i = ({ inside: 3; });
    v = __builtin_shufflevector(v, w, 0, 1, 2, 3);  // ERROR: shuffle
    w = __builtin_shuffle(v, w);                    // ERROR: builtin-argument
}
int complex_of_integers(int n) { return __builtin_complex(n, 1.0) != 0; }  // ERROR: builtin-argument
