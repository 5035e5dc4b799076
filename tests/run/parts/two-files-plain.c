/* In C the Cilk words are ordinary names. */
extern int calls;
static int spawn = 3, inlet = 1;
int plain(int cilk) { int sync = spawn + inlet; return cilk * sync; }
void counted(void) { __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED); }
