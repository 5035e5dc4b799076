/* One mistake in a function, one error. */
typedef int T;
int g(int, ...);

int semicolon1(void)
{
    int x = 3                       // ERROR: 7:14 expected-token
    return x;
}
int semicolon2(void) { int x; x = 3 return x; }    // ERROR: 10:37 expected-token
int semicolon3(void) { return 1 }                  // ERROR: 11:33 expected-token
int paren1(int x) { if (x { return 2; } return 3; }            // ERROR: 12:27 syntax
int paren2(void) { g(1, 2; return 3; }                         // ERROR: 13:26 syntax
int bracket(void) { int a[3; return 0; }                       // ERROR: 14:28 syntax
int operand(void) { return 1 + ; }                             // ERROR: 15:32 syntax
int otherwise(void) { else return 1; }                         // ERROR: 16:23 else-without-if
int type1(void) { T + 1; return 0; }                           // ERROR: 17:19 type-as-expression
int type2(void) { int y; y = T; return y; }                    // ERROR: 18:30 type-as-expression
int loop(int n) { for (int i = 0; i < n, i++) { } return 1; }  // ERROR: 19:45 expected-token
int label1(int x) { switch (x) { case: return 3; } return 1; } // ERROR: 20:38 syntax
int label2(void) { goto 3; return 1; }                         // ERROR: 21:25 syntax
int jump(void) { while (1) { break } return 1; }               // ERROR: 22:36 expected-token
int stray(int x) { x ) ; return x; }                           // ERROR: 23:22 syntax
int in_for(void) { for (int f(void) { return 1; } ; ) ; }       // ERROR: body-in-declaration
int inner(int x)
{
    if (x) {
        x = (1;                     // ERROR: 28:15 syntax
    }
    x = 2 + * ;                     // ERROR: 30:15 syntax
    return x;
}
#include <stdio.h>
int fine(void) { return printf("x"); }
int no_body(int n) { while (n) }                                // ERROR: syntax
int no_else(int n) { if (n) n = 1; else }                       // ERROR: syntax
int no_case_body(int n) { switch (n) { case 1: if (n) } return 1; }  // ERROR: syntax
int fine_again(void) { return printf("y"); }
