#define CILK_ELISION 1
#include <cilk.h>
#include "plain.h"
#ifndef PARTS_CILKH
#define PARTS_CILKH
/* a header of procedures is put into the text */
int part(int n);
#endif

#include <cilk-lib.cilkh>

int part(int n) { return n + PLAIN + Self; }


int spawn(int sync) { return sync; }


int main(void)
{
    int x;
    x = part(1);
    ;
    if (x == 0)
        return 0;
}
