// A static object is in the object file as large as it is, unless it is zero.
char a[1ul << 40] = "x";              // ERROR: array-too-large
char b[1ul << 40] = "";
char c[1ul << 40] = { 0 };
int d[] = { [1ul << 36] = 1 };        // ERROR: array-too-large
struct { char *p; int x[1ul << 38]; } e = { a };   // ERROR: array-too-large
struct { char *p; int x[1ul << 38]; } g = { 0 }, h = { };
char small[1 << 20] = "x";

int f(void)
{
  static char s[1ul << 40] = { [7] = 1 };          // ERROR: array-too-large
  return s[1] + (int)((int[1ul << 36]){ 0 })[3];
}
