/* FLAGS: -Wall */
/* What is declared with a type that may be unused may be unused; what it is a part of may not. */
typedef char *cp __attribute__((unused));
struct __attribute__((unused)) S { int x; };
typedef struct { int y; } T __attribute__((unused));
struct P { int x; };
void f(void)
{
    cp a;
    struct S b;
    T c;
    cp *d;                 // WARNING: unused-variable
    struct S *e;           // WARNING: unused-variable
    struct P g;            // WARNING: unused-variable
    char *__attribute__((unused)) h;
    char **__attribute__((unused)) i, *j;      // WARNING: unused-variable
}
