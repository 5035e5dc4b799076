// AST
char c; long l; double d; float f; _Bool b; void *v; int *p; int array[3]; _Complex double z;
int callee(double);
void implicit(void) { l = c; d = l; c = d; f = d; b = p; p = array; v = p; p = 0; callee(1); z = d; }
void explicit_ones(void) { (void)c; l = (long)p; p = (int *)l; d = (double)z; }
