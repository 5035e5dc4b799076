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
int over(int n) { if (n) goto skip; int cilk_reducer(zero, plus) r = 0; r += n; skip: return r; }              // ERROR: jump-into-scope
int case_over(int n) { switch (n) { case 1:; int cilk_reducer(zero, plus) r = 0; r++; case 2: return r; } return 0; }   // ERROR: jump-into-scope
int holder_over(int n) { if (n) goto skip; struct holder h = {0}; h.in += n; skip: return h.in; }              // ERROR: jump-into-scope
int back(int n) { again:; int cilk_reducer(zero, plus) r = 0; r += n; if (n--) goto again; return r; }
