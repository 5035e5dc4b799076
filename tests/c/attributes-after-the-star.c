/* Attributes after the `*` of a declarator belong to the declared object, and not to the type that it points to. */
#include <stddef.h>

static int fails;
static const char *freed;
#define CHECK(e) do { if (!(e)) fails++; } while (0)

static void string(char **p) { freed = *p; }
static void array(char *(*p)[2]) { freed = (*p)[1]; }
static void procedure(void (**p)(void)) { freed = *p ? "procedure" : 0; }
static void nothing(void) {}

#define ENDS(what, ...) do { freed = 0; { __VA_ARGS__; CHECK(!freed); } CHECK(freed == what); } while (0)

static char a[] = "a", b[] = "b";
static char *__attribute__((aligned(64))) apart = a;
struct packed { char c; char *__attribute__((packed)) p; };
struct spread { char c; char *__attribute__((aligned(32))) p; };
extern char *__attribute__((weak)) elsewhere;

static void early(int n)
{
    for (char *__attribute__((cleanup(string))) p = a; n; n--) {
        char *__attribute__((cleanup(string))) q = b;
        if (n == 1)
            return;
    }
}

int main(void)
{
    ENDS(a, char *__attribute__((cleanup(string))) p = a);
    ENDS(b, char *q = b; char *o = a, *__attribute__((cleanup(string))) p = q; CHECK(o == a));
    ENDS(b, char *__attribute__((cleanup(array))) p[2]; p[1] = b);
    freed = 0;
    {
        void (*__attribute__((cleanup(procedure))) p)(void) = nothing;
    }
    CHECK(freed && freed[0] == 'p');
    freed = 0;
    early(3);
    CHECK(freed == a);
    CHECK((size_t)&apart % 64 == 0);
    CHECK(offsetof(struct packed, p) == sizeof(char *) && offsetof(struct spread, p) == 32);   /* a pointer is not packed, says gcc */
    CHECK(&elsewhere == 0);
    return fails;
}
