// An operand in memory has to be an object, and va_arg reads a va_list, not a pointer to one.
#include <stdarg.h>

int f(int x) {
  __asm__("" : : "m"(x++));  // ERROR: asm-operand
  return x;
}

double g(int n, ...) {
  va_list ap, *p = &ap;
  va_start(ap, n);
  double d = va_arg(p, double);  // ERROR: va-list
  va_end(ap);
  return d + va_arg(*p, double);
}

void *alloca();
void *h(void) { return alloca(); }         // ERROR: argument-count
void *i(void) { return alloca(1, 2); }     // ERROR: argument-count

