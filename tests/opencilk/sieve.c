// The sieve of Eratosthenes by segments; primes are counted by a reducer, and twin primes by a second one.
#include <cilk/cilk.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void zero(void *v) { *(unsigned *)v = 0; }
static void add(void *l, void *r) { *(unsigned *)l += *(unsigned *)r; }
#define LIMIT 20000u
#define SEGMENT 512u
static bool composite[LIMIT + 1];
int main(void) {
    unsigned cilk_reducer(zero, add) primes = 0, twins, *p;
    unsigned cilk_reducer(zero, add) twin_count = 0;
    unsigned small[200], n = 0;
    for (unsigned i = 2; i * i <= LIMIT; i++) {
        bool prime = true;
        for (unsigned k = 0; k < n && prime; k++) prime = i % small[k] != 0;
        if (prime) small[n++] = i;
    }
    cilk_for (unsigned start = 2; start <= LIMIT; start += SEGMENT) {
        unsigned end = start + SEGMENT - 1 < LIMIT ? start + SEGMENT - 1 : LIMIT;
        for (unsigned k = 0; k < n; k++) {
            unsigned q = small[k], from = (start + q - 1) / q * q;
            if (from < q * q) from = q * q;
            for (unsigned m = from; m <= end; m += q) composite[m] = true;
        }
        for (unsigned m = start; m <= end; m++) if (!composite[m]) primes++;
    }
    twins = 0;
    p = &twins;
    cilk_for (unsigned m = 3; m <= LIMIT - 2; m += 2) if (!composite[m] && !composite[m + 2]) twin_count += 1;
    *p += 1;
    printf("%u %u %u\n", primes, twin_count, twins);
    return 0;
}
