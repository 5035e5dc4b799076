// FLAGS: -fopencilk
// More places that have no cilk_spawn or cilk_sync, and what messages say to write.
#include <cilk/cilk.h>
int f(int), g(int, int), v[10];
void nothing(void);
struct big { int n[30]; } make(void);
int *p;
int in_while(int n) { while (cilk_spawn f(n)) n--; return n; }                  // ERROR: cilk-spawn-form
int in_switch(int n) { switch (cilk_spawn f(n)) { case 1: return 2; } return n; }   // ERROR: cilk-spawn-form
int in_step(void) { for (int i = 0; i < 9; i += cilk_spawn f(1)) f(i); return 0; }  // ERROR: cilk-spawn-form
int in_index(void) { return v[cilk_spawn f(1)]; }                               // ERROR: cilk-spawn-form
int in_comma(void) { int x = (f(1), cilk_spawn f(2)); cilk_sync; return x; }    // ERROR: cilk-spawn-form
int in_cast(void) { long x = (long)cilk_spawn f(2); cilk_sync; return x; }      // ERROR: cilk-spawn-form
int in_braces(void) { int x[2] = {cilk_spawn f(1), 2}; cilk_sync; return x[0]; }   // ERROR: cilk-spawn-form
int in_logic(int n) { return n && cilk_spawn f(n); }                            // ERROR: cilk-spawn-form
int in_not(int n) { int x = !cilk_spawn f(n); cilk_sync; return x; }            // ERROR: cilk-spawn-form
int in_sizeof(void) { return sizeof(cilk_spawn f(1)); }                         // ERROR: cilk-spawn-form
int chosen_in_expression(int n) { return ({ n ? cilk_spawn f(1) : cilk_spawn f(2); 1; }); }   // ERROR: cilk-spawn-form
int chosen_in_header(int n) { for (n ? cilk_spawn f(1) : cilk_spawn f(2); n; n--) f(n); return 0; }   // ERROR: cilk-spawn-form
int in_static(void) { static int x = cilk_spawn f(1); return x; }               // ERROR: cilk-spawn-form
int in_spawn(void) { cilk_spawn g(cilk_spawn f(1), 2); return 0; }              // ERROR: cilk-spawn-form
int an_operand(void) { int x; x = f(1) + cilk_spawn f(2); cilk_sync; return x; }   // ERROR: cilk-spawn-form
int a_number(void) { int x = cilk_spawn 3; return x; }                          // ERROR: cilk-spawn-form
int a_name(void) { cilk_spawn f; return 0; }                                    // ERROR: cilk-spawn-form
int as_value(void) { int x = 0; x = cilk_spawn nothing(); return x; }           // ERROR: spawn-incompatible
int as_pointer(void) { p = cilk_spawn make(); cilk_sync; return *p; }           // ERROR: incompatible-types
void of_no_type(void) { __auto_type x = cilk_spawn nothing(); }                 // ERROR: cilk-spawn-form
void of_two_types(int n) { __auto_type x = n ? cilk_spawn f(n) : 2; }           // ERROR: cilk-spawn-form
int to_constant(void) { const int x = 1; x = cilk_spawn f(1); return x; }       // ERROR: assign-to-const
int to_value(void) { f(1) = cilk_spawn f(1); return 0; }                        // ERROR: not-an-lvalue
int to_array(void) { int x[3]; x = cilk_spawn f(1); return 0; }                 // ERROR: array-not-assignable
int few(void) { int x = cilk_spawn g(1); cilk_sync; return x; }                 // ERROR: argument-count
int no_function(void) { int x = cilk_spawn v(1); cilk_sync; return x; }         // ERROR: call-non-function
int a_label(void) { cilk_spawn { goto out; } out: cilk_sync; return 0; }        // ERROR: undefined-label
void both_ways(void) { cilk_for (int i = 0; i < 9; i++) { if (i) goto out; } out:; }   // ERROR: undefined-label
void leaves_at_once(void) { for (;;) cilk_spawn break; }                        // ERROR: cilk-jump
int returns_at_once(void) { cilk_spawn return 1; return 0; }                    // ERROR: cilk-jump
int sync_in_expression(void) { return ({ cilk_sync; 1; }); }                    // ERROR: spawn-in-expression
int after_comma(int n) { if (n, cilk_spawn f(n)) return 1; return 0; }          // ERROR: cilk-spawn-form
void a_constant(void) { cilk_spawn 3; }                                         // ERROR: cilk-spawn-form
void into_loop(void) { goto in; cilk_for (int i = 0; i < 9; i++) { in: f(i); } }       // ERROR: undefined-label
void into_scope(int n) { goto in; cilk_scope { cilk_spawn f(n); in: f(n); } }   // ERROR: jump-into-statement-expression
void case_in_scope(int n) { switch (n) { cilk_scope { case 1: cilk_spawn f(n); } default: f(2); } }   // ERROR: jump-into-statement-expression
void out_of_scope(int n) { cilk_scope { cilk_spawn f(n); if (n) goto out; f(n); } out: f(n); }
void round(int n) { again: cilk_scope { cilk_spawn f(n); if (n--) goto again; } }
int in_argument(int n) { int x = f(cilk_spawn f(n)); return x; }                 // ERROR: cilk-spawn-form
