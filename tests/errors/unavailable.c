// What has the attribute `unavailable` may be declared, not used. It counts more than `deprecated`.
int gone(void) __attribute__((unavailable("use here")));
typedef int gone_t __attribute__((unavailable));
enum e { Here, Gone __attribute__((unavailable)) };
struct s { int here, gone __attribute__((unavailable)); };
extern int variable __attribute__((unavailable));
extern int variable __attribute__((deprecated));
int uses(struct s *s) {
  int a = gone();                                                              // ERROR: unavailable
  gone_t b = 1;                                                                // ERROR: unavailable
  a += Gone;                                                                   // ERROR: unavailable
  a += s->gone;                                                                // ERROR: unavailable
  a += variable;                                                               // ERROR: unavailable
  a += sizeof gone();                                                          // ERROR: unavailable
  return a + b + s->here + Here;
}
int gone(void) { return 1; }
