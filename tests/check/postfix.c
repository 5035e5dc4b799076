// AST
struct point { int x, y; union { int deep; float other; }; } s, *p;
int array[4]; int (*pointer)(int, ...); int prototype(int, ...);
int postfix(int i) { s.x = p->y; s.deep = 1; array[i] = 2[array]; prototype(i, 'c', 1.0f); return pointer(i); }
