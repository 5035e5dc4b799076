// FLAGS: -Wall -Wno-unused-but-set-variable
/* Null, freed and ended objects, where that is certain; and calls without an end. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
struct list { struct list *next; int key; };
int *shared;
int null(void) { int *p = 0; return *p; }                                            // WARNING: null-dereference
int null_element(void) { int *p = NULL; return p[3]; }                               // WARNING: null-dereference
int null_member(void) { struct list *p = NULL; p->key = 1; return 0; }               // WARNING: null-dereference
int null_constant(void) { return *(int *)0; }                                        // WARNING: null-dereference
int trap(void) { return *(volatile int *)0; }
int tested(void) { int *p = 0; if (p) return *p; return p && *p; }
int perhaps(int c) { int *p = 0; if (c) p = &c; return *p; }
size_t offset(void) { return (size_t)&((struct list *)0)->key; }
int freed(void) { int *p = malloc(4); *p = 1; free(p); return *p; }                  // WARNING: use-after-free
void twice(char *p) { free(p); free(p); }                                            // WARNING: use-after-free
void passed(char *p) { free(p); puts(p); }                                           // WARNING: use-after-free
void next(struct list *p) { while (p) { free(p); p = p->next; } }                    // WARNING: use-after-free
void next_first(struct list *p) { while (p) { struct list *q = p->next; free(p); p = q; } }
int sometimes(int c) { int *p = malloc(4); if (c) free(p); return c ? 0 : *p; }
void printed(char *p) { free(p); printf("%p\n", (void *)p); }
int renewed(int *p) { free(p); p = malloc(4); return *p; }
void no_object(void) { int a; free(&a); }                                            // WARNING: free-nonheap-object
void no_array(void) { char b[10], *p = b; free(p); }                                 // WARNING: free-nonheap-object
void no_static(void) { free(&shared); }                                              // WARNING: free-nonheap-object
int *by_variable(int n) { int v = n; int *p = &v; return p; }                        // WARNING: return-local-addr
int *inside(int n) { int v[3]; v[0] = n; return v + 1; }                             // WARNING: return-local-addr
int *stays(void) { static int v; int *p = &v; return p; }
int *given(int *a) { int *p = a; return p; }
void kept(int n) { int v = n; shared = &v; }                                         // WARNING: dangling-pointer
void taken_back(int n) { int v = n; shared = &v; printf("%d\n", *shared); shared = NULL; }
int ended(void) { int *p; { int x = 3; p = &x; } return *p; }                        // WARNING: dangling-pointer
int inner(void) { int r = 0; for (int i = 0; i < 3; i++) { int x = i, *p = &x; r += *p; } return r; }
int again(int a) { return again(a); }                                                // WARNING: infinite-recursion
int both(int a) { if (a) return both(a - 1); return both(a - 2) + 1; }               // WARNING: infinite-recursion
int lazily(int a) { return lazily(a - 1) && a; }                                     // WARNING: infinite-recursion
void round_and_round(int a) { while (1) round_and_round(a); }                        // WARNING: infinite-recursion
int ends(int a) { if (!a) return 0; return ends(a - 1); }
int cut(int a) { return a && cut(a - 1); }
int leaves(int a) { if (!a) exit(0); return leaves(a - 1); }
