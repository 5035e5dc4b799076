// An alias is a definition already.
int target(void) { return 1; }
int before(void) __attribute__((alias("target")));
int before(void) { return 2; }                          // ERROR: redefinition
int after(void) { return 3; }                           // ERROR: redefinition
int after(void) __attribute__((alias("target")));
static int (*choose(void))(void) { return target; }
int chosen(void) __attribute__((ifunc("choose")));
int chosen(void) { return 4; }                          // ERROR: redefinition
int only_alias(void) __attribute__((alias("target"), weak));
int object = 1;
extern int other __attribute__((alias("object")));
int filled __attribute__((alias("object"))) = 5;        // ERROR: redefinition
#pragma weak by_pragma = target
int by_pragma(void);
