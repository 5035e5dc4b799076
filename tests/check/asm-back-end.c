// RUN: -c %s -o /dev/null
// STATUS: 1
// What only the back end and the assembler know is reported with the line of the statement.
void wrong_instruction(void)
{
  __asm__ volatile("no_such_instruction");
}
void wrong_register(void)
{
  int v;
  double d = 1;
  __asm__ volatile("" : "=x"(v) : "t"(d), "u"(d) : "st", "st(1)");
}
// CHECK: asm-back-end.c:{{6|12}}:
