/* Builtin functions: bits, checked arithmetic, memory, strings, floating classification, atomics. */
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>
static int bad;
#define CHECK(e) do { if (!(e)) { printf("line %d: %s\n", __LINE__, #e); bad = 1; } } while (0)
struct pair { int a, b; };
static void *caller(void) { return __builtin_return_address(0); }

int main(void)
{
    CHECK(__builtin_clz(1u) == 31 && __builtin_ctzl(8ul) == 3 && __builtin_popcountll(255) == 8 && __builtin_ffs(0) == 0 && __builtin_ffsl(16) == 5 && __builtin_parity(7) == 1 && __builtin_clrsb(-1) == 31 && __builtin_clzll(1) == 63);
    CHECK(__builtin_bswap16(0x1234) == 0x3412 && __builtin_bswap32(0x12345678) == 0x78563412 && __builtin_bswap64(1) == 1ull << 56); CHECK(__builtin_abs(-3) == 3 && __builtin_labs(-3L) == 3);
    int r; long lr; unsigned char uc; CHECK(__builtin_add_overflow(2147483647, 1, &r) && r == -2147483647 - 1); CHECK(!__builtin_sub_overflow(5, 7, &r) && r == -2); CHECK(__builtin_mul_overflow(1L << 40, 1L << 40, &lr)); CHECK(__builtin_add_overflow(200, 100, &uc) && uc == 44); CHECK(!__builtin_add_overflow(-1, 2u, &uc) && uc == 1);
    CHECK(__builtin_sadd_overflow(2147483647, 1, &r)); CHECK(__builtin_add_overflow_p(127, 1, (signed char)0) && !__builtin_mul_overflow_p(3, 4, 0)); unsigned ur; CHECK(__builtin_usub_overflow(1u, 2u, &ur) && ur == ~0u);
    char buf[32]; __builtin_memcpy(buf, "hello", 6); CHECK(__builtin_strlen(buf) == 5 && !__builtin_strcmp(buf, "hello") && __builtin_strchr(buf, 'l') == buf + 2 && !__builtin_memcmp(buf, "hel", 3)); __builtin_memset(buf, 'x', 3); CHECK(buf[2] == 'x' && buf[3] == 'l'); __builtin___memcpy_chk(buf, "abc", 4, __builtin_object_size(buf, 0)); CHECK(!strcmp(buf, "abc")); CHECK(__builtin_object_size(buf, 0) == 32 || __builtin_object_size(buf, 0) == -1ul); __builtin_sprintf(buf, "%d", 42); CHECK(!strcmp(buf, "42"));
    double inf = __builtin_inf(), nan = __builtin_nan(""); float ff = -0.0f; CHECK(__builtin_isinf(inf) && __builtin_isnan(nan) && !__builtin_isfinite(inf) && __builtin_isnormal(1.0) && __builtin_signbit(ff) && __builtin_isinf_sign(-inf) == -1 && __builtin_isunordered(nan, 1.0) && __builtin_isgreater(2.0, 1) && !__builtin_isless(nan, 1.0f)); CHECK(isnan(nan) && isinf(inf) && fpclassify(0.0) == FP_ZERO && signbit(-1.0f) && isfinite(1.0L));
    CHECK(__builtin_fabs(-1.5) == 1.5 && __builtin_copysign(1.0, -2.0) == -1 && __builtin_sqrt(4.0) == 2 && __builtin_floorf(1.5f) == 1 && __builtin_fmax(1, 2) == 2 && __builtin_huge_val() == inf && __builtin_powi(2.0, 10) == 1024); CHECK(sizeof(sqrt(2.0f)) == 4 && sqrt(4.0f) == 2 && fabs(-2) == 2);
    int at = 5, e = 5; CHECK(__sync_fetch_and_add(&at, 3) == 5 && at == 8 && __sync_add_and_fetch(&at, 1) == 9 && __sync_bool_compare_and_swap(&at, 9, 1) && __sync_val_compare_and_swap(&at, 7, 2) == 1 && __sync_lock_test_and_set(&at, 4) == 1); __sync_lock_release(&at); CHECK(at == 0); __sync_synchronize();
    __atomic_store_n(&at, 5, __ATOMIC_RELEASE); CHECK(__atomic_load_n(&at, __ATOMIC_ACQUIRE) == 5 && __atomic_exchange_n(&at, 6, __ATOMIC_SEQ_CST) == 5 && !__atomic_compare_exchange_n(&at, &e, 7, 0, 5, 5) && e == 6 && __atomic_compare_exchange_n(&at, &e, 7, 1, 5, 5) && at == 7 && __atomic_fetch_or(&at, 8, 0) == 7 && __atomic_sub_fetch(&at, 1, 0) == 14 && __atomic_nand_fetch(&at, 6, 5) == ~6); char flag = 0; CHECK(!__atomic_test_and_set(&flag, 5) && __atomic_test_and_set(&flag, 5)); __atomic_clear(&flag, 3); CHECK(!flag); __atomic_thread_fence(5); __atomic_signal_fence(5); CHECK(__atomic_always_lock_free(4, 0));
    struct pair p = { 1, 2 }, q = { 3, 4 }, o; __atomic_store(&p, &q, 5); __atomic_load(&p, &o, 5); CHECK(o.b == 4); __atomic_exchange(&p, &(struct pair){ 5, 6 }, &o, 5); CHECK(p.a == 5 && o.a == 3); CHECK(__atomic_compare_exchange(&p, &p, &q, 0, 5, 5) || 1); int arr[4] = { 0 }, *ptr = arr; CHECK(__atomic_fetch_add(&ptr, 4, 5) == arr && ptr == arr + 1);
    _Atomic int ai = 1; ai += 2; ai++; CHECK(ai == 4 && ai-- == 4 && atomic_fetch_add(&ai, 10) == 3); int want = 13; CHECK(atomic_compare_exchange_strong(&ai, &want, 1) && ai == 1); atomic_flag fl = ATOMIC_FLAG_INIT; CHECK(!atomic_flag_test_and_set(&fl) && atomic_flag_test_and_set(&fl)); _Atomic double ad = 1.5; ad *= 2; CHECK(ad == 3); atomic_store_explicit(&ai, 3, memory_order_relaxed); CHECK(atomic_load(&ai) == 3); _Atomic(struct pair) ap; atomic_init(&ap, q); o = atomic_load(&ap); CHECK(o.b == 4);
    CHECK(caller() != 0 && __builtin_frame_address(0) != 0); int *al = __builtin_alloca(16); al[3] = 7; CHECK(al[3] == 7); CHECK(__builtin_classify_type(1.0) == 8 && __builtin_classify_type(buf) == 5); if (bad > 5) __builtin_unreachable(); __builtin_prefetch(buf, 0, 3); CHECK(__builtin_assume_aligned(al, 16) == al); CHECK(__builtin_LINE() == __LINE__); CHECK(__builtin_speculation_safe_value(3) == 3); __builtin_cpu_init(); (void)__builtin_cpu_supports("sse2"); void *jb[5]; if (!__builtin_setjmp(jb)) bad |= 0; CHECK(abs(-4) == 4); char *dup = __builtin_strdup("dup"); CHECK(!strcmp(dup, "dup")); free(dup);
    return bad;
}
