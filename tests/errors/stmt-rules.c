/* Statements in wrong places. */
int i;
struct s { int i; } s;
enum e { A, B };

void statements(int n)
{
    break;                           // ERROR: 8:5 break-outside
    continue;                        // ERROR: 9:5 continue-outside
    case 1: ;                        // ERROR: case-outside
    default: ;                       // ERROR: case-outside
    goto nowhere;                    // ERROR: 12:10 undefined-label
twice: ;
twice: ;                             // ERROR: 14:1 redefined-label
    switch (s) { }                   // ERROR: 15:13 switch-type
    switch (n) {
    case 1: case 2: case 3 ... 7:
        break;
    case 2:                          // ERROR: 19:10 duplicate-case
    case 'x': case 120:              // ERROR: 20:20 duplicate-case
    case 5:                          // ERROR: 21:10 duplicate-case
    case 1.5:                        // ERROR: 22:10 constant-not-integer
        ;
    default: ;
    default: ;                       // ERROR: 25:5 duplicate-case
    }
    switch (n) {
    case i:                          // ERROR: 28:10 not-constant
        continue;                    // ERROR: 29:9 continue-outside
    }
    if (s)                           // ERROR: 31:9 not-scalar
        ;
    while (s.i) { continue; }
    goto over;                       // ERROR: 34:5 jump-into-scope
    {
        int vla[n];
over:
        vla[0] = 1;
    }
}
void falls(int n) { if (n) { __attribute__((fallthrough)); } }   // ERROR: case-outside
