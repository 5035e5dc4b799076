// AST
int i = 42; unsigned long long u = 0xffull; int c = 'a'; int w = L'\x3b1'; double d = 1.5e3; float f = 2.5f;
const char *s = "one" " two\n"; const int *l = L"ab";
