// A `fallthrough` has a label of its own switch after it, whatever blocks end or begin before the label.
// FLAGS: -std=gnu23
void g(void);
void f(int n) {
  switch (n) {
    case 1:
      g();
      [[fallthrough]];
    case 2:
      if (n) {
        g();
        [[fallthrough]];
      } else [[fallthrough]];
    case 3: {
      g();
      __attribute__((fallthrough));
    }
    here:
    case 4:
      [[fallthrough]];                                 // WARNING: misplaced-fallthrough
      g();
      break;
    case 5:
      switch (n) {
        case 1:
          g();
          [[fallthrough]];                             // WARNING: misplaced-fallthrough
      }
    case 6: [[fallthrough]]; {}; { ; { there: case 7: g(); } }
    default:
      g();
      [[fallthrough]];                                 // WARNING: misplaced-fallthrough
  }
  if (n) goto here;
  goto there;
}
