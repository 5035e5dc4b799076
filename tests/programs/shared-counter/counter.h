#ifndef COUNTER_H
#define COUNTER_H
extern long total, calls;
void add(long n);           /* C; takes the lock */
#endif
