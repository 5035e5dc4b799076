/* Operations on bits whose result fits. */
// FLAGS: -Wconversion
unsigned char fits(unsigned char x, int y, unsigned char *p, _Bool b, _Bool c)
{
    unsigned char t = b & c;
    x = x | (unsigned char)(y & 255);
    x = (y & 0x0f) | 0x10;
    x = x ^ t;
    p[0] = x >> 2;
    p[1] = y & x;
    p[2] = y | x;                           // WARNING: conversion
    p[3] = y >> 2;                          // WARNING: conversion
    p[4] = y ^ 1;                           // WARNING: conversion
    return t;
}
