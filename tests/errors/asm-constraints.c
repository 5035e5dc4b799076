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
