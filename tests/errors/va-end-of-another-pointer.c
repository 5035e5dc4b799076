// va_end does nothing: of a pointer to something else it is doubtful, of what is no pointer it is wrong.
#include <stdarg.h>
void f(char *text, ...) {
  va_list list, *behind = &list;
  va_start(list, text);
  va_end(text);           // WARNING: incompatible-pointer-types
  va_end(*behind);
  va_end(1.5);            // ERROR: va-list
}
