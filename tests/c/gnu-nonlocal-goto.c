/* GNU: goto from a nested function to a __label__ of a function around it; labels' addresses from there; recursion. */
#include <stdio.h>
#include <stdlib.h>

static int search(const int *v, int n, int wanted) {
  __label__ found, none;
  int at = -1, calls = 0;
  void look(int lo, int hi) {
    calls++;
    if (lo >= hi) return;
    int mid = lo + (hi - lo) / 2;
    if (v[mid] == wanted) { at = mid; goto found; }
    look(lo, mid);
    look(mid + 1, hi);
    if (lo == 0 && hi == n) goto none;
  }
  look(0, n);
  return -100;
found:
  return at;
none:
  return -calls;
}

static int deep(int n) {
  __label__ out;
  int changed = n;
  void f(int k) {
    void g(int m) {
      changed += m;
      if (m == 0) goto out;
      f(m - 1);
    }
    g(k);
  }
  if (n > 0) changed += deep(n - 1);
  f(n);
  abort();
out:
  return changed;
}

static int loops(int n) {
  int hits = 0;
  for (int i = 0; i < n; i++) {
    __label__ next;
    char vla[i + 1];
    void check(int x) { vla[0] = (char)x; if (x & 1) goto next; }
    check(i);
    hits += vla[0];
  next:;
  }
  return hits;
}

static int by_address(int k) {
  __label__ one, two;
  void *where(int w) { return w == 1 ? &&one : &&two; }
  goto *where(k);
one: return 11;
two: return 22;
}

static int compare(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }

int main(void) {
  __label__ done;
  int v[] = {4, 8, 15, 16, 23, 42};
  printf("%d %d\n", search(v, 6, 23), search(v, 6, 5));
  printf("%d %d\n", deep(3), loops(9));
  printf("%d %d\n", by_address(1), by_address(2));
  int n = 0;
  int counting(const void *a, const void *b) {
    if (++n == 3) goto done;
    return compare(a, b);
  }
  char text[] = "zyxwvut";
  qsort(text, 7, 1, counting);
  puts("never");
done:
  printf("%d\n", n);
  return 0;
}
