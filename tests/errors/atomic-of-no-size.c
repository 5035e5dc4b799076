// Nothing can be exchanged in an object without bytes.
struct empty {};
void f(struct empty *p, struct empty *q, struct empty *r) {
  __atomic_exchange(p, q, r, 5);  // ERROR: builtin-argument
}
