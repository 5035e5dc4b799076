// FLAGS: -fopencilk
// What cannot be a reducer, and what cannot be its functions.
struct incomplete;
void zero(void *view);
void plus(void *left, void *right);
int wrong(void *left, void *right);
int variable;
struct holder { int cilk_reducer(zero, plus) in; };
int cilk_reducer(zero, plus) right_one, plain;
const int cilk_reducer(zero, plus) constant;                 // ERROR: cilk-reducer-type
void cilk_reducer(zero, plus) nothing;                       // ERROR: cilk-reducer-type
_Atomic int cilk_reducer(zero, plus) atomic;                 // ERROR: cilk-reducer-type
struct holder cilk_reducer(zero, plus) nested;               // ERROR: cilk-reducer-type
struct incomplete cilk_reducer(zero, plus) unknown;          // ERROR: incomplete-type
int cilk_reducer(plus, plus) two_parameters;                 // ERROR: cilk-reducer-callback
int cilk_reducer(zero, wrong) with_a_result;                 // ERROR: cilk-reducer-callback
int cilk_reducer(zero, variable) no_function;                // ERROR: cilk-reducer-callback
void takes(int cilk_reducer(zero, plus) by_value);           // ERROR: cilk-reducer-type
int cilk_reducer(zero, plus) returns(void);                  // ERROR: cilk-reducer-type
void uses(int *p) { p = __builtin_addressof(right_one); (void)p; }   // WARNING: incompatible-pointer-types
