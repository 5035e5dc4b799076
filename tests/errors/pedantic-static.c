// FLAGS: -pedantic-errors
static int nowhere(void);                       // ERROR: undefined-internal
int f(void) { return nowhere(); }
