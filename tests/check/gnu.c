// AST
typedef __builtin_va_list va_list;
int statement(int n) { return ({ int twice = n + n; twice + 1; }); }
void *labels(int n) { __label__ here; void *to = &&here; goto *to; here: (void)(__extension__ n); return to; }
int arguments(int n, ...) { va_list list; __builtin_va_start(list, n); int got = __builtin_va_arg(list, int); __builtin_va_end(list); return got; }
double parts(_Complex double z) { return __real__ z + __imag__ z; }
int nested(int n) { int inner(int k) { return n + k; } return inner(1); }
