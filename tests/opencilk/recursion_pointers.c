// Trees and lists walked by recursion through pointers; two functions that call each other; depth that grows with the data.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct node node;
struct node { node *left, *right; int key, height; };
static node *make(int lo, int hi) {
    if (lo >= hi) return NULL;
    node *n = malloc(sizeof *n);
    n->key = (lo + hi) / 2;
    n->left = cilk_spawn make(lo, n->key);
    n->right = make(n->key + 1, hi);
    cilk_sync;
    return n;
}
static int height(node *n) {
    if (n == NULL) return 0;
    int l, r;
    l = cilk_spawn height(n->left);
    r = height(n->right);
    cilk_sync;
    return n->height = (l > r ? l : r) + 1;
}
static int odd_sum(const node *n);
static int even_sum(const node *n) {
    if (!n) return 0;
    int l = cilk_spawn odd_sum(n->left), r = odd_sum(n->right);
    cilk_sync;
    return l + r + (n->key % 2 == 0 ? n->key : 0);
}
static int odd_sum(const node *n) {
    if (!n) return 0;
    int l = cilk_spawn even_sum(n->left);
    int r = cilk_spawn even_sum(n->right);
    cilk_sync;
    return l + r + (n->key % 2 ? n->key : 0);
}
static void destroy(node *n) {
    if (!n) return;
    cilk_spawn destroy(n->left);
    cilk_spawn destroy(n->right);
    cilk_sync;
    free(n);
}
struct list { int v; struct list *next; };
static int list_sum(struct list *l) {
    if (!l) return 0;
    int rest = cilk_spawn list_sum(l->next);
    int own = l->v * l->v;
    cilk_sync;
    return rest + own;
}
static int contains(const node *n, int k) { return n && (n->key == k || contains(k < n->key ? n->left : n->right, k)); }
int main(void) {
    node *root = make(0, 500);
    printf("%d %d %d\n", height(root), even_sum(root), odd_sum(root));
    struct list *l = NULL;
    for (int i = 0; i < 2000; i++) { struct list *n = malloc(sizeof *n); n->v = i % 10; n->next = l; l = n; }
    printf("%d %d %d\n", list_sum(l), contains(root, 17), contains(root, 500));
    destroy(root);
    while (l) { struct list *n = l->next; free(l); l = n; }
    return 0;
}
