// FLAGS: -std=c2x
typedef float real;
enum e : real { A };                                    // ERROR: enum-underlying
int f(a) int a; { return a; }                           // ERROR: old-style-c2x
