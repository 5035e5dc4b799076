/* node.h - memory nodes. */
#ifndef CILK_RT_NODE_H
#define CILK_RT_NODE_H

#include "data/worker.h"

int cilk_nodes(int pretended);
void cilk_node_update(cilk_worker *w);
int cilk_node_distance(int from, int to);

#endif
