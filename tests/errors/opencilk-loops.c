// FLAGS: -fopencilk
// Headers and bodies of cilk_for that are none.
#include <cilk/cilk.h>
struct node { struct node *next; } *list;
int f(int), v[100], n;
_Bool flag;
void function(void);
void no_declaration(void) { int i = 0; cilk_for (; i < 9; i++) v[i] = 0; }              // ERROR: cilk-for-form
void no_value(void) { cilk_for (int i; i < 9; i++) v[0] = 0; }                          // ERROR: cilk-for-form
void truth(void) { cilk_for (_Bool b = 0; b < 1; b++) v[0] = 0; }                       // ERROR: cilk-for-form
void walks_a_list(void) { cilk_for (struct node *p = list; p; p = p->next) v[0] = 0; }  // ERROR: cilk-for-form
void halves(void) { cilk_for (int i = 99; i > 0; i /= 2) v[i] = 0; }                    // ERROR: cilk-for-form
void two_steps(void) { cilk_for (int i = 0, j = 0; i < 9; i++, j++) v[i] = j; }         // ERROR: cilk-for-form
void two_tests(void) { cilk_for (int i = 0; i < 9 && v[i]; i++) v[i] = 0; }             // ERROR: cilk-for-form
void a_call(void) { cilk_for (int i = 0; f(i); i++) v[i] = 0; }                         // ERROR: cilk-for-form
void of_another(void) { cilk_for (int i = 0; n < 9; i++) v[i] = 0; }                    // ERROR: cilk-for-form
void twice_the_same(void) { cilk_for (int i = 0; i + 1 < 9; i++) v[i] = 0; }            // ERROR: cilk-for-form
void reversed(void) { cilk_for (int i = 0; i < 9; i = 1 - i) v[i] = 0; }                // ERROR: cilk-for-form
void away(void) { cilk_for (int i = 9; i > 0; i++) v[i] = 0; }                          // ERROR: cilk-for-form
void to_a_double(void) { double e = 9; cilk_for (int i = 0; i < e; i++) v[i] = 0; }     // ERROR: cilk-for-form
void to_a_number(void) { cilk_for (int *p = v; p < 9; p++) *p = 0; }                    // ERROR: cilk-for-form
void over_void(void) { cilk_for (void *p = v; p < (void *)(v + 9); p++) f(1); }         // ERROR: cilk-for-form
void over_functions(void) { cilk_for (void (*p)(void) = function; p != 0; p++) p(); }   // ERROR: cilk-for-form
void unknown(void) { cilk_for (int i = 0; i < undeclared_; i++) v[i] = 0; }             // ERROR: undeclared
void breaks(void) { cilk_for (int i = 0; i < 9; i++) { if (v[i]) { v[0] = 1; break; } } }   // ERROR: cilk-jump
void in_switch(void) { switch (n) { case 1: cilk_for (int i = 0; i < 9; i++) break; } }     // ERROR: cilk-jump
int finds(void) { cilk_for (int i = 0; i < 9; i++) { if (v[i]) return i; } return -1; }     // ERROR: cilk-jump
void inner(void) { cilk_for (int i = 0; i < 9; i++) for (int j = 0; j < 9; j++) if (v[j]) return; }   // ERROR: cilk-jump
int in_expression(void) { return ({ cilk_for (int i = 0; i < 9; i++) v[i] = 0; 1; }); } // ERROR: cilk-for-form
