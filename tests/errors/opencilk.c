// FLAGS: -fopencilk
// What cilk_spawn, cilk_for and cilk_scope cannot be, each with what to write.
#include <stdio.h>
int f(int), n, v[100];
void nothing(void);
struct bits { unsigned b : 3; };
int outside = cilk_spawn f(1);                                          // ERROR: cilk-spawn-form
int operand(void) { int x = 1 + cilk_spawn f(1); return x; }            // ERROR: cilk-spawn-form
int update(void) { int x = 0; x += cilk_spawn f(1); return x; }         // ERROR: cilk-spawn-form
int condition(void) { if (cilk_spawn f(1)) return 1; return 0; }        // ERROR: cilk-spawn-form
int header(void) { for (int i = cilk_spawn f(1); i < 3; i++) n++; return 0; }   // ERROR: cilk-spawn-form
int no_call(void) { int x; x = cilk_spawn n; return x; }                // ERROR: cilk-spawn-form
int two(void) { printf("%d %d", cilk_spawn f(1), cilk_spawn f(2)); return 0; }   // ERROR: cilk-spawn-form
int in_expression(void) { return ({ cilk_spawn f(1); 1; }); }           // ERROR: cilk-spawn-form
int returned(void) { return cilk_spawn f(1); }                          // WARNING: cilk-spawn-return
int no_value(void) { int x = cilk_spawn nothing(); return x; }          // ERROR: spawn-incompatible
int bit_field(void) { struct bits b; b.b = cilk_spawn f(1); cilk_sync; return b.b; }   // ERROR: spawn-bit-field
void leaves(void) { for (;;) cilk_spawn { break; } }                    // ERROR: cilk-jump
void goes_on(void) { for (;;) cilk_spawn { continue; } }                // ERROR: cilk-jump
int returns(void) { cilk_spawn { return 1; } return 0; }                // ERROR: cilk-jump
void stops(void) { cilk_for (int i = 0; i < 9; i++) if (v[i]) break; }  // ERROR: cilk-jump
int finds(void) { cilk_for (int i = 0; i < 9; i++) for (;;) if (v[i]) return i; return 0; }   // ERROR: cilk-jump
void other(void) { int i; cilk_for (i = 0; i < 9; i++) v[i] = 0; }      // ERROR: cilk-for-form
void endless(void) { cilk_for (int i = 0; ; i++) v[i] = 0; }            // ERROR: cilk-for-form
void stays(void) { cilk_for (int i = 0; i < 9; ) v[i] = 0; }            // ERROR: cilk-for-form
void equal(void) { cilk_for (int i = 0; i == 9; i++) v[i] = 0; }        // ERROR: cilk-for-form
void shifted(void) { cilk_for (int i = 0; (i << 1) < 9; i++) v[i] = 0; }   // ERROR: cilk-for-form
void doubled(void) { cilk_for (int i = 1; i < 9; i *= 2) v[i] = 0; }    // ERROR: cilk-for-form
void another(void) { cilk_for (int i = 1; i < 9; n++) v[i] = 0; }       // ERROR: cilk-for-form
void floating(void) { cilk_for (double x = 0; x < 9; x++) v[0] = 0; }   // ERROR: cilk-for-form
void fraction(void) { cilk_for (int i = 0; i < 9; i += 0.5) v[i] = 0; } // ERROR: cilk-for-form
void wrong_way(void) { cilk_for (int i = 0; i < 9; i -= 2) v[i] = 0; }  // ERROR: cilk-for-form
void on_the_spot(void) { cilk_for (int i = 0; i < 9; i += 0) v[i] = 0; }   // ERROR: cilk-for-form
void empty(void) { cilk_for (int i = 0; i < 9; i++); }                  // WARNING: empty-body
int empty_too(void) { cilk_for (int i = 0; i < 9; i++); return 0; }     // WARNING: empty-body
void into(void) { goto in; cilk_spawn { in: f(1); } }                   // ERROR: undefined-label
int cilk_spawn;                                                         // ERROR: cilk-word-as-name
int cilk_reducer(no_zero, no_plus) both;                                // ERROR: 38:18 undeclared ERROR: 38:27 undeclared
