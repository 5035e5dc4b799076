/* A C program that calls Cilk procedures through EXPORT, and takes what the runtime leaves of the command line. */
#include <stdio.h>
#include <string.h>
#include <cilk.h>
extern void EXPORT(sort)(CilkContext *const, int *, int);
extern int EXPORT(longest)(CilkContext *const, const char *);
int main(int argc, char *argv[])
{
    CilkContext *context = Cilk_init(&argc, argv);
    int numbers[1000], wrong = 0;
    if (!context || argc != 3 || strcmp(argv[1], "one") || strcmp(argv[2], "two"))
        return 2;
    for (int i = 0; i < 1000; i++)
        numbers[i] = i * 7919 % 1009;
    for (int round = 0; round < 3; round++) {
        EXPORT(sort)(context, numbers, 1000);
        for (int i = 1; i < 1000; i++)
            wrong += numbers[i - 1] > numbers[i];
        printf("%d out of order, longest word %d\n", wrong, EXPORT(longest)(context, "a procedure of another file"));
    }
    Cilk_terminate(context);
    return 42 + wrong;
}
