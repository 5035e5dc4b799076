extern int flag;
void set_flag(void);
void wait_for_flag(int n);                     /* another file: spawns until the flag is set */
void through(void (*f)(int), int n);           /* another file: plain C */
int through_spawning(void (*f)(int), int n);   /* another file: spawns f */
