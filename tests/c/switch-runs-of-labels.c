/* Labels directly after each other, `default:` among them, in every order; into loops, and where the body is not entered from above. */
static int one(int x) { switch (x) { case 1: case 2: default: case 3: case 4: return 1; case 5: case 6: return 2; } }
static int two(int x) { switch (x) { default: case 1: case 2: return 1; case 3: return 2; } }
static int three(int x) { switch (x) { case 1: case 2: return 1; case 3: case 4: default: return 2; } }
static int four(int x) { switch (x) { case 0: if (x) { case 1: case 2: x += 10; } else { default: case 7 ... 90: case 300 ... 100000: x += 20; } } return x; }
static int five(int n)
{
    int i = 0;
    switch (n % 4) {
    case 0: default: do { i++; case 3: case -3: i++; case 2: case -2: i++; case 1: case -1: i++; } while ((n -= 4) > 0);
    }
    return i;
}
static int six(int x) { switch (x) { return 9; case 1: switch (x + 1) case 2: default: case 3: return 5; case 2: ; } return 7; }
static int seven(int x) { goto in; switch (x) { case 1: case 2: in: case 3: return x + 1; default: return 0; } }

int main(void)
{
    int wrong = 0;
    for (int x = 0; x < 8; x++) {
        wrong += one(x) != (x == 5 || x == 6 ? 2 : 1);
        wrong += two(x) != (x == 3 ? 2 : 1);
        wrong += three(x) != (x == 1 || x == 2 ? 1 : 2);
        wrong += four(x) != (x == 0 ? 20 : x < 3 ? x + 10 : x + 20);
        wrong += seven(x) != x + 1;
    }
    wrong += four(50) != 70 || four(5000) != 5020 || four(-5) != 15;
    for (int n = 1; n < 20; n++)
        wrong += five(n) != n;
    return wrong + (six(1) != 5) + (six(2) != 7) + (six(3) != 7);
}
