/* Calls, members, subscripts. */
struct s { int length; struct { int inner; }; } s, *p;
struct incomplete *inc;
int i, a[3], f(int), g(int, ...);
void (*fp)(void);
union u { int i; } u;

void postfix(void)
{
    i = f();                         // ERROR: 10:9 argument-count
    i = f(1, 2);                     // ERROR: 11:14 argument-count
    i = g();                         // ERROR: 12:9 argument-count
    i = i(1);                        // ERROR: 13:9 call-non-function
    i = fp();                        // ERROR: 14:9 void-value
    i = f(s);                        // ERROR: 15:11 incompatible-types
    i = f(fp());                     // ERROR: 16:11 void-value
    i = s.len;                       // ERROR: 17:11 no-member
    i = s->length;                   // ERROR: 18:12 arrow-on-record
    i = p.length;                    // ERROR: 19:11 dot-on-pointer
    i = i.x;                         // ERROR: 20:11 member-of-non-record
    i = inc->x;                      // ERROR: 21:14 incomplete-type
    i = i[1];                        // ERROR: 22:9 subscript-of-non-array
    i = a[1.5];                      // ERROR: 23:11 subscript-not-integer
    i = a[p];                        // ERROR: 24:11 subscript-not-integer
    i = f[1];                        // ERROR: 25:9 subscript-of-function
    undefined = 1;                   // ERROR: 26:5 undeclared
    undefined = 2;
    i = undefined(3) + lenght;       // ERROR: 28:24 undeclared
}
