// A string that strands append to: a reducer that is not commutative. Its text is that of the serial program.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct { char *text; size_t length, room; } String;
static void string_init(void *v) { memset(v, 0, sizeof(String)); }
static void append(String *s, const char *t, size_t n) {
    if (s->length + n + 1 > s->room) s->text = realloc(s->text, s->room = 2 * (s->length + n + 1));
    memcpy(s->text + s->length, t, n);
    s->text[s->length += n] = 0;
}
static void string_reduce(void *left, void *right) {
    String *r = right;
    if (r->length) append(left, r->text, r->length);
    free(r->text);
}
typedef String cilk_reducer(string_init, string_reduce) StringReducer;
StringReducer out;
static void walk(int depth, int name) {
    char word[16];
    append(&out, word, sprintf(word, "(%d", name));
    if (depth > 0) {
        cilk_spawn walk(depth - 1, 2 * name);
        append(&out, ",", 1);
        cilk_spawn walk(depth - 1, 2 * name + 1);
        append(&out, ";", 1);
        cilk_sync;
    }
    append(&out, ")", 1);
}
int main(void) {
    walk(5, 1);
    puts(out.text);
    StringReducer digits = {0};
    cilk_for (int i = 0; i < 200; i++) {
        char c = '0' + i % 10;
        append(&digits, &c, 1);
    }
    puts(digits.text);
    free(out.text), free(digits.text);
    return 0;
}
