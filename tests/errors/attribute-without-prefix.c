// [[name]] without a prefix means the standard's attributes only; GNU's need their prefix.
struct [[packed]] plain { char a; int b; };       // WARNING: attributes
struct [[gnu::packed]] dense { char a; int b; };
struct __attribute__((packed)) dense2 { char a; int b; };
_Static_assert(sizeof(struct plain) == 8 && sizeof(struct dense) == 5 && sizeof(struct dense2) == 5, "");
[[nodiscard]] int f(void);
[[aligned(64)]] int x;                             // WARNING: attributes
_Static_assert(_Alignof(x) == 4, "");
