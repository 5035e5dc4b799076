// Labels of a block are declared at its beginning.
int labels(int n) {
#pragma GCC diagnostic push
  __label__ early;
  __label__ next;
  int k = 0;
  __label__ late;                                      // ERROR: label-declaration
  early: next: late:
  if (k++ < n) goto early;
  if (k++ < n) goto next;
  if (k++ < n) goto late;
  {
    __label__ own;
    own: if (k++ < n) goto own;
  }
  return ({ k++; __label__ inner; inner: k; });        // ERROR: label-declaration
#pragma GCC diagnostic pop
}
