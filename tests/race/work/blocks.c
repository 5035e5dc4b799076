/* How many blocks of the detector's code ran, on stderr: its files are compiled with -fsanitize-coverage=trace-pc. The
 * run ends early where that are more than BLOCKS, so that what is not linear is not waited for. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static unsigned long blocks, most = -1ul;

void __sanitizer_cov_trace_pc(void)
{
  if (++blocks > most) _exit(9);
}
__attribute__((constructor)) static void limit(void)
{
  if (getenv("BLOCKS")) most = strtoul(getenv("BLOCKS"), NULL, 10);
}
__attribute__((destructor)) static void print(void) { fprintf(stderr, "%lu blocks\n", blocks); }
