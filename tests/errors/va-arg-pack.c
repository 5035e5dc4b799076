// The caller's variable arguments are known only where the call is expanded.
int print(const char *format, ...);
static inline int one(const char *format, ...) {
  return print(format, __builtin_va_arg_pack());      // ERROR: 4:24 va-arg-pack
}
static inline __attribute__((always_inline)) int two(const char *format) {
  return print(format, __builtin_va_arg_pack_len());  // ERROR: va-arg-pack
}
static inline __attribute__((always_inline)) int three(const char *format, ...) {
  return print(format, __builtin_va_arg_pack_len(), __builtin_va_arg_pack());
}
int four(void) { return one("") + two("") + three("%d", 4); }
