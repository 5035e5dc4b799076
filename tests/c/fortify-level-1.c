// What _FORTIFY_SOURCE=1 stops is what it stops in gcc's program.
// FLAGS: -O2
#define FORTIFY 1
#include "fortify-cases.h"
