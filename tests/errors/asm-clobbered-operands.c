// gcc and clang refuse an operand that has to be in a register that the text destroys.
void f(int x, long y, char *p) {
  asm("" : "=a"(x) : : "eax");                          // ERROR: asm-operand
  asm("" : : "a"(x) : "%rax");                          // ERROR: asm-operand
  asm("" : "+&D"(p), "=S"(y) : : "di", "memory");       // ERROR: asm-operand
  asm("" : "=b"(x) : "0"(x), "c"(y) : "cc", "cl");      // ERROR: asm-operand
  asm("" : "=a"(x), "=d"(y) : "c"(x) : "rbx", "cc");
  asm("" : "=r"(x) : "ri"(y), "ac"(x) : "rax", "memory");
}
