/* fabs, fabsf and fabsl need no -lm at any level; -fno-builtin's own function is called (not here). */
double fabs(double);
float fabsf(float);
long double fabsl(long double);
int main(int argc, char **argv)
{
    volatile float x = -argc;
    volatile double y = -2.5;
    volatile long double z = -0.0L;
    (void)argv;
    return !(fabsf(x) == argc && fabs(y) == 2.5 && !__builtin_signbit(fabsl(z)) && fabs(x) == 1 && (fabs)(y) == 2.5);
}
