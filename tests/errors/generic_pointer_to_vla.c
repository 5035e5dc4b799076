// The types of _Generic are known before the program runs, also those that are pointed to.
int f(int n)
{
  return _Generic(&n, int (*)[n]: 1, default: 2);      // ERROR: generic-type
}
int g(int n)
{
  return _Generic(&n, int (*)[3]: 1, int *: 2);
}
