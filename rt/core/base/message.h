/* message.h - fatal errors, the checks of the debug build, and the one end of the process. */
#ifndef CILK_RT_MESSAGE_H
#define CILK_RT_MESSAGE_H

#include "base/base.h"

/* Prints `<worker>: fatal error: ...`, or `global: ...` outside workers, and ends the process. */
void cilk_fatal(const char *format, ...) CILK_PRINTF(1, 2) CILK_NORETURN;
extern int cilk_dump_core;                /* --dump-core: abort() instead of exit(1) */

/* Debug build: the condition must hold. */
#ifdef CILK_DEBUG
#define cilk_check(e) ((e) ? (void)0 : cilk_fatal("runtime check failed: %s (%s:%d)", #e, __FILE__, __LINE__))
#else
#define cilk_check(e) ((void)0)
#endif

bool cilk_exit_claim(void);               /* true: the calling thread is the first; waits in all others */
/* A replay: the command that repeats it, said on stderr when the process ends badly. */
void cilk_repeat_note(int n, const char *const *words);
void cilk_repeat_on_signals(void);        /* signals that end the process say it, too */
void cilk_repeat_say(void);               /* once; nothing where there is none */
/* Messages about a replay are no output of the program's: they go to fd (2 unless it is set), after `before`
 * (outcome.c). */
void cilk_message_goes(int fd, void (*before)(void));
void cilk_message_note(const char *text);
extern void (*cilk_message_at_signal)(int sig);   /* a signal ends the process; NULL: no run is watched */
void cilk_exit_process(int status) CILK_NORETURN;

#endif
