/* parser.gcc.c - precedence climbing over the table of operators, which the other compiler made. */
#include "calculator.h"

struct state { const char *begin, *at; struct token token; };

static void advance(struct state *s) { s->token = next_token(&s->at, s->begin); }

static int is(const struct state *s, char c) { return s->token.kind == PUNCTUATION && *s->token.text == c; }

static struct value expression(struct state *s, int level);

static struct value call(struct state *s, struct token name)
{
  struct value v[6] = {{0, 0}};
  int count = 0;
  do {
    advance(s);
    if (count < 6)
      v[count++] = expression(s, 1);
  } while (is(s, ','));
  if (is(s, ')'))
    advance(s);
  else
    fail("column %d: ')' expected", s->token.column + 2);
  function_of_values f = find_function(name.text, name.length);
  if (!f) {
    fail("column %d: no function '%.*s'", name.column + 2, (int)name.length, name.text);
    return v[0];
  }
  return f(count, v[0], v[1], v[2], v[3], v[4], v[5]);
}

static struct value primary(struct state *s)
{
  struct token t = s->token;
  struct value v = {0, 0};
  depth++;
  advance(s);
  if (t.kind == NUMBER)
    v = make(t.number);
  else if (t.kind == NAME && is(s, '('))
    v = call(s, t);
  else if (t.kind == PUNCTUATION && *t.text == '(') {
    v = expression(s, 1);
    if (is(s, ')'))
      advance(s);
  } else
    fail("column %d: '%.*s' is no operand", t.column + 2, (int)t.length, t.text);
  return v;
}

static struct value expression(struct state *s, int level)
{
  struct value left = primary(s);
  for (;;) {
    const struct operation *o = operations, *end = operations + operations_count;
    while (o < end && !is(s, o->symbol))
      o++;
    if (o == end || o->level < level)
      return left;
    advance(s);
    left = o->apply(left, expression(s, o->level + !o->right));
  }
}

struct value parse(const char *text)
{
  struct state s = {text, text, {0}};
  advance(&s);
  struct value v = expression(&s, 1);
  if (s.token.kind != END)
    fail("column %d: something left", s.token.column + 2);
  return v;
}
