// FLAGS: -std=c23
// true and false are 1 and 0 in #if, and keywords of type bool elsewhere. The status says what failed.
#define TEXT(x) #x
#define IN_IF 2
#if true && !false && true == 1 && true + true == 2
#undef IN_IF
#define IN_IF 0
#endif

static_assert(true && !false);
constexpr bool yes = true;
static void *null = false;
enum e : bool { No = false, Yes = true };

int main(void) {
  if (sizeof TEXT(true) != 5 || sizeof TEXT(false) != 6) return 3;
  if (!_Generic(true, bool: 1, default: 0) || !_Generic(false, bool: 1, default: 0)) return 4;
  if (!yes || null || !Yes || -true != -1 || sizeof true != 1) return 5;
  switch (yes) {
    case true: return IN_IF;
    case false: break;
  }
  return 6;
}
