"""What functions of the C library and of cilk.h do to memory: the rows that the race detector's table (rt/race) has for
programs of students, as words.

    rA$    reads the string that argument A leads to        wA$    writes a string of unknown length there
    rA#L   reads as many bytes as argument L says           wA#L   writes so many; #L*M: the product of two arguments
    rA wA  reads, writes the object that it leads to        =A     returns argument A
    ~A     returns a pointer into what A leads to           new    returns a block of its own
    texts  reads every string among the arguments (textsA: from A on)   frees  ends the block of argument 0
    outs   writes what the pointers after argument A lead to (outsA)
    never  does not return                                  errno  returns the address of errno
    keepsA others may have argument A afterwards             w0kept  as w0$, or the string of an earlier call
    @STATE is changed or, with a question mark, looked at

A function that is not here, and has no body, is not known: what runs beside it is not decided.
"""

ROWS = """
memcpy memmove          r1#2 w0#2 =0
mempcpy                 r1#2 w0#2 ~0
memset                  w0#2 =0
memcmp                  r0#2 r1#2
memchr                  r0#2 ~0
bzero                   w0#1
strlen                  r0$
strnlen                 r0$
strcmp strcasecmp strspn strcspn r0$ r1$
strncmp strncasecmp     r0$ r1$
strchr strrchr          r0$ ~0
strstr strpbrk          r0$ r1$ ~0
strcpy strcat           r1$ w0$ =0
strncat                 r1$ w0$ =0
strncpy                 r1$ w0#2 =0
strdup strndup          r0$ new
atoi atol atoll atof    r0$
strtol strtoul strtoll strtoull strtod strtof strtold    r0$ w1end
__isoc23_strtol __isoc23_strtoul __isoc23_strtoll __isoc23_strtoull  r0$ w1end
malloc Cilk_malloc Cilk_malloc_fixed cilk_h_malloc valloc new
calloc Cilk_calloc cilk_h_calloc aligned_alloc           new
alloca __cilk_alloca    new
free Cilk_free cilk_h_free  frees
realloc Cilk_realloc cilk_h_realloc frees new
printf puts             texts
fprintf fputs dprintf   texts
__builtin_va_start      w0
__builtin_va_copy       w0 r1
__builtin_va_end        nothing
perror                  texts
sprintf                 texts1 w0$
snprintf                texts1 w0#1
putchar fputc putc getchar fflush fclose feof ferror  nothing
sscanf __isoc99_sscanf __isoc23_sscanf  r0$ outs1
scanf __isoc99_scanf __isoc23_scanf     outs0
fscanf __isoc99_fscanf __isoc23_fscanf  outs1
fgets                   w0#1 ~0
fread                   w0#1*2
fwrite                  r0#1*2
fopen                   r0$ r1$
exit _Exit abort quick_exit __assert_fail cilk_rt_die cilk_rt_assert_failed __builtin_unreachable __builtin_trap never
cilk_rt_exit            nothing
rand random             nothing
srand srandom           nothing
time                    w0
gettimeofday clock_gettime cilk_h_gettimeofday  w0 w1
clock usleep sleep sched_yield cilk_h_yield getpid nanosleep  nothing
abs labs llabs          nothing
sqrt sin cos tan exp log pow fabs floor ceil hypot fmax fmin fmod nothing
atan atan2 log2 log10 cbrt exp2 round trunc rint nothing
sinh cosh tanh asin acos lround lrint fma copysign nearbyint nothing
sqrtf sinf cosf tanf expf logf powf fabsf floorf ceilf hypotf fmaxf fminf fmodf atanf atan2f nothing
sqrtl fabsl floorl ceill  nothing
isdigit isalpha isalnum isspace isupper islower ispunct isxdigit isprint toupper tolower nothing
isnan isinf isfinite signbit  nothing
__builtin_expect __builtin_expect_with_probability __builtin_clz __builtin_ctz __builtin_popcount nothing
__builtin_clzl __builtin_ctzl __builtin_popcountl __builtin_clzll __builtin_ctzll __builtin_popcountll nothing
__builtin_huge_val __builtin_inf __builtin_nan __builtin_constant_p __builtin_prefetch nothing
Cilk_get_wall_time Cilk_wall_time_to_sec Cilk_time_to_sec Cilk_get_time  nothing
__cilk_self __cilk_active_size __cilk_user_work __cilk_user_critical_path __cilkrts_get_nworkers nothing
__errno_location        errno
getenv secure_getenv    r0$ @environment?
setenv                  r0$ r1$ @environment
unsetenv                r0$ @environment
putenv                  r0$ keeps0 @environment
strtok                  r1$ w0kept keeps0 @strtok
localtime gmtime        r0 @calendar
asctime                 r0 @calendar
ctime                   r0 @calendar
drand48 lrand48 mrand48 srand48 @drand48
"""

LOCKS = {
    "Cilk_lock": 1,
    "Cilk_unlock": -1,
    "pthread_mutex_lock": 1,
    "pthread_mutex_unlock": -1,
    "mtx_lock": 1,
    "mtx_unlock": -1,
    "pthread_rwlock_wrlock": 1,
    "pthread_rwlock_rdlock": 1,
    "pthread_rwlock_unlock": -1,
}
SHARED = {"pthread_rwlock_rdlock"}  # by several at once
LOCK_INIT = {
    "Cilk_lock_init",
    "pthread_mutex_init",
    "pthread_mutex_destroy",
    "mtx_init",
    "mtx_destroy",
    "pthread_rwlock_init",
    "pthread_rwlock_destroy",
}
# Which of the C library's rows stand for a function of cilk.h that has a body there.
OURS = {
    "Cilk_get_wall_time",
    "Cilk_wall_time_to_sec",
    "Cilk_time_to_sec",
    "Cilk_malloc",
    "Cilk_malloc_fixed",
    "Cilk_calloc",
    "Cilk_realloc",
    "Cilk_free",
    "Cilk_lock",
    "Cilk_unlock",
    "Cilk_lock_init",
}
NEVER = {
    "setjmp",
    "_setjmp",
    "sigsetjmp",
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "fork",
    "vfork",
    "pthread_create",
    "thrd_create",
    "signal",
    "sigaction",
    "atexit",
    "on_exit",
    "at_quick_exit",
    "dlopen",
    "dlsym",
    "mmap",
}


def table():
    rows = {}
    for line in ROWS.splitlines():
        words = line.split()
        first = next((i for i, word in enumerate(words) if is_effect(word)), None)
        for name in words[:first]:
            rows[name] = words[first:]
    return rows


def is_effect(word):
    return (
        word in ("new", "errno", "frees", "never", "nothing")
        or word[0] in "rw"
        and word[1:2].isdigit()
        or word[0] in "=~@"
        or word.startswith(("outs", "texts", "keeps"))
    )


TABLE = table()


def row_of(declaration):
    """The row of a function that the program does not define, or None."""
    name = declaration.name
    if declaration.symbol and name not in TABLE:
        name = declaration.symbol
    if name.startswith("__builtin_") and name[10:] in TABLE and name not in TABLE:
        name = name[10:]
    return TABLE.get(name)


def is_atomic(name):
    return name.startswith(("__atomic_", "__sync_", "__c11_atomic_"))
