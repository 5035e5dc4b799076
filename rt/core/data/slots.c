/* slots.c - what slots do where no extension has them. */
#include "data/slots.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define CILK_SLOT(extension, result, name, parameters, ...) __attribute__((weak)) result name parameters __VA_ARGS__
#include "data/slots.def"
