/* The end is missing. */
int f(int x)
{
    while (x) {
        x--;
    return x;
}
/* ERROR: 8:1 syntax */
