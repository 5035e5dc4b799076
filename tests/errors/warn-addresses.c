/* Addresses that are never null, that may be misaligned, or that outlive their object. */
// FLAGS: -Wall -Wextra
#include <string.h>
int ready(void);
extern int maybe(void) __attribute__((weak));
struct __attribute__((packed)) packet { char kind; int length; char text[4]; };
struct mixed { int count; struct packet inner; } __attribute__((aligned(4)));
struct half { char a; int b __attribute__((packed)); };
int conditions(int n, char *p)
{
    int local[3], x = n;
    if (ready) return 1;                // WARNING: 12:9 address
    while (!local) n++;                 // WARNING: 13:13 address
    if (n && &x) return 2;              // WARNING: 14:14 address
    if (maybe || p || *local) return 3;
    return n;
}
int *misaligned(struct packet *p, struct half *h, struct mixed *m, int n)
{
    int *q = &p->length;                // WARNING: 20:14 address-of-packed-member
    if (n) q = &h->b;                   // WARNING: address-of-packed-member
    if (n > 1) return &m->inner.length; // WARNING: address-of-packed-member
    return q;
}
char *aligned(struct packet *p, struct mixed *m, void *to)
{
    int *q = &m->count;
    memcpy(to, &p->length, sizeof p->length);
    *q = 0;
    return &p->kind;
}
void kept(int **p) { int x = 1; *p = &x; }          // WARNING: 32:38 dangling-pointer
void put_back(int **p) { int x = 1, *old = *p; *p = &x; ready(); *p = old; }
void passed_on(int **p, int *q) { *p = q; }
void moved(int **p) { static int x; p++; *p = &x; }
