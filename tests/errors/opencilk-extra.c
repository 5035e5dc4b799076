// FLAGS: -fopencilk -Wextra
// -Wextra is clang's with -fopencilk: it has no warning of a case that falls through.
int f(int n, int unused) {                          // WARNING: unused-parameter
    switch (n) {
    case 1: n++;
    case 2: n++;
    }
    return n;
}
#pragma GCC diagnostic warning "-Wimplicit-fallthrough"
int g(int n) {
    switch (n) {
    case 1: n++;
    case 2: n++;                                    // WARNING: implicit-fallthrough
    }
    return n;
}
