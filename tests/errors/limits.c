/* What C with gcc's extensions allows and no code can be made for: refused before any is made, where nothing else is wrong. */
typedef struct { char bytes[3]; } three;

int there(void) { return 1; }
int first(void) __attribute__((alias("there")));
int second(void) __attribute__((alias("first")));
int nowhere(void) __attribute__((alias("missing")));      // ERROR: alias-undefined
int declared(void);
int named(void) __attribute__((alias("declared")));       // ERROR: alias-undefined
int one(void) __attribute__((alias("other")));            // ERROR: alias-undefined
int other(void) __attribute__((alias("one")));            // ERROR: alias-undefined

void assembly(three t, long *p) {
  asm ("" : "=r"(*p) : "r"(t));                           // ERROR: asm-operand
  asm ("" : "=r"(t));                                     // ERROR: asm-operand
  asm ("" : "=m"(t) : "m"(t));
  asm ("" : : "i"(3), "rm"(*p));
}

int sink(const char *, ...);
static inline __attribute__((always_inline)) int called(const char *f, ...) { return sink(f, __builtin_va_arg_pack()); }
static inline __attribute__((always_inline)) int pointed(const char *f, ...) { return sink(f, __builtin_va_arg_pack()); }   // ERROR: va-arg-pack
static inline __attribute__((always_inline)) int alone(const char *f, ...) { return __builtin_va_arg_pack() + (f != 0); }   // ERROR: va-arg-pack
extern inline __attribute__((always_inline, gnu_inline)) int library(const char *f, ...) { return sink(f, __builtin_va_arg_pack()); }
int (*through)(const char *, ...) = pointed, (*libraries)(const char *, ...) = library;
int calls(void) { return called("x", 1) + alone("x", 2) + through("x", 3); }
