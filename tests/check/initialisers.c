// AST
struct pair { int a; struct { int x, y; } in; } p = { .in.y = 3, .a = 1 };
int sparse[6] = { [1] = 10, [3 ... 4] = 20, 30 }; char text[] = "abc"; char *names[] = { "x", "y" };
void local(int n) { struct pair q = { n }; int zero[2] = {}; int late[2] = { n, n + 1 }; (void)q; (void)zero; (void)late; }
