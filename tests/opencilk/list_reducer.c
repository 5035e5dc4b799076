// Linked lists as views, with a tail pointer; a binary tree is walked, and the elements come in order.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct Node { int value; struct Node *next; } Node;
typedef struct List { Node *head, **tail; } List;
void identity(void *v) { List *l = (List *)v; l->head = NULL; l->tail = &l->head; }
void concat(void *lv, void *rv) {
    List *l = (List *)lv, *r = (List *)rv;
    if (!r->head) return;
    *l->tail = r->head;
    l->tail = r->tail;
}
List cilk_reducer(identity, concat) output_list;
static void push(int v) {
    Node *n = malloc(sizeof(Node));
    n->value = v;
    n->next = NULL;
    *output_list.tail = n;
    output_list.tail = &n->next;
}
struct Tree { struct Tree *left, *right; int key; };
static struct Tree *insert(struct Tree *t, int k) {
    if (!t) { t = calloc(1, sizeof *t); t->key = k; }
    else if (k < t->key) t->left = insert(t->left, k);
    else if (k > t->key) t->right = insert(t->right, k);
    return t;
}
static void walk(struct Tree *x) {
    if (!x) return;
    cilk_spawn walk(x->left);
    if (x->key % 3 == 0) push(x->key);
    walk(x->right);
}
int main() {
    struct Tree *root = NULL;
    for (int i = 0; i < 300; i++) root = insert(root, i * 151 % 307);
    identity(&output_list);
    walk(root);
    for (Node *n = output_list.head; n; n = n->next) printf("%d ", n->value);
    printf("\n");
    return 0;
}
