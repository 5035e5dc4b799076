// What -Wshadow speaks of: objects, and functions hidden by what can be called; nothing of the system's headers.
// FLAGS: -Wshadow
#include <strings.h>
int global;
int function(int x) { return x; }
int f(int n) {
  int global = n;                    // WARNING: shadow
  int function = global;
  int index = function, rindex = 1;
  for (int i = 0; i < n; i++) {
    int n = i;                       // WARNING: shadow-compatible-local
    int (*function)(int) = 0;        // WARNING: shadow-local
    index += n + !function;
  }
  return index + rindex;
}
