/* Ranges of cases: few and many, of signed and unsigned types, negative, at the ends of their types, with single values
   among them, falling through; and with constants as what is switched on. Ranges are found by bisection from some
   number of values on, or where one range is wide. */
#include <stdio.h>

#define TEN(m, a) m(a##0) m(a##1) m(a##2) m(a##3) m(a##4) m(a##5) m(a##6) m(a##7) m(a##8) m(a##9)
#define HUNDRED(m, a) TEN(m, a##0) TEN(m, a##1) TEN(m, a##2) TEN(m, a##3) TEN(m, a##4) TEN(m, a##5) TEN(m, a##6) TEN(m, a##7) TEN(m, a##8) TEN(m, a##9)

#define SIGNED(n) case -(1##n - 900) * 50 + 7 ... -(1##n - 900) * 50 + 7 + (1##n % 40): return 1##n;
#define SINGLE(n) case -(1##n - 900) * 50 + 6: case (1##n - 900) * 50 + 3: return 20000 + 1##n;
#define UNSIGNED(n) case 0xffff0000u - 1##n##u * 60u ... 0xffff0000u - 1##n##u * 60u + 1##n##u % 50u: return 1##n;
#define LONG(n) case -1##n##000000000L ... -1##n##000000000L + 1##n##0000L: case 1##n##000000000L ... 1##n##000000000L + 5: s += 1##n; /* on to the next */

static int many_signed(int x)
{
    switch (x) {
    HUNDRED(SIGNED, 1) HUNDRED(SIGNED, 2)
    HUNDRED(SINGLE, 1) HUNDRED(SINGLE, 2)
    case -2147483647 - 1 ... -2000000000: return 2;
    case 2000000000 ... 2147483647: return 3;
    case 0: return 4;
    }
    return 1;
}
static int many_unsigned(unsigned x)
{
    switch (x) {
    case 0 ... 9: return 5;
    HUNDRED(UNSIGNED, 1)
    default: return 1;
    case 0xfffffff0u ... 0xffffffffu: return 6;
    case 0x7ffffff0u ... 0x8000000fu: return 7;
    }
}
static long many_long(long x)
{
    long s = 0;
    switch (x) {
    HUNDRED(LONG, 3)
        return s;
    default: return -1;
    }
}
static int few(signed char c)
{
    switch (c) {
    case 'a' ... 'z': case 'A' ... 'Z': return 1;
    case '0' ... '9': return 2;
    case -128 ... -100: return 3;
    case '_': return 4;
    case 5 ... 5: return 5;
    }
    return 0;
}
static int wide(unsigned long x)
{
    switch (x) {
    case 0 ... 0x7fffffffffffffffu: return 1;
    case 0x8000000000000000u: return 2;
    case 0x8000000000000001u ... 0xfffffffffffffffeu: return 3;
    case 0xffffffffffffffffu: return 4;
    }
    return 0;
}

int main(void)
{
    unsigned long hash = 5381;
    for (int x = -20000; x < 20000; x++) hash = hash * 33 + many_signed(x);
    printf("%lx\n", hash);
    for (int i = -70; i < 70; i++) hash = hash * 33 + many_signed((int)(2000000000u + i)) + many_signed((int)(0x80000000u + i)) + many_signed(-2000000000 + i);
    printf("%lx\n", hash);
    for (unsigned x = 0xffff0000u - 80000; x < 0xffff0100u; x++) hash = hash * 33 + many_unsigned(x);
    printf("%lx\n", hash);
    for (int i = -70; i < 70; i++) hash = hash * 33 + many_unsigned(i) + 3 * many_unsigned(0x80000000u + i);
    printf("%lx\n", hash);
    for (long n = 1290; n < 1410; n++)
        for (long i = -8; i < 8; i++) {
            hash = hash * 33 + many_long(n * 1000000000L + i) + 3 * many_long(-n * 1000000000L + i);
            hash = hash * 33 + many_long(-n * 1000000000L + n * 10000 + i);
        }
    printf("%lx\n", hash);
    for (int c = -128; c < 128; c++) hash = hash * 33 + few((signed char)c);
    for (int i = -3; i < 4; i++) hash = hash * 33 + wide(i) + 3 * wide(0x8000000000000000u + i);
    printf("%lx\n", hash);
    switch (1000) {
    case 1 ... 999: printf("below\n"); break;
    case 1000 ... 100000: printf("in\n"); break;
    }
    return 0;
}
