// FLAGS: -fcilkplus
// Cilk Plus' reducers without their headers: one error for all of a text.
int printf(const char *, ...);
long add(int n) {
    CILK_C_REDUCER_OPADD(sum, long, 0);     // ERROR: undeclared
    CILK_C_REGISTER_REDUCER(sum);
    cilk_for (int i = 0; i < n; i++) REDUCER_VIEW(sum) += i;
    CILK_C_UNREGISTER_REDUCER(sum);
    return sum.value;
}
int most(int n) {
    CILK_C_REDUCER_MAX(best, int, 0);
    CILK_C_REDUCER_MAX_CALC(best, n);
    return REDUCER_VIEW(best);
}
