// FLAGS: -Wall -Wextra
/* A variable that is only ever set; but the value of an assignment may be what is used. */
int next(void);
int f(int n)
{
    int a, b, c, d;                 // WARNING: unused-but-set-variable // WARNING: unused-but-set-variable
    a = next();
    while ((b = next()) > 3) n++;
    for (c = 0; n < 3; c = 1) n++;
    n += (d = next());
    return n;
}
static int nowhere(int);            // WARNING: undefined-internal
int g(int size) { return size != sizeof(int[4]) && nowhere(size); }
int shared(void) { _Atomic int seen; seen = 1; seen += 3; return 0; }
