// FLAGS: -std=c23
constexpr int one = 1;
constexpr int none;                                // ERROR: constexpr
int f(int n) {
  constexpr int twice = 2 * n;                     // ERROR: constexpr
  constexpr int fine = one + sizeof n;
  return twice + fine;
}
int object;
constexpr int from_floating = 1.0;                 // ERROR: constexpr
constexpr unsigned wrapped = -1;                   // ERROR: constexpr
constexpr float rounded = 0.1;                     // ERROR: constexpr
constexpr float odd = 16777217;                    // ERROR: constexpr
constexpr double exact = 0.5f, whole = 16777217;
constexpr int *somewhere = &object;                // ERROR: constexpr
constexpr int *numbered = (int *)8;                // ERROR: constexpr
constexpr int *null = nullptr, *zero = 0;
constexpr volatile int changes = 1;                // ERROR: constexpr
constexpr _Atomic int shared_by_threads = 1;       // ERROR: constexpr
constexpr int *restrict alone = 0;                 // ERROR: constexpr
constexpr volatile int *elsewhere = 0;
constexpr struct { int *p; unsigned char c; } record = {(int *)1, 256};  // ERROR: constexpr
// ERROR: 22:67 constexpr
constexpr struct { volatile int part; } inner = {1};  // ERROR: constexpr
constexpr unsigned char text[] = "\xff";           // ERROR: constexpr
constexpr signed char same[] = "\xff", plain[] = u8"abc";
thread_local constexpr int of_a_thread = 1;        // ERROR: constexpr
constexpr int function(void);                      // ERROR: constexpr
void parameter(constexpr int n);                   // ERROR: constexpr
void sized(int n) {
  constexpr int many[n] = {};                      // ERROR: constexpr
}
int called(void); constexpr int from_call = called();  // ERROR: not-constant
typedef constexpr int type;                         // ERROR: constexpr
struct members { constexpr int member; };          // ERROR: member-storage
int literals(int n) {
  return (constexpr int){1} + (constexpr int){n};  // ERROR: constexpr
}
int *outside = &(register int){1};                 // ERROR: file-scope-storage
int *inside(void) { return &(register int){(register int){1}}; }   // ERROR: address-of-register
