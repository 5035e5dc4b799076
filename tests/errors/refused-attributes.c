// Attributes that gcc and clang refuse, or ignore: their arguments are wrong, or do not fit to what they are attached to.
// FLAGS: -std=gnu23
int fixed(const char *f, int n) __attribute__((format(printf, 1, 2)));         // ERROR: attribute-argument
int late(const char *f, ...) __attribute__((format(printf, 1, 3)));            // ERROR: attribute-argument
int list(const char *f, __builtin_va_list a) __attribute__((format(printf, 1, 0)));
int open(const char *f, ...) __attribute__((format(__printf__, 1, 2)));
int timed(const char *f, ...) __attribute__((format(strftime, 1, 2)));         // ERROR: attribute-argument
_Thread_local int model __attribute__((tls_model("near")));                    // ERROR: attribute-argument
_Thread_local int known __attribute__((tls_model("initial-exec")));
int second(int *a) __attribute__((nonnull(2)));                                // WARNING: ignored-attributes
int first(int *a, ...) __attribute__((nonnull(1)));
void *make(int n) __attribute__((alloc_size(1, 2)));                           // WARNING: ignored-attributes
[[maybe_unused()]] static int unused;                                          // ERROR: attribute-argument
[[noreturn(1)]] void leave(void);                                              // ERROR: attribute-argument
[[deprecated()]] int before;                                                   // ERROR: attribute-argument
[[deprecated("x"), gnu::unused()]] int after;
int counted __attribute__((unused(1)));                                        // ERROR: attribute-argument
int steady(int) __attribute__((const(1)));                                     // ERROR: attribute-argument
int heavy __attribute__((weak(1)));                                            // ERROR: attribute-argument
void stop(void) __attribute__((noreturn(1)));                                  // ERROR: attribute-argument
int empty(void) __attribute__((noinline(), cold()));
void print(int, ...) __attribute__((format(printf, 1, 2)));                    // ERROR: attribute-argument
void shorter(char *, ...) __attribute__((format(printf, 1)));                  // ERROR: attribute-argument
char *translated(int) __attribute__((format_arg(1)));                          // ERROR: attribute-argument
char *chosen(int, const char *) __attribute__((format_arg(2)));
int elsewhere(void) __attribute__((weakref("known")));                         // ERROR: attribute-argument
static int maybe(void) __attribute__((weakref("known")));
[[nodiscard(L"wide")]] int use(void);
