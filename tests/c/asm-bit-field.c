// An output that is a bit-field is in a register, also where its constraint allows memory.
// REQUIRES: gcc
#include <stdio.h>

struct s { unsigned a : 5, b : 9; };

static struct s both(struct s x)
{
#ifdef __x86_64__
    unsigned seven = 7;
    __asm__("movl %k1, %k0" : "=rm"(x.a) : "r"(seven));
    __asm__("addl $3, %k0" : "+g"(x.b));
#else
    x.a = 7;
    x.b += 3;
#endif
    return x;
}

int main(void)
{
    struct s x = both((struct s){ 1, 300 });
    printf("%u %u\n", x.a, x.b);
    return 0;
}
