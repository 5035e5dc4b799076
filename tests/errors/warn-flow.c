// FLAGS: -Wall -Wextra
/* What follows from where control goes: in C functions as in Cilk procedures. */
#include <stdlib.h>
int effect(void);
int first(int a) { int x; if (a) x = 1; return x; }                             // WARNING: maybe-uninitialized
int never(int a) { int x; if (a) return x; x = 1; return x; }                   // WARNING: uninitialized
int by_jump(int a) { int x; goto use; use: return x + a; }                      // WARNING: uninitialized
int over_jump(int a) { int x; if (a) goto set; x = 2; goto use; set: x = 1; use: return x; }
int closed(int a) { int x; if (0) x = 1; return x + a; }                        // WARNING: uninitialized
int in_loop(int a) { int x; while (a--) { if (a == 3) return x; x = a; } return 0; }
int dropped(void) { int x; (void)x; return __builtin_constant_p(x); }
int sure(int a) { if (a) return 1; abort(); }
int perhaps(int a) { if (a) return 1; (void)(a && (abort(), 1)); }              // WARNING: return-type
int inner(int a) { if (a) return 1; (void)(a && ({ abort(); 1; })); }           // WARNING: return-type
int for_ever(void) { for (;;) effect(); }
int broken(void) { while (1) { if (effect()) break; } }                         // WARNING: return-type
int either(int a) { if (a) return 1; else abort(); }
_Noreturn void comes_back(int a) { if (a) abort(); }                            // WARNING: invalid-noreturn
int cases(int a)
{
    switch (a) {
    case 0: effect();
    case 1: effect(); break;                                                    // WARNING: implicit-fallthrough
    case 2: abort();
    case 3: return 3;
    case 4: if (a) return 1; else return 2;
    case 5: effect(); /* falls through */
    case 6: case 7: effect();
        __attribute__((fallthrough));
    case 8: { effect(); goto out; }
    default: for (;;) effect();
    }
out:
    return 1;
}
