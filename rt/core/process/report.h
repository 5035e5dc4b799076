/* report.h - what the workers do, on stderr. */
#ifndef CILK_RT_REPORT_H
#define CILK_RT_REPORT_H

#include "base/base.h"

void cilk_report_init(void);
struct CilkContext;
void cilk_report(const char *why);
size_t cilk_report_here(char *text, size_t room);  /* a cilk_crash_place: of the calling worker */
int cilk_report_period(void);   /* seconds between two looks at whether workers go on; 0: there are none */
void cilk_report_standstill(struct CilkContext *ctx);       /* once, if all workers have waited for some time */
void cilk_report_kept(struct CilkContext *ctx);   /* once, if a worker keeps from thieves what they have asked for */
/* The pipe of a report while one is made, else -1: a checkpoint meanwhile does not take it for the program's. */
extern int cilk_own_pipe[2];

#endif
