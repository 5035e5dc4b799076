// FLAGS: -std=c23
// `{}` for a scalar is zero, also over a character of a string and over an element of a row of constants: static and automatic, in ranges and alone.
struct text { char s[8]; int a, b, c, d; };

#define ALL(TEXT, ROW, MANY)                                                                                                                \
  struct text TEXT = { "abcdef", .s[2] = {}, .a = 1, .b = 2, .c = 3, .d = 4 };                                                              \
  int ROW[40] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, [3] = {} };  \
  struct text MANY[3] = { [0 ... 2] = { "abcdef" }, [0 ... 1].s[1] = {}, [2].s[3] = {} };
#define RIGHT(TEXT, ROW, MANY)                                                                                                              \
  (TEXT.s[1] == 'b' && TEXT.s[2] == 0 && TEXT.s[3] == 'd' && TEXT.a == 1 && TEXT.d == 4 && ROW[2] == 3 && ROW[3] == 0 && ROW[4] == 5 &&     \
   ROW[29] == 30 && ROW[30] == 0 && MANY[0].s[0] == 'a' && MANY[0].s[1] == 0 && MANY[1].s[1] == 0 && MANY[1].s[2] == 'c' &&                 \
   MANY[2].s[1] == 'b' && MANY[2].s[3] == 0 && MANY[2].s[4] == 'e')

ALL(text, row, many)

int main(void)
{
  ALL(t, r, m)
  return RIGHT(text, row, many) ? RIGHT(t, r, m) ? 0 : 2 : 1;
}
