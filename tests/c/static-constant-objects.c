/* GNU C: what a constant object of static storage has may initialise another one: records, whole and as members, vectors
 * and pointers. __builtin_classify_type is a constant whatever it asks about. */
#include <stdio.h>

struct part { int i, j; const char *text; struct { unsigned bits : 3; int pair[2]; } in; };
typedef int four __attribute__((vector_size(16)));

const struct part first = {1, 2, "text", {5, {7, 8}}};
struct part copy = first;
static const struct part second = first;
struct { int before; struct part part; int after; } member = {9, second, 10};
struct part several[] = {first, second, {4}, first};
union { struct part part; int i; } choice = {first};
static const four numbers = {1, 2, 3, 4};
four more = numbers;
struct { four v; } held = {numbers};

int table[2][2] = {{1, 2}, {3, 4}};
int *const row = table[1];
int *moved = row, *next = row + 1;
int (*const print)(const char *) = puts;
int (*also)(const char *) = print;
int variable, classes[__builtin_classify_type(variable)];

static void show(const struct part *p)
{
    printf("%d %d %s %d %d %d\n", p->i, p->j, p->text ? p->text : "-", p->in.bits, p->in.pair[0], p->in.pair[1]);
}

static struct part changed(void)
{
    static struct part own = second;
    own.i++;
    return own;
}

int main(void)
{
    show(&copy);
    show(&second);
    show(&member.part);
    printf("%d %d %d %d\n", member.before, member.after, more[3], held.v[1]);
    for (int i = 0; i < 4; i++) show(&several[i]);
    show(&choice.part);
    changed();
    struct part last = changed();
    show(&last);
    printf("%d %d %zu\n", *moved, *next, sizeof classes / sizeof *classes);
    return also("printed") < 0;
}
