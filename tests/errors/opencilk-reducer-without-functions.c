// FLAGS: -fopencilk
// A reducer of C names its functions.
int _Hyperobject x;                                 // ERROR: cilk-reducer-callback
static int cilk_reducer y = 1;                      // ERROR: cilk-reducer-callback
void f(int n) { int _Hyperobject *p = &x; n++; }    // ERROR: cilk-reducer-callback
