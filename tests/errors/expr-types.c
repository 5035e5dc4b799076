/* Casts, sizeof, offsetof, _Generic, literals. */
struct s { int i; int b : 3; } s;
struct incomplete;
int i, *p;
double d;
void v(void);

void types(void)
{
    i = (int) s;                     // ERROR: 10:9 invalid-cast
    s = (struct s) i;                // ERROR: 11:10 cast-type
    p = (int *) d;                   // ERROR: 12:9 invalid-cast
    d = (double) p;                  // ERROR: 13:9 invalid-cast
    i = (int [2]) p;                 // ERROR: 14:10 cast-type
    i = (int) v();                   // ERROR: 15:9 void-value
    i = sizeof(struct incomplete);   // ERROR: 16:16 incomplete-type
    i = sizeof s.b;                  // ERROR: 17:16 sizeof-bit-field
    i = __builtin_offsetof(struct s, x);        // ERROR: no-member
    i = __builtin_offsetof(struct s, b);        // ERROR: offsetof-bit-field
    i = _Generic(d, int: 1, char: 2);           // ERROR: 20:18 generic-no-match
    i = _Generic(i, int: 1, signed: 2);         // ERROR: 21:29 generic-duplicate
    i = _Generic(i, default: 1, default: 2);    // ERROR: generic-defaults
    enum e { E };
    i = _Generic(i, int (*)[]: 1, int (*)[3]: 2, default: 3);                           // ERROR: generic-duplicate
    i = _Generic(i, enum e: 1, unsigned: 2, default: 3);                                // ERROR: generic-duplicate
    i = _Generic(i, unsigned **: 1, int *: 4, enum e **: 2, default: 3);                // ERROR: generic-duplicate
    i = _Generic(i, int (*)(): 1, int (*)(int): 2, default: 3);                         // ERROR: generic-duplicate
    i = _Generic(i, int *(*[2])(void): 1, int *(*[2])(): 2, default: 3);                // ERROR: generic-duplicate
    i = _Generic(i, int (*)[2]: 1, int (*)[3]: 2, int (*)[3]: 2, default: 3);           // ERROR: generic-duplicate
    i = _Generic(i, int *: 1, const int *: 2, int **: 3, int *const: 4, int (*)[2]: 5, int (*)[3]: 6, char (*)[]: 7, enum e: 8, int (*)(int): 9,
                    long (*)(int): 10, default: 11);
    i = __builtin_nonsense(1);                  // ERROR: 32:9 unknown-builtin
    i = ({ v(); });                             // ERROR: 33:9 void-value
    i = ((struct s) { 1 }).x;                   // ERROR: no-member
}
