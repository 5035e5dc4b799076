// FLAGS: -fshort-wchar
// With -fshort-wchar wchar_t and what L"" is made of have two bytes.
#include <stddef.h>
static const wchar_t one[] = L"a\x1234";
_Static_assert(sizeof L"" == 2 && sizeof one == 6 && _Generic(L'x', unsigned short: 1), "two bytes each");
int main(void) { return one[1] != 0x1234 || L"bc"[1] != L'c'; }
