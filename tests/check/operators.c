// AST
int a, b, *p;
void unary(void) { a = -b; a = ~b; a = !b; a = +b; a = *p; p = &b; ++a; --a; a++; b--; }
void binary(void) { a = a * b / a % b + a - b; a = a << b >> 1; a = a < b > a; a = a <= b >= a; a = (a == b) != (a & b ^ a | b); a = a && b || a; a = (b, a); }
void assign(void) { a += b; a <<= 2; p -= 1; b = a ? b : 3; b = a ?: 4; }
