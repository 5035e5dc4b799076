// A long double that a union takes apart and puts together: on the way its bits are no number's.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

union number {
  long double value;
  struct {
    uint64_t mantissa;
    uint16_t sign_exponent;
  } parts;
  unsigned char bytes[16];
};

#define FUNCTION __attribute__((noinline))

FUNCTION long double exponent_first(void) {
  union number u;
  u.parts.sign_exponent = 0x3fff;
  u.parts.mantissa = 1ull << 63;
  return u.value;
}
FUNCTION long double mantissa_first(void) {
  union number u;
  u.parts.mantissa = 1ull << 63;
  u.parts.sign_exponent = 0x3fff;
  return u.value;
}
FUNCTION long double by_bytes(void) {
  union number u = {.bytes = {[9] = 0x3f, [8] = 0xff, [7] = 0x80}};
  return u.value;
}
FUNCTION int exponent_of_no_number(void) {
  union number u, copy;
  u.value = 1;
  u.parts.mantissa = 5;
  copy = u;
  return copy.parts.sign_exponent;
}
FUNCTION long double negated(long double x) {
  union number u = {x};
  u.bytes[9] ^= 0x80;
  return u.value;
}
static long double read(const union number *u) { return u->value; }
FUNCTION long double inlined(void) {
  union number u;
  u.parts.sign_exponent = 0x4000;
  u.parts.mantissa = 3ull << 62;
  return read(&u);
}

FUNCTION long double through_characters(void) {
  long double x;
  unsigned char *bytes = (unsigned char *)&x;
  for (unsigned i = 0; i < sizeof x; i++) bytes[i] = 0;
  bytes[9] = 0x40;
  bytes[7] = 0x80;
  return x;
}

FUNCTION long double copied(void) {
  long double x;
  uint16_t sign_exponent = 0x4000;
  uint64_t mantissa = 3ull << 62;
  memcpy((char *)&x + 8, &sign_exponent, sizeof sign_exponent);
  memcpy(&x, &mantissa, sizeof mantissa);
  return x;
}

int main(void) {
  printf("%Lg\n", copied());
  printf("%Lg\n", through_characters());
  printf("%Lg %Lg %Lg %x %Lg %Lg\n", exponent_first(), mantissa_first(), by_bytes(), exponent_of_no_number(), negated(3),
      inlined());
  return 0;
}
