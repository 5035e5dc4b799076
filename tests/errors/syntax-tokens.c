// FLAGS: -Wall
/* What is wrong with single tokens. */
int a = 08;                         // ERROR: 3:9 bad-digit
int b = 0b12;                       // ERROR: bad-digit
int c = 0x;                         // ERROR: 5:9 bad-number
double d = 1.2.3;                   // ERROR: bad-number
double e = 0x1.8;                   // ERROR: bad-number
double f = 1e+;                     // ERROR: bad-number
int g = 12lul;                      // ERROR: bad-suffix
int h = 1lL;                        // ERROR: bad-suffix
double i = 1.5fl;                   // ERROR: bad-suffix-float
int j = '';                         // ERROR: 12:9 empty-character
char k[] = "\xg";                   // ERROR: bad-escape
char l[] = "\u12";                  // ERROR: bad-escape
int m = 'ab';                       // WARNING: 15:9 multichar
int n = 'abcde';                    // WARNING: 16:9 character-too-long
char o[] = "\q";                    // WARNING: 17:13 unknown-escape
char p[] = "\x123";                 // WARNING: escape-out-of-range
void *q = u"a" U"b";                // ERROR: mixed-string-prefixes
int r @ = 1;                        // ERROR: 20:7 stray-character
_Float128x s;                       // ERROR: unsupported-type
int t asm(L"x");                    // ERROR: wide-string-here
#pragma lang sideways               // WARNING: pragmas
#pragma no_such_pragma              // WARNING: unknown-pragmas
int u = sizeof(int named);          // ERROR: 25:20 name-in-type-name
char *v = "not terminated;          // ERROR: 26:11 unterminated-literal
int w;
int x[] = L"\xff" "";
int y;
