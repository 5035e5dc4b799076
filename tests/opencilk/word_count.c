// Words, lines and characters of a text, by a monoid over pieces that may cut a word; the pieces are structs in a reducer.
#include <cilk/cilk.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
struct count { long chars, words, lines; char any, first_in_word, last_in_word; };
static void none(void *v) { memset(v, 0, sizeof(struct count)); }
static void join(void *lv, void *rv) {
    struct count *l = lv, *r = rv;
    if (!r->any) return;
    if (!l->any) { *l = *r; return; }
    l->words += r->words - (l->last_in_word && r->first_in_word);
    l->chars += r->chars, l->lines += r->lines;
    l->last_in_word = r->last_in_word;
}
static struct count cilk_reducer(none, join) total;
static void letter(char c) {
    struct count one = {1, !isspace((unsigned char)c), c == '\n', 1, !isspace((unsigned char)c), !isspace((unsigned char)c)};
    join(&total, &one);
}
int main(void) {
    static char text[5000];
    for (int i = 0; i < 4999; i++) text[i] = i % 37 == 36 ? '\n' : (i * i) % 11 < 3 ? ' ' : 'a' + i % 26;
    cilk_for (int i = 0; i < 4999; i++) letter(text[i]);
    printf("%ld %ld %ld\n", total.lines, total.words, total.chars);
    return 0;
}
