/* The operand of typeof is evaluated if, and only if, its type is variably modified (C23 6.7.2.5), where what it declares is reached. */
// FLAGS: -std=gnu2x
static int fails, i;
static char a[8];
static int b[1];
#define CHECK(e) do { if (!(e)) fails++; } while (0)

static void declarations(int n)
{
    int (*t)[n], d[3][n];
    i = 0;
    typeof(d[i++]) one;
    CHECK(i == 1 && sizeof one == n * sizeof(int));
    typeof(t + (i++, 0)) three;
    CHECK(i == 2);
    typeof(i + (i++, 0)) four;
    CHECK(i == 2);
    typedef typeof(*(t + (i++, 0))) T;
    CHECK(i == 3);
    T five, six;
    CHECK(i == 3 && sizeof five == n * sizeof(int));
    const typeof(d[i++]) seven;
    CHECK(i == 4);
    (void)three, (void)four, (void)six, (void)seven;
}

static void expressions(int n)
{
    int (*t)[n];
    i = 0;
    (void)sizeof(typeof(t + (i++, 0)));            /* a pointer: its size needs nothing */
    (void)_Alignof(typeof(t + (i++, 0)));
    CHECK(i == 0);
    (void)(typeof(t + (i++, 0)))0;
    CHECK(i == 1);
    int k = 0, size = sizeof(typeof(*(++k, (char (*)[k])a)));
    CHECK(k == 1 && size == 1);
    int (**p)[1] = &(typeof(++k, (int (*)[k])b)){&b};
    CHECK(k == 2 && *p == &b);
    --(typeof(++k, (int (*)[k])b)){&b + 1};
    CHECK(k == 3);
}

static void rounds(void)
{
    int sum = 0;
    for (int k = 1; k < 6;) {
        typeof(*(k++, (char (*)[k])a)) z;
        sum = sum * 10 + sizeof z;
    }
    CHECK(sum == 23456);
}

int main(void)
{
    declarations(10);
    expressions(10);
    rounds();
    return fails;
}
