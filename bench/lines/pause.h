/* pause.h - included before every file of the runtime: spinning costs virtual time. */
void lines_pause(void);
#define __builtin_ia32_pause lines_pause
