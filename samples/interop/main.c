#include <stdio.h>

long queens(int n);

int main(void) {
    printf("%ld\n", queens(8));
    return 0;
}
