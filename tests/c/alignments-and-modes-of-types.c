// What `aligned` given twice, typeof of an aligned type and the mode of an enumeration mean for sizes and layouts.
#include <stddef.h>
#include <stdio.h>

typedef int four_sixteen __attribute__((aligned(4), aligned(16)));
typedef int sixteen_four __attribute__((aligned(16), aligned(4)));
typedef int one __attribute__((aligned(1)));
typedef typeof(four_sixteen) again;
int variable __attribute__((aligned(32), aligned(8)));
struct last {
  int x;
} __attribute__((aligned(16), aligned(8)));
struct member {
  char c;
  int x __attribute__((aligned(16), aligned(8)));
};
struct by_typeof {
  char c;
  typeof(four_sixteen) x;
};
struct by_typedef {
  char c;
  again x;
};
struct unaligned {
  char c;
  typeof(one) x;
};
struct pointer {
  char c;
  typeof(four_sixteen *) x;
};

enum tiny { TINY } __attribute__((mode(QI)));
enum __attribute__((mode(HI))) negative { NEGATIVE = -1 };
typedef enum { LONG } long_enum __attribute__((mode(DI)));
enum wide { WIDE = 300 } __attribute__((mode(HI))) wide_object;
struct enums {
  enum tiny a;
  enum negative b;
  long_enum c;
};

#define SHOW(type) printf("%s: %zu %zu\n", #type, sizeof(type), _Alignof(type))

int main(void) {
  SHOW(four_sixteen);
  SHOW(sixteen_four);
  SHOW(struct last);
  SHOW(struct member);
  SHOW(struct by_typeof);
  SHOW(struct by_typedef);
  SHOW(struct unaligned);
  SHOW(struct pointer);
  SHOW(enum tiny);
  SHOW(enum negative);
  SHOW(long_enum);
  SHOW(struct enums);
  printf("%zu %zu\n", __alignof__(variable), sizeof wide_object);
  enum tiny t = TINY;
  t--;
  enum negative n = NEGATIVE;
  printf("%d %d %d\n", t, n, n < 0);
  return 0;
}
