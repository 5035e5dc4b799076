// A function that a call has declared implicitly can be used without a call, too.
// FLAGS: -std=gnu89 -w
int main()
{
    int a = later(3);
    int (*p)() = later;
    return a + (*p)(2) + (*later)(1) != 12;
}

int later(int n)
{
    return 2 * n;
}
