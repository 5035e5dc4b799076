// ARGS: --stats -n 12 --nproc=3 file
// argv is the program's own, options of the runtime's names too; getopt reads it; main calls itself.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int fib(int n) { if (n < 2) return n; int x = cilk_spawn fib(n - 1); int y = fib(n - 2); cilk_sync; return x + y; }
static int depth;
int main(int argc, char *argv[], char **envp) {
    if (depth++ < 2) {
        char *fewer[] = {argv[0], "again", NULL};
        int r = cilk_spawn main(2, fewer, envp);
        cilk_sync;
        if (r) return r;
    }
    printf("%d", argc);
    for (int i = 1; i < argc; i++) printf(" %s", argv[i]);
    printf(" %d\n", fib(argc + 8));
    return argv[argc] != NULL || envp == NULL;
}
