// FLAGS: -Wall
/* Slips that clang and gcc warn about: empty bodies of loops, numbers added to strings, buffers that are too small, values that only feed themselves. */
#include <stdio.h>
#include <string.h>
int g(int);
void empty(int n) {
  while (n--); g(1);                        // WARNING: empty-body
  while (n--);
  g(2);
  while (g(n));                             // WARNING: empty-body
  { n = 3; }
  for (int i = 0; i < n; i++);              // WARNING: empty-body
    g(i_is_gone());                         // WARNING: implicit-function-declaration
  for (int i = 0; i < n; i++)
    ;
  g(3);
}
void strings(int n) {
  puts("abc" + 1);                          // WARNING: string-plus-int
  puts("abc" + n);                          // WARNING: string-plus-int
  puts(n + "abc");                          // WARNING: string-plus-int
  puts("abc" + 'c');                        // WARNING: string-plus-int
  puts(&"abc"[n]);
}
void buffers(char *s) {
  char b[4];
  sprintf(b, "%s", "hello");                // WARNING: format-overflow
  sprintf(b, "%d", 12345);                  // WARNING: format-overflow
  sprintf(b, "%4c", 'x');                   // WARNING: format-overflow
  sprintf(b, "%.3s", "hello");
  sprintf(b, "%s%%%d", s, (int)strlen(s));
  snprintf(b, 10, "%s", s);                 // WARNING: stringop-overflow
  snprintf(b, sizeof b, "%s", s);
  strcat(b, "abcd");                        // WARNING: stringop-overflow
  printf(s);                                // WARNING: format-security
  printf(s, 1);
}
int fed(int n) {
  int a = 0; a++;                           // WARNING: unused-but-set-variable
  int b = 0; b += n;                        // WARNING: unused-but-set-variable
  int c = 0;                                // WARNING: unused-but-set-variable
  for (int i = 0; i < n; i++) c += i;
  int d = 0; n = d++;
  volatile int e = 0; e++;
  int f = 0, *p = &f; *p += 1;
  return n + (n < 1 && n > 5) + (n != 1 || n != 2);   // WARNING: tautological-overlap-compare // WARNING: tautological-overlap-compare
}
