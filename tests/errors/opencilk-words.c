/* OpenCilk's words in C, without -fopencilk. */
int f(int n) { return n; }
int g(void)
{
    int x = cilk_spawn f(1);     // ERROR: opencilk-word
    cilk_sync;                   // ERROR: opencilk-word
    return x;
}
void h(void) { _Cilk_spawn f(1); }                          // ERROR: opencilk-word
void i(void) { _Cilk_sync; }                                // ERROR: opencilk-word
void j(void) { _Cilk_for (int k = 0; k < 3; k++) f(k); }    // ERROR: opencilk-word
void k(void) { cilk_for (int k = 0; k < 3; k++) f(k); }     // ERROR: opencilk-word
void l(void) { cilk_scope { f(1); } }                       // ERROR: opencilk-word
void m(void) { _Cilk_scope { f(1); } }                      // ERROR: opencilk-word
int _Hyperobject(f, f) n;                                   // ERROR: opencilk-word
int cilk_reducer(f, f) o;                                   // ERROR: opencilk-word
