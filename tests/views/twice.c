/* The lookup of a view: &r is the address of one where r is a reducer, and a function may get it from its caller. */
#include <cilk/file_reducer.h>
#include <cilk/reducer_bag.h>
#include <cilk/reducer_exact.h>
#include <cilk/reducer_list.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_string.h>
#include <cilk/reducer_vector.h>

static cilk_list_reducer list;
static cilk_prepend_list_reducer reversed;
static cilk_string_reducer text;
static cilk_vector_reducer squares;
static cilk_bag_reducer bag;
static cilk_file_reducer out;
static cilk_exact_reducer exact;
static cilk_opadd_reducer(long) sum;
static int cells[500];

static void by_pointer(cilk_string *s, long *n, int i, int depth) {
  if (depth) {
    cilk_spawn by_pointer(s, n, i, depth - 1);
    by_pointer(s, n, i + 1000 * depth, depth - 1);
    cilk_sync;
    return;
  }
  cilk_string_printf(cilk_string_view(s), "%d ", i);
  *cilk_opadd_view(long, n) += i;
}

static void walk(int low, int high) {
  if (high - low > 1) {
    cilk_spawn walk(low, (low + high) / 2);
    walk((low + high) / 2, high);
    cilk_sync;
    return;
  }
  cilk_list_append(cilk_list_view(&list), int, low);
  cilk_list_prepend(cilk_prepend_list_view(&reversed), int, low);
  cilk_vector_append(cilk_vector_view(&squares), long, (long)low * low);
  cilk_bag_put(cilk_bag_view(&bag), &cells[low]);
  cilk_file_printf(cilk_file_view(&out), "%d%c", low, low % 20 == 19 ? '\n' : ' ');
  cilk_exact_add(cilk_exact_view(&exact), 1 / (low + 1.0));
  cilk_spawn by_pointer(&text, &sum, low, 2);
  cilk_sync;
}

int main(void) {
  out.stream = stdout;
  walk(0, 500);
  for (cilk_node *n = list.first, *m = reversed.first; n && m; n = n->next, m = m->next)
    printf("%d %d;", cilk_node_value(n, int), cilk_node_value(m, int));
  printf("\n%s\n%zu %zu %.17g %ld\n", cilk_string_text(&text), squares.count, bag.count, cilk_exact_value(&exact), sum);
  for (size_t i = 0; i < squares.count; i++) printf("%ld ", cilk_vector_at(&squares, long, i));
  return 0;
}
