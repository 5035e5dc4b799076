// AST
typedef int number; static number s = 1; extern int e; _Thread_local int t; const volatile int cv = 2;
enum colour { RED, GREEN = 5, BLUE }; struct bits { unsigned a : 3, : 2, b : 4; } bits; union u { int i; float f; } un;
int (*table[3])(int, char); int matrix[2][3]; _Atomic int at; _Alignas(16) char aligned[4]; __typeof__(s) like_s;
static inline int helper(int x) { static int calls; register int r = x; calls++; return r; }
int old(a, b) int a; char b; { return a + b; }
int uses(void) { return helper(BLUE); } int __attribute__((noinline, section(".other"))) marked(void) { return 0; }
