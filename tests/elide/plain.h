#define PLAIN 3
