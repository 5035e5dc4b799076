long other_fib(int n);
long bounce(int n, int depth);
long rebound(int n, int depth);
void record(int n);
long recorded(void);
void zero_long(void *);
void plus_long(void *, void *);
extern long cilk_reducer(zero_long, plus_long) tally;
