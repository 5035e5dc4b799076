// FLAGS: -Wno-receiver-written
// goto, break and continue near spawns and loops; labels in spawned blocks and in bodies of cilk_for; retries and state machines.
#include <cilk/cilk.h>
#include <stdio.h>
static int f(int n) { return n * 2 + 1; }
static int retry(int n) {
    int x, tries = 0;
again:
    x = cilk_spawn f(n);
    cilk_sync;
    if (x < 50) { n += 7; if (++tries < 10) goto again; }
    return x * 100 + tries;
}
static int machine(int n) {
    int state = 0, out = 0, v = 0;
    for (;;) {
        switch (state) {
        case 0: v = cilk_spawn f(n); state = 1; break;
        case 1: cilk_sync; out += v; state = n-- > 0 ? 0 : 2; continue;
        case 2: goto end;
        }
    }
end:
    return out;
}
static int search(int n) {
    int found[16] = {0};
    cilk_for (int i = 0; i < 16; i++) {
        for (int k = 1;; k++) {
            if (k * i > n) goto next;
            if (k > 20) break;
            if (k % 2) continue;
            found[i] += k;
        }
        found[i] += 1000;
    next:
        found[i]++;
    }
    int s = 0;
    for (int i = 0; i < 16; i++) s = s * 3 % 100003 + found[i];
    return s;
}
static int blocks(int n) {
    int s = 0;
    cilk_spawn {
        int i = 0;
    loop:
        if (i < n) { s += i++; goto loop; }
        for (int k = 0; k < 10; k++) { if (k == 5) break; s++; }
        switch (n) { case 3: s += 100; break; default: s += 200; }
    }
    cilk_sync;
    return s;
}
static int cleanup(int n) {
    int *p = 0, x = -1;
    if (n < 0) goto fail;
    x = cilk_spawn f(n);
    if (n > 5) goto fail;
    cilk_sync;
    return x;
fail:
    cilk_sync;
    return p == 0 ? x + 1000 : 0;
}
int main(void) {
    for (int n = -1; n < 9; n++) printf("%d %d %d %d %d\n", retry(n), machine(n), search(n * 10), blocks(n), cleanup(n));
    return 0;
}
