// FLAGS: -Wmissing-declarations -Wnonnull -Wvla
// Warnings that only their own flag, or -Wall, brings.
static void needs(int *p, int *q) __attribute__((nonnull(1)));
static void needs(int *p, int *q) { *p = q != 0; }

void undeclared(int n) {                        // WARNING: missing-declarations
  int many[n];                                  // WARNING: vla
  needs(0, 0);                                  // WARNING: nonnull
  needs(many, 0);
}
