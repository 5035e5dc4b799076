/* crash.h - what a program prints when a fault of its own ends it. The tools' libraries include this, too. */
#ifndef CILK_RT_CRASH_H
#define CILK_RT_CRASH_H

#include <signal.h>
#include <stddef.h>

/* Writes what runs as a predicate, "runs a child that fib spawned at fib.cilk:7"; the length, 0: it is not known. Also
 * in a signal's handler. */
typedef size_t cilk_crash_place(char *text, size_t room);

/* overflow: "stack", or NULL where it is another fault; by: "worker 3". */
void cilk_crash_say(int sig, const siginfo_t *info, const char *overflow, const char *more, const char *by,
    cilk_crash_place *place);
/* In a signal's handler: the signal comes again when the handler has returned. */
void cilk_crash_repeat(int sig);
/* A program that runs serially: its faults are named. Not those for which the program has a handler. */
void cilk_crash_watch(cilk_crash_place *place);
/* The lock is taken. In a tool's serial run of one thread this ends the process: no other thread can release it. */
void cilk_crash_waits(const volatile void *lock);

#endif
