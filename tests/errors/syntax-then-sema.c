/* Sema runs after syntax errors, and keeps quiet about what the unreadable text would have declared. */
struct p { int x y; int z; };              /* ERROR: 2:18 expected-token */
enum colour { RED, GREEN BLUE };           /* ERROR: 3:26 syntax */
int take(int n)
{
    int k = n * 2                          /* ERROR: expected-token */
    return k + unknown;                    /* ERROR: 7:16 undeclared */
}
int broken(int a, int [) { return a; }     /* ERROR: syntax */
int main(void)
{
    struct p q;
    q.y = 3;
    q.z = "text";                          /* WARNING: int-conversion */
    q.none = 3;                            /* ERROR: no-member */
    int c = RED + BLUE;
    int d = * ;                            /* ERROR: syntax */
    double *s = 3.5;                       /* ERROR: incompatible-types */
    return broken(1) + take(c) + d + nothing;   /* ERROR: undeclared */
}
