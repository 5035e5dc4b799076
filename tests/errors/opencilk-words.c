/* OpenCilk's words in C, without -fopencilk. */
int f(int n) { return n; }
int g(void)
{
    int x = cilk_spawn f(1);     // ERROR: opencilk-word
    cilk_sync;                   // ERROR: opencilk-word
    return x;
}
