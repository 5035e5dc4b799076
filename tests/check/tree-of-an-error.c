// RUN: emit --stage ast %s
// STATUS: 1
int before = 1;
int broken(void) { return missing; }
// CHECK: tree-of-an-error.c:4:27: error: {{.*}}[undeclared]
// CHECK-NOT: Traceback
