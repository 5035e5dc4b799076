/* cilk/tbb.hpp: the part of oneTBB's interface that <cilk/par.hpp> can carry, under the same names, on Cilk's workers.
 *
 *     g++ -std=c++17 -I"$(cilkc --print-include-dir)/shims" $(cilkc --print-cflags) main.cpp par.o $(cilkc --print-libs)
 *
 * Text that includes <tbb/parallel_for.h>, <tbb/tbb.h> ... compiles unchanged with the first -I: the files in shims/tbb
 * include this one. What is here: ranges, parallel_for, parallel_for_each, parallel_reduce, parallel_deterministic_reduce,
 * parallel_invoke, task_group, partitioners, and of arenas the questions of this_task_arena. Containers, flow graphs,
 * pipelines, priorities and arenas of one's own are not; they do not compile.
 *
 * How it works: a range is divided first, by its own splitting constructor, into a list of pieces, and one par_for runs
 * the list. simple_partitioner divides down to the grain, the others stop at a few hundred pieces. How a range is
 * divided depends on the range alone, so every parallel_reduce gives the same result on any number of workers.
 *
 * What differs from oneTBB: a task_group's tasks begin at wait(), not beside the code between run() and wait(): put that
 * code into run_and_wait(). A group that is destroyed waits.
 */
#ifndef CILK_TBB_HPP
#define CILK_TBB_HPP

#include <iterator>

#include <cilk/par.hpp>

namespace tbb {

struct split {};

template <class Value> class blocked_range {
public:
    using const_iterator = Value;
    using size_type = std::size_t;

    blocked_range(Value from, Value to, size_type largest = 1) : first(from), last(to), grain(largest ? largest : 1) {}
    blocked_range(blocked_range &whole, split) : first(whole.middle()), last(whole.last), grain(whole.grain)
    {
        whole.last = first;
    }
    Value begin() const { return first; }
    Value end() const { return last; }
    size_type size() const { return static_cast<size_type>(last - first); }
    size_type grainsize() const { return grain; }
    bool empty() const { return !(first < last); }
    bool is_divisible() const { return !empty() && grain < size(); }

private:
    Value first, last;
    size_type grain;

    Value middle() const { return first + (last - first) / 2; }
};

template <class Row, class Column = Row> class blocked_range2d {
public:
    blocked_range2d(Row row, Row rows, Column column, Column columns) : blocked_range2d(row, rows, 1, column, columns, 1) {}
    blocked_range2d(Row row, Row rows, std::size_t grain, Column column, Column columns, std::size_t column_grain)
        : down(row, rows, grain), across(column, columns, column_grain)
    {
    }
    blocked_range2d(blocked_range2d &whole, split half) : down(whole.down), across(whole.across)
    {
        /* the side that has more grains */
        double tall = double(down.size()) * double(across.grainsize());
        if (tall < double(across.size()) * double(down.grainsize()))
            across = blocked_range<Column>(whole.across, half);
        else
            down = blocked_range<Row>(whole.down, half);
    }
    const blocked_range<Row> &rows() const { return down; }
    const blocked_range<Column> &cols() const { return across; }
    bool empty() const { return down.empty() || across.empty(); }
    bool is_divisible() const { return !empty() && (down.is_divisible() || across.is_divisible()); }

private:
    blocked_range<Row> down;
    blocked_range<Column> across;
};

struct simple_partitioner {};
struct auto_partitioner {};
struct static_partitioner {};
struct affinity_partitioner {};

namespace detail {

template <class T> using plain = std::remove_cv_t<std::remove_reference_t<T>>;
template <class T>
constexpr bool is_partitioner = std::is_same_v<plain<T>, simple_partitioner> || std::is_same_v<plain<T>, auto_partitioner> ||
                                std::is_same_v<plain<T>, static_partitioner> ||
                                std::is_same_v<plain<T>, affinity_partitioner>;

/* The pieces of a range, in its order. */
template <class Partitioner, class Range> std::vector<Range> pieces(const Range &whole)
{
    constexpr int deepest = std::is_same_v<Partitioner, simple_partitioner> ? 64 : 9;
    std::vector<Range> list;
    std::vector<std::pair<Range, int>> open;   /* with the number of divisions that made it */
    if (!whole.empty())
        open.emplace_back(whole, 0);
    while (!open.empty()) {
        if (open.back().second < deepest && open.back().first.is_divisible()) {
            int depth = ++open.back().second;
            Range right(open.back().first, split());
            std::swap(open.back().first, right);
            open.emplace_back(std::move(right), depth);
        } else {
            list.push_back(std::move(open.back().first));
            open.pop_back();
        }
    }
    return list;
}

template <class Partitioner, class Range, class Body> void each(const Range &range, Body &&body)
{
    std::vector<Range> list = pieces<Partitioner>(range);
    cilk::par_for(0, static_cast<long>(list.size()), [&](long i) { body(list[static_cast<std::size_t>(i)], i); }, 1);
}

template <class Partitioner, class Range, class Value, class Map, class Combine>
Value reduce(const Range &range, const Value &identity, const Map &map, const Combine &combine)
{
    std::vector<Range> list = pieces<Partitioner>(range);
    return cilk::par_reduce(
        0, static_cast<long>(list.size()), identity,
        [&](long i) { return map(std::as_const(list[static_cast<std::size_t>(i)]), identity); }, combine, 1);
}

/* The form with a body that is divided and joined. The first piece is the body's own. */
template <class Partitioner, class Range, class Body> void reduce(const Range &range, Body &body)
{
    std::vector<Range> list = pieces<Partitioner>(range);
    std::vector<std::unique_ptr<Body>> others;
    for (std::size_t i = 1; i < list.size(); i++)
        others.push_back(std::make_unique<Body>(body, split()));
    cilk::par_for(
        0, static_cast<long>(list.size()),
        [&](long i) { (i ? *others[static_cast<std::size_t>(i - 1)] : body)(list[static_cast<std::size_t>(i)]); }, 1);
    for (auto &other : others)
        body.join(*other);
}

}  // namespace detail

template <class Range, class Body, class = std::enable_if_t<!std::is_integral_v<Range>>>
void parallel_for(const Range &range, const Body &body)
{
    detail::each<auto_partitioner>(range, [&](const Range &piece, long) { body(piece); });
}
template <class Range, class Body, class Partitioner, class = std::enable_if_t<detail::is_partitioner<Partitioner>>>
void parallel_for(const Range &range, const Body &body, Partitioner &&)
{
    detail::each<detail::plain<Partitioner>>(range, [&](const Range &piece, long) { body(piece); });
}
template <class Index, class Body, class = std::enable_if_t<std::is_integral_v<Index>>>
void parallel_for(Index first, Index last, Index step, const Body &body)
{
    if (!(step > 0))
        throw std::invalid_argument("Step must be positive");
    if (first < last)
        cilk::par_for(0, static_cast<long>((last - first - 1) / step + 1),
                      [&](long i) { body(static_cast<Index>(first + static_cast<Index>(i) * step)); });
}
template <class Index, class Body, class = std::enable_if_t<std::is_integral_v<Index>>>
void parallel_for(Index first, Index last, const Body &body)
{
    parallel_for(first, last, Index(1), body);
}
template <class Index, class Body, class Partitioner,
          class = std::enable_if_t<std::is_integral_v<Index> && detail::is_partitioner<Partitioner>>>
void parallel_for(Index first, Index last, const Body &body, Partitioner &&)
{
    parallel_for(first, last, Index(1), body);
}

template <class Iterator, class Body> void parallel_for_each(Iterator first, Iterator last, const Body &body)
{
    std::vector<Iterator> all;
    for (; first != last; ++first)
        all.push_back(first);
    cilk::par_for(0, static_cast<long>(all.size()), [&](long i) { body(*all[static_cast<std::size_t>(i)]); });
}
template <class Container, class Body> void parallel_for_each(Container &&all, const Body &body)
{
    parallel_for_each(std::begin(all), std::end(all), body);
}

template <class Range, class Body> void parallel_reduce(const Range &range, Body &body)
{
    detail::reduce<auto_partitioner>(range, body);
}
template <class Range, class Body, class Partitioner, class = std::enable_if_t<detail::is_partitioner<Partitioner>>>
void parallel_reduce(const Range &range, Body &body, Partitioner &&)
{
    detail::reduce<detail::plain<Partitioner>>(range, body);
}
template <class Range, class Value, class Map, class Combine,
          class = std::enable_if_t<!detail::is_partitioner<Combine>>>
Value parallel_reduce(const Range &range, const Value &identity, const Map &map, const Combine &combine)
{
    return detail::reduce<auto_partitioner>(range, identity, map, combine);
}
template <class Range, class Value, class Map, class Combine, class Partitioner>
Value parallel_reduce(const Range &range, const Value &identity, const Map &map, const Combine &combine, Partitioner &&)
{
    return detail::reduce<detail::plain<Partitioner>>(range, identity, map, combine);
}
/* The same pieces as oneTBB's: down to the grain. */
template <class Range, class Value, class Map, class Combine>
Value parallel_deterministic_reduce(const Range &range, const Value &identity, const Map &map, const Combine &combine)
{
    return detail::reduce<simple_partitioner>(range, identity, map, combine);
}

template <class... F> void parallel_invoke(F &&...functions) { cilk::par_do(cilk::context::standard(), functions...); }

enum task_group_status { not_complete, complete, canceled };

class task_group {
public:
    template <class F> void run(F &&function)
    {
        tasks.run([this, function = std::forward<F>(function)] {
            if (!stopped.load(std::memory_order_relaxed))
                function();
        });
    }
    task_group_status wait()
    {
        try {
            tasks.wait();
        } catch (...) {
            stopped = false;
            throw;
        }
        return stopped.exchange(false) ? canceled : complete;
    }
    template <class F> task_group_status run_and_wait(const F &function)
    {
        run(std::cref(function));
        return wait();
    }
    /* Tasks that have not begun are left out. */
    void cancel() { stopped = true; }

private:
    std::atomic<bool> stopped{false};
    cilk::scope tasks;
};

namespace this_task_arena {
inline int max_concurrency() { return cilk::context::standard().workers(); }
inline int current_thread_index() { return cilk::worker_id(); }
template <class F> auto isolate(F &&function) { return function(); }    /* nested calls are isolated by themselves */
}  // namespace this_task_arena

}  // namespace tbb

namespace oneapi {
namespace tbb = ::tbb;
}

#endif
