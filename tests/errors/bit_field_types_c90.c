/* FLAGS: -std=c90 -pedantic */
/* Before C99 bit-fields were of int and unsigned. */
struct bits { int a : 3; unsigned b : 2; short c : 3; };   /* WARNING: bit-field-extended */
