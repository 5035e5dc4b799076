// A comma in a constant, which ISO C does not allow: gcc and clang refuse what is left of it unless it is a constant, too.
int f(int x) {
  switch (x) {
    case 1: return 0;
    case (x, 1): return 1;                             // ERROR: not-constant
    case (x++, 1): return 1;                           // ERROR: not-constant
    case ((void)0, (void)0, 2): return 2;
    case 1 || (x, 3): return 3;                        // ERROR: duplicate-case
  }
  return (x, 0) ? 1 : 2;
}
static int folded = (1, 2);
int variable;
static int comma = (variable, 2);                      // ERROR: not-constant
static int discarded = ((void)variable, 2);            // ERROR: not-constant
