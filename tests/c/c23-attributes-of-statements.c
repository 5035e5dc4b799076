// FLAGS: -std=c23
// Attributes before statements of all kinds: in a block, after labels, and where a statement alone belongs. A name that
// begins an expression is no type.
static int calls;

static int called(int n) { return calls += n; }

typedef int number;

static int all(int k) [[]]
{
    [[]] int v = 0;
    int list[2] = {};
    [[]] [[]] v = 1;
    [[]] called(1);
    [[]] list[1] = v;
    [[]] v++, v--;
    [[]] ++v;
    [[]] *list = 4;
    [[]] (void)0;
    [[]] { }
    [[]] switch (k) { [[]] case 1: [[]] case 2: [[]] default: [[]] v += 3; }
    [[]] first: [[]] second: [[]] v += list[1];
    if (v < 20) [[]] goto first;
    if (k > 100) goto second;
    [[]] if (k > 5) [[]] v = 100; else [[]] called(2);
    [[]] while (k-- > 0) [[]] [[]] list[0] += 1;
    [[]] do [[]] v += 2; while (v < 30);
    for ([[]] int i = 0; i < 3; i++) [[]] { [[]] list[1] += i; [[]] continue; }
    for (;;) [[]] break;
    [[maybe_unused]] number unused = 1, (*pointer)(int) = called;
    [[maybe_unused]] number(in_parentheses) = v;
    [[]];
    [[]] return v + list[0] + list[1];
}

int main(void)
{
    return !(all(3) == 30 + 7 + 4 && calls == 3);
}
