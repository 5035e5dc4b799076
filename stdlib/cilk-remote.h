/* cilk-remote.h - several machines (docs/travel.md): `remote` marks what other machines may run.
 *
 *     remote thread fib(cont int k, int n) { .. }
 *     remote cilk int search(struct place p) { .. }
 *
 * The processes of one computation are its ranks; rank 0 runs main. They share no memory: arguments and results are
 * values, and each rank has global variables of its own. Those that remote code reads are set in Cilk_each_rank. */
#ifndef CILK_REMOTE_H
#define CILK_REMOTE_H

#ifdef __CILK__
#define remote __attribute__((cilk_remote))
#else
#define remote
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* If the program defines it, every rank calls it once, before anything of Cilk runs there; with the program's own
 * arguments. `rank` is 0 .. ranks - 1. Without --dist: rank 0 of 1. */
void Cilk_each_rank(int rank, int ranks, int argc, char *argv[]);

#ifdef __cplusplus
}
#endif

#endif
