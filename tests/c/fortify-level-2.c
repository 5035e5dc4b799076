// What _FORTIFY_SOURCE=2 stops is what it stops in gcc's program.
// FLAGS: -O2
#define FORTIFY 2
#include "fortify-cases.h"
