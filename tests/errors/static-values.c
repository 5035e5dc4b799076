/* What an object of static storage cannot start with: no file can hold it and no linker fills it in. And builtins that have no code. */
typedef int v4 __attribute__((vector_size(16)));

int object;
extern v4 elsewhere;
v4 good = (v4){1, 2, 3, 4}, copied = elsewhere;           // ERROR: not-constant
v4 sum = (v4){1, 2, 3, 4} + (v4){1, 1, 1, 1};             // ERROR: not-constant
struct { long whole : 64; } word = {(long)&object};
struct { long part : 40; } half = {(long)&object};        // ERROR: not-constant
__int128 wide = (__int128)(long)&object;                  // ERROR: not-constant
short narrow = (short)(long)&object;                      // ERROR: not-constant

void *applied(void) { return __builtin_apply_args(); }    // ERROR: unsupported
