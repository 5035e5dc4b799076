// FLAGS: -fopencilk
// Types that no reducer has, and callbacks that are none.
void zero(void *view), plus(void *left, void *right);
typedef int cilk_reducer(zero, plus) sum;
volatile int cilk_reducer(zero, plus) changing;                                 // ERROR: cilk-reducer-type
sum cilk_reducer(zero, plus) of_a_reducer;                                      // ERROR: cilk-reducer-type
void variable(int n) { typedef int row[n]; row cilk_reducer(zero, plus) v; }    // ERROR: cilk-reducer-type
int cast(int n) { return (sum)n; }                                              // ERROR: cast-type
int cilk_reducer(1, 2) numbers;                                                 // ERROR: cilk-reducer-callback
int cilk_reducer(nowhere, plus) unknown;                                        // ERROR: undeclared
int cilk_reducer(plus, zero) swapped;                                           // ERROR: cilk-reducer-callback
int cilk_reducer(zero, plus, zero) three;                                       // ERROR: syntax
int cilk_reducer none;                                                          // ERROR: cilk-reducer-callback
int cilk_reducer(zero, +) operator;                                             // ERROR: syntax
extern sum again;
extern int again;                                                               // ERROR: conflicting-types
void several(void) { sum local[3] = {1, 2}; local[1]++; }
