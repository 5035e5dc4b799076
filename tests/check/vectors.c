// AST
typedef int four __attribute__((vector_size(16)));
four add(four a, four b) { four c = a + b; c[1] = 7; return c + 1; }
four from(double __attribute__((vector_size(16))) d) { return (four)d; }
