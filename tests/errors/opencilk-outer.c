// FLAGS: -fcilkplus
// Variables that no loop of Cilk Plus may run over, and texts that are no assignment of one.
extern int global, v[100];
struct s { int i; };
void a_global(void) { _Cilk_for (global = 0; global < 9; global++) v[0] = 0; }          // ERROR: cilk-for-form
void a_static(void) { static int i; _Cilk_for (i = 0; i < 9; i++) v[i] = 0; }           // ERROR: cilk-for-form
void changing(void) { volatile int i; _Cilk_for (i = 0; i < 9; i++) v[i] = 0; }         // ERROR: cilk-for-form
void constant(void) { const int i = 0; _Cilk_for (i = 0; i < 9; i++) v[i] = 0; }        // ERROR: assign-to-const
void floating(void) { float f; _Cilk_for (f = 0; f < 9; f++) v[0] = 0; }                // ERROR: cilk-for-form
void a_member(void) { struct s s; _Cilk_for (s.i = 0; s.i < 9; s.i++) v[s.i] = 0; }     // ERROR: cilk-for-form
void nothing(void) { int i = 0; _Cilk_for (; i < 9; i++) v[i] = 0; }                    // ERROR: cilk-for-form
void adds(void) { int i = 0; _Cilk_for (i += 1; i < 9; i++) v[i] = 0; }                 // ERROR: cilk-for-form
void two(void) { int i, j; _Cilk_for (i = 0, j = 0; i < 9; i++) v[i] = j; }             // ERROR: cilk-for-form
void unknown(void) { _Cilk_for (i = 0; i < 9; i++) v[0] = 0; }                          // ERROR: cilk-for-form
int f(int);
void spawns(void) { int i; _Cilk_for (i = _Cilk_spawn f(1); i < 9; i++) v[i] = 0; }     // ERROR: cilk-spawn-form
void right(void) { int i; _Cilk_for (i = 0; i < 9; i++) v[i] = 0; }
