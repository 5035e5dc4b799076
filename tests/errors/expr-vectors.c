/* A scalar beside a vector becomes an element only where that keeps its value, as in gcc. */
typedef float floats __attribute__((vector_size(16)));
typedef double doubles __attribute__((vector_size(16)));
typedef unsigned char bytes __attribute__((vector_size(16)));
typedef short shorts __attribute__((vector_size(16)));
typedef int ints __attribute__((vector_size(16)));

floats f1(floats v, int n) { return v * n; }           // ERROR: bad-operands
floats f2(floats v) { return v * 16777217; }           // ERROR: bad-operands
floats f3(floats v, double n) { return v * n; }        // ERROR: bad-operands
floats f4(floats v) { return v * 0.1; }                // ERROR: bad-operands
floats f5(floats v, int n) { v += n; return v; }       // ERROR: bad-operands
floats f6(floats v, short n, char c) { return (v + n + 3 - c) * 0.5; }
doubles d1(doubles v, long n) { return v * n; }        // ERROR: bad-operands
doubles d2(doubles v, int n, float f) { v *= f; return v * n; }
bytes b1(bytes v) { return v + 256; }                  // ERROR: bad-operands
bytes b2(bytes v) { return (v & -1) + 255; }
shorts s1(shorts v, int n) { return v + n; }           // ERROR: bad-operands
shorts s3(shorts v) { return v - 40000; }               // ERROR: bad-operands
shorts s2(shorts v) { return v - 30000 + 5l; }
ints i1(ints v, long n) { return v + n; }              // ERROR: bad-operands
ints i2(ints v, long n) { v -= n; return v; }          // ERROR: bad-operands
ints i3(ints v) { return v + 0x100000000; }            // ERROR: bad-operands
ints i4(ints v, double n) { return v + n; }            // ERROR: bad-operands
ints i5(ints v, unsigned n, char c) { v += n; return (v << c) == 3l; }
