/* cilk/parlay.hpp: Parlaylib on Cilk's workers. Included before any header of Parlaylib, or for all files by
 *
 *     g++ -std=c++17 -include cilk/parlay.hpp -Iparlaylib/include $(cilkc --print-cflags) main.cpp par.o $(cilkc --print-libs)
 *
 * How it works: Parlaylib has a header for each scheduler, and includes one that a macro chooses. The macros below
 * choose OpenCilk's and say that it was included already; the functions are here instead, over <cilk/par.hpp>. Numbers
 * of workers are those of the computation: 0 on threads that are no workers, of which one at a time should call.
 */
#ifndef CILK_PARLAY_HPP
#define CILK_PARLAY_HPP

#include <cstddef>

#include <cilk/par.hpp>

#define PARLAY_OPENCILK
#define PARLAY_INTERNAL_SCHEDULER_PLUGINS_OPENCILK_H_
#define PARLAY_INTERNAL_SCHEDULER_PLUGINS_OPENCILK_HPP_
#include <parlay/parallel.h>

namespace parlay {

inline std::size_t num_workers() { return static_cast<std::size_t>(cilk::context::standard().workers()); }
inline std::size_t worker_id() { return static_cast<std::size_t>(cilk::worker_id()); }
inline std::size_t scheduler_num_workers() { return num_workers(); }
inline std::size_t scheduler_worker_id() { return worker_id(); }

template <class F> inline void parallel_for(std::size_t start, std::size_t end, F &&f, long granularity, bool)
{
    if (start < end)
        cilk::par_for(0, static_cast<long>(end - start), [&](long i) { f(start + static_cast<std::size_t>(i)); },
                      granularity);
}

template <class Left, class Right> inline void par_do(Left &&left, Right &&right, bool) { cilk::par_do(left, right); }

}  // namespace parlay

#endif
