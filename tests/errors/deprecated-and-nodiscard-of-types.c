// FLAGS: -std=c23
// The attributes of typedef names, members, enumerators, and of the types of results.
[[deprecated]] typedef int Old;
typedef long Older __attribute__((deprecated("take Newer")));
Old first;                                  // WARNING: deprecated-declarations
static Older *second;                       // WARNING: deprecated-declarations
struct S { [[deprecated]] int a; int b [[deprecated("no b")]], c; struct { int d __attribute__((deprecated)); }; };
enum E { A [[deprecated]], B, C __attribute__((deprecated)) = 5 };
int members(struct S s, struct S *p) {
  s.a = 1;                                  // WARNING: deprecated-declarations
  p->b++;                                   // WARNING: deprecated-declarations
  return s.c + p->d;                        // WARNING: deprecated-declarations
}
int constants(int n) {
  switch (n) {
    case B: return B;
    case C: return 1;                       // WARNING: deprecated-declarations
  }
  return A + (second != 0);                 // WARNING: deprecated-declarations
}

struct [[nodiscard]] Result { int code; };
union [[nodiscard("else it leaks")]] Resource { int handle; };
enum [[nodiscard]] Status { Fine };
struct Result run(void);
union Resource take(void);
enum Status status(void);
[[nodiscard]] int asked(void);
struct Result *pointer(void);
void calls(void) {
  run();                                    // WARNING: unused-result
  take();                                   // WARNING: unused-result
  status();                                 // WARNING: unused-result
  asked();                                  // WARNING: unused-result
  pointer();
  (void)run();
  int n = run().code + take().handle;
  if (status() != Fine) n++;
  constants(n);
}
