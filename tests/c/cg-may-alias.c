/* An object read and written through a may_alias type. */
typedef unsigned __attribute__((may_alias)) alias_u;
static int set(float *f, alias_u *u) { *f = 1.0f; *u = 0x40000000; return *f == 2.0f; }
int main(void) { float x; return !set(&x, (alias_u *)&x); }
