// FLAGS: --max-errors=0
int a = ;                           // ERROR: 2:9 syntax
int b[] = {1,,2};                   // ERROR: 3:14 empty-place
int c[] = {1 2};                    // ERROR: 4:14 syntax
int x int y;                        // ERROR: 5:7 expected-token
int f(int p q) { return p; }        // ERROR: 6:13 syntax
int g(int p, ..., int q);           // ERROR: 7:19 ellipsis-not-last
int h(int, );                       // ERROR: 8:12 syntax
int (*)(int);                       // ERROR: 9:7 syntax
enum { A B };                       // ERROR: 10:10 syntax
enum { , C };                       // ERROR: 11:8 syntax
struct s { int m } one;             // WARNING: missing-member-semicolon
struct t { int n; } int k(void) { return 0; }      // ERROR: 13:21 missing-semicolon-struct
unknown1 d;                         // ERROR: 14:1 unknown-type
static unknown2 *e;                 // ERROR: 15:8 unknown-type
int i(unknown3 p, int q);           // ERROR: 16:7 unknown-type
int j(int p, unknown4 *q) { return p; }            // ERROR: 17:14 unknown-type
struct u { unknown5 m; unknown5 *n; };             // ERROR: 18:12 unknown-type
int l(void) { unknown6 m; unknown6 n; return 0; }  // ERROR: 19:15 unknown-type
int m(void) { unknown7 *m; return 0; }             // ERROR: 20:15 unknown-type
int n(void *p) { return *(unknown8 *)p; }          // ERROR: 21:27 unknown-type
unknown1 again;
}                                   // ERROR: 23:1 extraneous-brace
while (1) ;                         // ERROR: 24:1 syntax
int last(void) { return 1; }
__asm__ volatile("");               // ERROR: 26:9 syntax
int plain;
__asm__("");
