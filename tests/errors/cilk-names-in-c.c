/* In C, Cilk's words are names. */
typedef int cilk;
static int spawn, sync, inlet;
cilk f(cilk spawned) { return spawned + spawn + sync + inlet; }
