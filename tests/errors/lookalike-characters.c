// FLAGS: -Wall
/* Characters that look like those of C: one message a line, and the text is read as it was meant. */
#include <stdio.h>
int quotes(void) { return printf(“hi %d”, 1); }   // ERROR: lookalike-character
int blank(void) { int a = 3 ; return a; }   // ERROR: lookalike-character
int blanks(void) { int x = 4; return x; }   // ERROR: lookalike-character
int semicolon(void) { int a = 3; return a; }   // ERROR: lookalike-character
int dash(int a) { return a – 1; }   // ERROR: lookalike-character
int single(void) { return ‘x’; }   // ERROR: lookalike-character
int compared(int a) { return a ≤ 3; }   // ERROR: lookalike-character
int größe = 3; char *s = "“quoted”"; /* – */
int open(void) { return puts(“open); }   // ERROR: lookalike-character
