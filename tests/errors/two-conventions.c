// gcc and clang refuse both conventions on one function.
__attribute__((ms_abi)) int apart(void) __attribute__((sysv_abi));      // ERROR: two-conventions
int together(void) __attribute__((sysv_abi, ms_abi));                   // ERROR: two-conventions
int (*pointer)(void) __attribute__((ms_abi, sysv_abi));                 // ERROR: two-conventions
int (__attribute__((__ms_abi__, __sysv_abi__)) *inside)(void);          // ERROR: two-conventions
int (*table[2])(void) __attribute__((ms_abi, sysv_abi));                // ERROR: two-conventions
typedef __attribute__((ms_abi)) int windows(void);
windows typed __attribute__((sysv_abi));                                // ERROR: two-conventions
struct handlers {
  int (*member)(void) __attribute__((ms_abi, sysv_abi));                // ERROR: two-conventions
};
int twice(void) __attribute__((sysv_abi, sysv_abi)), other(void) __attribute__((ms_abi));
int result(windows *callback) __attribute__((sysv_abi));
windows *chosen(int) __attribute__((sysv_abi));
