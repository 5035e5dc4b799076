/* report.h - what the workers do, on stderr. */
#ifndef CILK_RT_REPORT_H
#define CILK_RT_REPORT_H

#include "base/base.h"

void cilk_report_init(void);
void cilk_report(const char *why);

#endif
