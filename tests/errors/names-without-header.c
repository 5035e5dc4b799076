/* Well-known names that no header declares, and members that are nearly right. */
struct point { int xcoord, ycoord; union { int zcoord; float other; }; };

int f(uint8_t x)                        // ERROR: 4:7 unknown-type
{
    struct point p = {1, 2, {3}};
    bool b = 1;                         // ERROR: 7:5 unknown-type
    void *q = NULL;                     // ERROR: 8:15 undeclared
    p.xcord = 3;                        // ERROR: 9:7 no-member
    p.zcord = 3;                        // ERROR: 10:7 no-member
    return p.xcoord + INT_MAX;          // ERROR: 11:23 undeclared
}
