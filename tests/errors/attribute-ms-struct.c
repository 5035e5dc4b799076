/* A layout that is not that of other objects would be no warning. */
struct __attribute__((ms_struct)) m { unsigned a : 12; unsigned char b : 7; };       // ERROR: 2:23 unsupported
struct __attribute__((gcc_struct)) g { unsigned a : 12; unsigned char b : 7; };
_Static_assert(sizeof(struct g) == 4, "");
