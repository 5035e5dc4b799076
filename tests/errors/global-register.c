// A register variable at file scope can be a register only that functions do not use for their own values.
register long state __asm__("r15");               // ERROR: global-register
register unsigned long stack __asm__("rsp");
long below(void) { return (long)stack; }
int other(void) { register int local __asm__("r15") = 3; return local; }
