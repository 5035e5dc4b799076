// Without -fopencilk the words of OpenCilk are names like others.
int cilk_spawn = 3, cilk_sync = 1, cilk_scope;
struct cilk_reducer { int n; };
int cilk_for(int x) { return cilk_spawn + cilk_sync + cilk_scope + x; }
int main(void) {
    struct cilk_reducer r = {-4};
    return cilk_for(r.n);
}
