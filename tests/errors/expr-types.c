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
    i = __builtin_nonsense(1);                  // ERROR: 23:9 unknown-builtin
    i = ({ v(); });                             // ERROR: 24:9 void-value
    i = ((struct s) { 1 }).x;                   // ERROR: no-member
}
