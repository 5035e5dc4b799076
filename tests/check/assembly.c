// AST
__asm__(".globl at_file_scope");
int add(int a, int b) { __asm__ volatile("add %1, %0" : "+r"(a) : [other] "r"(b) : "cc", "memory"); return a; }
int jump(int n) { __asm__ goto("" : : "r"(n) : : out); return 1; out: return 0; }
