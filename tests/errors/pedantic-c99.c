// FLAGS: -std=c99 -pedantic
struct s { union { int a; float b; }; };                // WARNING: anonymous-member
typedef int number;
typedef int number;                                     // WARNING: typedef-redefinition
void atomic(void)
{
    static _Atomic int counter;                         // WARNING: c11-extensions
    void *p = &counter;
    (void)p;
}
