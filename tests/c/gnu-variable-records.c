/* GNU: structs with members of variable size: layout, copies, sizeof, offsetof, arrays of them, by reference through "...". */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static int layout(int n) {
  struct s { char head; int a[n]; char mid; double d[n]; char tail; } x, y;
  printf("%d: %zu %zu %zu %zu\n", n, sizeof x, offsetof(struct s, mid), offsetof(struct s, d), offsetof(struct s, tail));
  memset(&x, 0, sizeof x);
  for (int i = 0; i < n; i++) x.a[i] = i * 3, x.d[i] = i / 2.0;
  x.head = 'h', x.mid = 'm', x.tail = 't';
  y = x;
  struct s *p = &y;
  int sum = p->head + p->mid + p->tail;
  for (int i = 0; i < n; i++) sum += p->a[i] + (int)(2 * p->d[i]);
  printf("%d %zu\n", sum, offsetof(struct s, d[n - 1]) - offsetof(struct s, d));
  return n;
}

static void arrays(int n) {
  typedef struct { short v[n]; } row;
  row rows[n], *r = rows;
  n++;                                                /* the size was fixed where the type was */
  for (int i = 0; i < n - 1; i++) for (int k = 0; k < n - 1; k++) r[i].v[k] = (short)(10 * i + k);
  printf("%zu %zu %d\n", sizeof(row), sizeof rows, rows[n - 2].v[n - 2]);
  struct __attribute__((packed)) { char c[n]; int i; unsigned b : 3; } k;
  k.i = 5, k.b = 6;
  printf("%zu %d %d\n", sizeof k, k.i, k.b);
}

static int pick(int n, ...) {
  struct { char c[n]; } x;
  va_list ap;
  va_start(ap, n);
  int r = va_arg(ap, int);
  x = va_arg(ap, __typeof(x));
  r += va_arg(ap, int);
  va_end(ap);
  for (int i = 0; i < n; i++) r = r * 2 + x.c[i];
  return r;
}

static int list(int n) {
  struct s { struct s *next; int v[n]; int last; } a, b;
  int own(void) { return b.last + (int)sizeof a; }
  a.next = &b, b.next = &a, a.last = 5, b.last = 4, n = 0;
  return own() + a.next->last * 100 + a.next->next->last * 1000;
}

int main(void) {
  printf("%d\n", list(3));
  layout(1);
  layout(5);
  arrays(4);
  int n = 3;
  struct { char c[n]; } x;
  x.c[0] = 1, x.c[1] = 0, x.c[2] = 1;
  printf("%d\n", pick(n, 20, x, 22));
  struct r { int len; char text[n + 5]; };
  struct r make(const char *s) { struct r t; t.len = (int)strlen(s); strcpy(t.text, s); return t; }
  int twice(struct r a) { return 2 * a.len + a.text[0]; }
  struct r v;
  v = make("seven");
  printf("%s %d %d\n", v.text, v.len, twice(v));
  return 0;
}
