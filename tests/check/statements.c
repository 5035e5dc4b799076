// AST
int f(int n) {
  if (n) n = 1; else { n = 2; }
  while (n < 3) n++;
  do { n--; continue; } while (n > 0);
  for (int i = 0; i < 4; i++) { if (i == 2) break; }
  for (;;) break;
  switch (n) { case 1: n = 5; break; case 2 ... 4: n = 6; default: ; }
again:
  if (n == 9) goto again;
#pragma GCC unroll 2
  _Static_assert(1, "yes");
  return n;
}
void g(void) { return; }
