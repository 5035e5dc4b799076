// Part of inside_near.c, compiled by a C compiler.
int plain(int (*f)(int), int n) { return f(n) + 1; }
