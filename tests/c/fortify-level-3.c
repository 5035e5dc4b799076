// What _FORTIFY_SOURCE=3 stops is what it stops in gcc's program.
// FLAGS: -O2
#define FORTIFY 3
#include "fortify-cases.h"
