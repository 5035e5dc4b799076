// Constraints with letters that the target does not have.
int f(int v, double d) {
  __asm__("incl %0" : "+U"(v));                   // ERROR: asm-operand
  __asm__("" : : "rz"(v), "x"(d));                // ERROR: asm-operand
  __asm__("" : "=&r"(v), "=@ccz"(v), "+Yz"(d) : "i"(3), "0"(v), "gm"(d));
  __asm__("" : [out] "=a"(v) : [in] "[out]"(v), "r#comment"(v));
  return v;
}
int matching(int v, double d) {
  __asm__("" : "=r"(v) : "1"(v));                 // ERROR: asm-constraint
  __asm__("" : "=r,m"(v) : "r"(v));               // ERROR: asm-operand
  __asm__("" : "=r,m"(v), "=x,x"(d) : "0,1"(v));
  return v;
}
// Clobbers and operands that do not exist.
void named(int v) {
  __asm__("" : : : "foo");                        // ERROR: asm-operand
  __asm__("" : : : "memory", "cc", "xmm32");      // ERROR: asm-operand
  __asm__("" : : : "%eax", "#rcx", "st(3)", "xmm15", "r9", "bl", "7");
  __asm__("# %1" : : "r"(v));                     // ERROR: asm-operand
  __asm__("# %c5" : : "i"(3));                    // ERROR: asm-operand
  __asm__("# %[w]" : : [v] "r"(v));               // ERROR: asm-operand
  __asm__("# %0 %1 %k[v] %% %= %{ %2" : [v] "+r"(v) : "r"(v));
  __asm__ goto("# %l0 %l[out]" : : : : out);
  __asm__ goto("# %l1" : : : : out);              // ERROR: asm-operand
out:;
}
struct narrow { int field : 3; } narrow;
int other_operands(int v) {
  __asm__("" : "=q0"(v));                         // ERROR: asm-operand
  __asm__("" : "=m"(narrow.field));               // ERROR: asm-operand
  __asm__("" : "=m,r"(narrow.field));             // ERROR: asm-operand
  __asm__("" : : "m"(narrow.field));              // ERROR: asm-operand
  __asm__("" : "=r"(narrow.field) : "rm"(narrow.field));
  __asm__ volatile volatile("");                  // ERROR: asm-operand
  __asm__ volatile inline("");
  return v;
}
