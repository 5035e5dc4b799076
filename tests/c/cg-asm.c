/* Inline assembly: constraints, matching and named operands, memory, flags, clobbers, asm goto, register variables, file scope. */
// REQUIRES: gcc
static int fails;
#define CHECK(e) do { if (!(e)) fails += __LINE__; } while (0)
#ifdef __x86_64__
__asm__(".globl from_asm\nfrom_asm:\n\tmov $42, %eax\n\tret\n");
int from_asm(void);
static long mul(long a, long b) { long r; __asm__("imul %2, %0" : "=r"(r) : "0"(a), "r"(b) : "cc"); return r; }
static int flags(int a, int b) { int z; __asm__("cmp %2, %1" : "=@ccl"(z) : "r"(a), "r"(b)); return z; }
static int go(int x) { __asm__ goto("test %0, %0\n\tjne %l[nz]" : : "r"(x) : "cc" : nz); return 0; nz: return 1; }
int main(void) {
  int x = 5, y; __asm__("mov %1, %0\n\tadd $3, %0" : "=&r"(y) : "r"(x)); CHECK(y == 8);
  __asm__("addl %[k], %[v]" : [v] "+r"(x) : [k] "i"(7)); CHECK(x == 12); __asm__ volatile("incl %0" : "+m"(x) : : "memory"); CHECK(x == 13); CHECK(mul(6, 7) == 42);
  unsigned lo, hi; __asm__("mull %3" : "=a"(lo), "=d"(hi) : "a"(0x80000000u), "r"(4u)); CHECK(lo == 0 && hi == 2); CHECK(flags(1, 2) && !flags(2, 1)); CHECK(go(0) == 0 && go(5) == 1); CHECK(from_asm() == 42);
  unsigned char b; __asm__("movb $7, %b0" : "=q"(b)); CHECK(b == 7); short w; __asm__("movw $300, %w0" : "=r"(w)); CHECK(w == 300); long q; __asm__("movq $-1, %q0" : "=r"(q)); CHECK(q == -1); int h = 0x1234; __asm__("xchgb %b0, %h0" : "+Q"(h)); CHECK(h == 0x3412);
  double d = 2, e; __asm__("sqrtsd %1, %0" : "=x"(e) : "x"(d)); CHECK(e > 1.414 && e < 1.415); long double ld = 4; __asm__("fsqrt" : "+t"(ld)); CHECK(ld == 2);
  int arr[4] = { 1, 2, 3, 4 }, s; __asm__("movl 8(%1), %0" : "=r"(s) : "r"(arr), "m"(*(int (*)[4])arr)); CHECK(s == 3); char from[5] = "abcd", to[5]; void *S = from, *D = to; long n = 5; __asm__ volatile("rep movsb" : "+S"(S), "+D"(D), "+c"(n) : : "memory"); CHECK(to[3] == 'd' && n == 0);
  register long r10 __asm__("r10") = 77; long got; __asm__("mov %1, %0" : "=r"(got) : "r"(r10)); CHECK(got == 77); struct { int v; } st = { 9 }; __asm__("add $1, %0" : "+r"(st.v)); CHECK(st.v == 10);
  __asm__ volatile("" : : : "memory"); __asm__("nop"); __asm__ volatile("# %% {att|intel} %=" : : "g"(x)); int t1, t2; __asm__("movl $1, %0; movl $2, %1" : "=r,m"(t1), "=r,r"(t2)); CHECK(t1 == 1 && t2 == 2); char c3 = 3; __asm__("addb %1, %0" : "+r"(c3) : "ri"((char)4)); CHECK(c3 == 7);
  return fails ? 1 : 0;
}
#else
int main(void) { return fails; }
#endif
