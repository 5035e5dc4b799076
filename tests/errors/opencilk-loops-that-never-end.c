// FLAGS: -fopencilk
// Conditions that are true for every value of the variable, and elements beyond the end of an array.
int table[5];
void conditions(int *a)
{
    cilk_for (unsigned char i = 0; i <= 255; i++) a[i] = 0;     // WARNING: 6:36 cilk-for-endless
    cilk_for (unsigned i = 9; i >= 0; i--) a[i] = 0;            // WARNING: cilk-for-endless
    cilk_for (signed char i = 0; i < 128; i++) a[i] = 0;        // WARNING: cilk-for-endless
    cilk_for (unsigned char i = 0; 300 != i; i++) a[i] = 0;     // WARNING: cilk-for-endless
    cilk_for (unsigned char i = 0; i < 255; i++) a[i] = 0;
    cilk_for (unsigned i = 9; i > 0; i--) a[i] = 0;
    cilk_for (int i = 9; i >= 0; i--) a[i] = 0;
    cilk_for (signed char i = 0; i <= 126; i++) a[i] = 0;
}
void elements(void)
{
    cilk_for (int i = 0; i <= 5; i++) table[i] = 0;             // WARNING: 17:39 array-bounds
    cilk_for (int i = 5; i >= 0; --i) table[i] = 0;             // WARNING: array-bounds
    cilk_for (int i = 0; i < 5; i++) table[i] = 0;
    cilk_for (int i = 0; i <= 5; i++) if (i < 5) table[i] = 0;
}
