/* calculator.h - what the files of the calculator share. Tokens, values and errors pass between objects of two
 * compilers: by value, through pointers to functions, as variable arguments, in globals, weak and thread-local
 * variables, and in bit-fields. */
#ifndef CALCULATOR_H
#define CALCULATOR_H
#include <stdarg.h>
#include <stddef.h>

enum token_kind { END, NUMBER, NAME, PUNCTUATION };

struct token {                       /* 24 bytes: in memory, as argument and as result */
  const char *text;
  enum token_kind kind : 3;
  unsigned length : 13;
  signed int column : 16;
  double number;
};

struct value { double re; long exact; };        /* two registers of different classes */

struct operation {
  char symbol;
  unsigned char level;
  _Bool right;
  struct value (*apply)(struct value, struct value);
};

typedef struct value (*function_of_values)(int count, ...);

extern const struct operation operations[];
extern const size_t operations_count;
extern _Thread_local int depth;      /* defined by one compiler, counted by the other */
extern char last_error[80];
extern int lookups;                  /* weak in one object, strong in another */

struct token next_token(const char **at, const char *begin);
struct value parse(const char *text);
function_of_values find_function(const char *name, size_t length);
void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
void failv(const char *format, va_list list);

static inline struct value make(double re)
{
  return (struct value){re, (long)re == re ? (long)re : -1};
}
#endif
