// A round of the loop chooses twice from the value of the round before, so that copies of its body would only wait for
// each other: there is no loop of four rounds, and none for the rest.
// RUN: emit --stage ir -O3 %s
// CHECK: @row(
// CHECK: call i32 @llvm.smax.i32
// CHECK-NOT: .epil
// CHECK-NOT: unroll_iter
void row(int *row, const char *a, char b, int n, int left, int diagonal) {
  for (int c = 0; c < n; c++) {
    int above = row[c], best = above > left ? above : left;
    if (a[c] == b && diagonal + 1 > best) best = diagonal + 1;
    diagonal = above;
    row[c] = left = best;
  }
}
