// FLAGS: -Wextra -Werror=sign-compare
/* Signed operands that cannot be negative are compared with unsigned ones without a warning. */
#define BOUND(n) ((unsigned)(n) > 0x7E000000u ? 0 : (n) + (n) / 255 + 16)

static int f(unsigned a, int k) { return (a > BOUND(8 * 1024 * 1024)) + (a < (k ? 1 : 2)) + (a > (k & 3)); }

int main(void) { return f(0, 1) != 1; }
