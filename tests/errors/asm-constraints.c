// Constraints with letters that the target does not have.
int f(int v, double d) {
  __asm__("incl %0" : "+U"(v));                   // ERROR: asm-operand
  __asm__("" : : "rz"(v), "x"(d));                // ERROR: asm-operand
  __asm__("" : "=&r"(v), "=@ccz"(v), "+Yz"(d) : "i"(3), "0"(v), "gm"(d));
  __asm__("" : [out] "=a"(v) : [in] "[out]"(v), "r#comment"(v));
  return v;
}
