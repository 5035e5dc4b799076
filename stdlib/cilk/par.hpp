/* cilk/par.hpp: parallel loops, alternatives, reductions and task scopes for C++17, on Cilk's workers.
 *
 *     #include <cilk/par.hpp>
 *     cilk::par_do([&] { left(); }, [&] { right(); });
 *     cilk::par_for(0, n, [&](long i) { a[i] *= 2; });
 *     long sum = cilk::par_reduce(0, n, 0L, [&](long i) { return a[i]; }, std::plus<>());
 *
 *     g++ -std=c++17 -O2 $(cilkc --print-cflags) main.cpp par.o $(cilkc --print-libs)
 *
 * par.o is <cilk/par.cilk>, compiled by cilkc once. With CILK_PAR_SERIAL all runs on the calling thread, in the order of
 * the text, and neither par.o nor the runtime is needed.
 *
 * How it works: each call is a call from C (docs/library.md) of one Cilk procedure, which divides a range and calls the
 * C++ function for the pieces. A call inside of a piece is a part of the same computation: its worker runs other pieces
 * of that inner call, and of nothing else, until all are done. So nested calls need no worker of their own, and a lock
 * that is held over one deadlocks only with itself.
 *
 * What it cannot do: a C++ frame is never stolen. A call returns on the thread that made it, and a worker that waits in
 * an inner call cannot take work of an outer one, so that deep chains of calls with little work beside each other are
 * less parallel than the same in Cilk, where the frame itself moves. There are no inlets, no abort and no SYNCHED. The
 * tools see pieces as C functions: `cilkc race` and `cilkc prove` look into Cilk and C alone.
 *
 * Exceptions: the first one of a call is thrown again where the call was made, after the pieces that have begun; pieces
 * that have not begun are left out.
 */
#ifndef CILK_PAR_HPP
#define CILK_PAR_HPP

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include <cilk.h>

#ifndef CILK_PAR_SERIAL
extern "C" void EXPORT(cilk_par_range)(CilkContext *const, void (*body)(void *, long, long), void *env, long first,
                                       long last, long grain);
extern "C" int EXPORT(cilk_par_workers)(CilkContext *const);
extern "C" unsigned __cilkrts_get_worker_number(void);
#endif

namespace cilk {

/* Workers. standard() has one for each processor, or $CILK_NPROC, takes the runtime's options from $CILK_OPTIONS, and
 * lives until the program ends. Threads may share a context: calls that come from outside of it follow each other. */
class context {
public:
    explicit context(int count = 0)
    {
        if (count > 0)
            words = {"--nproc", std::to_string(count)};
        start();
    }
    /* The runtime's options of a program, which are taken out of its arguments. */
    context(int &argc, char **argv) { init(argc, argv); }
    context(const context &) = delete;
    context &operator=(const context &) = delete;
#ifndef CILK_PAR_SERIAL
    ~context() { Cilk_terminate(made); }
#endif
    CilkContext *get() const { return made; }
    int workers() const { return number; }
    static context &standard()
    {
        static context only(std::getenv("CILK_OPTIONS"));
        return only;
    }

private:
    CilkContext *made = nullptr;
    int number = 1;
    std::vector<std::string> words;     /* the runtime keeps pointers into them */

    explicit context(const char *options)
    {
        std::istringstream text(options ? options : "");
        words.assign(std::istream_iterator<std::string>(text), {});
        start();
    }
    void start()
    {
#ifndef CILK_PAR_SERIAL
        std::vector<char *> argv = {const_cast<char *>("cilk")};
        for (std::string &word : words)
            argv.push_back(word.data());
        int argc = static_cast<int>(argv.size());
        argv.push_back(nullptr);
        init(argc, argv.data());
        if (argc > 1)
            throw std::runtime_error(std::string("cilk: not an option of the runtime: ") + argv[1]);
#endif
    }
    void init(int &argc, char **argv)
    {
#ifndef CILK_PAR_SERIAL
        made = Cilk_init(&argc, argv);
        if (!made)
            throw std::runtime_error("cilk: no workers");
        number = EXPORT(cilk_par_workers)(made);
#else
        (void)argc, (void)argv;
#endif
    }
};

/* The worker that calls, 0 to context::workers() - 1; 0 on a thread that is none. */
inline int worker_id()
{
#ifndef CILK_PAR_SERIAL
    return static_cast<int>(__cilkrts_get_worker_number());
#else
    return 0;
#endif
}

namespace detail {

/* `count` things are divided into at most this many pieces or a few more, unless the caller says how. */
inline long usual_grain(long count) { return std::max(1L, count / 512); }

/* What the pieces of one call share. */
template <class Body> struct call {
    Body &body;
    std::atomic<bool> failed{false};
    std::exception_ptr first{};

    static void piece(void *env, long from, long to)
    {
        call *own = static_cast<call *>(env);
        if (own->failed.load(std::memory_order_acquire))
            return;
        try {
            own->body(from, to);
        } catch (...) {
            std::exception_ptr caught = std::current_exception();
            /* read after the call has returned, which comes after all pieces */
            if (!own->failed.exchange(true, std::memory_order_acq_rel))
                own->first = std::move(caught);
        }
    }
};

}  // namespace detail

/* body(from, to) for disjoint pieces of [first, last), of at most `grain` indices. 0: about 512 pieces. */
template <class Body> void par_blocks(context &c, long first, long last, Body &&body, long grain = 0)
{
    if (first >= last)
        return;
    if (grain <= 0)
        grain = detail::usual_grain(last - first);
    detail::call<std::remove_reference_t<Body>> shared{body};
#ifndef CILK_PAR_SERIAL
    EXPORT(cilk_par_range)(c.get(), &decltype(shared)::piece, &shared, first, last, grain);
#else
    (void)c;
    for (long from = first; from < last; from += std::min(grain, last - from))
        decltype(shared)::piece(&shared, from, from + std::min(grain, last - from));
#endif
    if (shared.first)
        std::rethrow_exception(shared.first);
}

template <class Body> void par_for(context &c, long first, long last, Body &&body, long grain = 0)
{
    par_blocks(
        c, first, last,
        [&](long from, long to) {
            for (long i = from; i < to; i++)
                body(i);
        },
        grain);
}
template <class Body> void par_for(long first, long last, Body &&body, long grain = 0)
{
    par_for(context::standard(), first, last, std::forward<Body>(body), grain);
}

/* Calls all of these functions, which may run at the same time, and waits for them. */
template <class... F> void par_do(context &c, F &&...functions)
{
    std::function<void()> table[] = {std::function<void()>(std::ref(functions))...};
    par_blocks(
        c, 0, static_cast<long>(sizeof...(functions)),
        [&](long from, long to) {
            for (long i = from; i < to; i++)
                table[i]();
        },
        1);
}
template <class F, class... More, class = std::enable_if_t<std::is_invocable_v<F &>>>
void par_do(F &&function, More &&...more)
{
    par_do(context::standard(), std::forward<F>(function), std::forward<More>(more)...);
}

/* combine(... combine(combine(identity, map(first)), map(first + 1)) ...), where combine is associative: pieces are
 * combined in the order of the range. How it is divided depends on n and grain alone, so the result is the same on any
 * number of workers, of floating-point sums, too. */
template <class T, class Map, class Combine>
T par_reduce(context &c, long first, long last, T identity, Map &&map, Combine &&combine, long grain = 0)
{
    if (first >= last)
        return identity;
    if (grain <= 0)
        grain = detail::usual_grain(last - first);
    std::vector<std::optional<T>> parts(static_cast<std::size_t>((last - first - 1) / grain + 1));
    par_blocks(
        c, 0, static_cast<long>(parts.size()),
        [&](long from, long to) {
            for (long part = from; part < to; part++) {
                long i = first + part * grain, end = std::min(last, i + std::min(grain, last - i));
                T value = identity;
                for (; i < end; i++)
                    value = combine(std::move(value), map(i));
                parts[static_cast<std::size_t>(part)].emplace(std::move(value));
            }
        },
        1);
    T result = std::move(identity);
    for (auto &part : parts)
        result = combine(std::move(result), std::move(*part));
    return result;
}
template <class T, class Map, class Combine>
T par_reduce(long first, long last, T identity, Map &&map, Combine &&combine, long grain = 0)
{
    return par_reduce(context::standard(), first, last, std::move(identity), std::forward<Map>(map),
                      std::forward<Combine>(combine), grain);
}

/* Tasks that are given one by one, also by tasks of the same scope. They run at wait(), which the destructor calls, too;
 * an exception reaches the caller of wait() only. */
class scope {
public:
    explicit scope(context &c = context::standard()) : workers(c) {}
    scope(const scope &) = delete;
    scope &operator=(const scope &) = delete;
    ~scope() { wait(); }

    template <class F> void run(F &&function)
    {
        std::lock_guard<std::mutex> hold(lock);
        tasks.emplace_back(std::forward<F>(function));
    }
    void wait()
    {
        for (;;) {
            std::vector<std::function<void()>> now;
            {
                std::lock_guard<std::mutex> hold(lock);
                now.swap(tasks);
            }
            if (now.empty())
                return;
            par_for(workers, 0, static_cast<long>(now.size()), [&](long i) { now[static_cast<std::size_t>(i)](); }, 1);
        }
    }

private:
    context &workers;
    std::mutex lock;
    std::vector<std::function<void()>> tasks;
};

/* A view for each thread; value() combines them while nothing changes them. Which thread runs which piece is up to the
 * scheduler: combine has to be commutative as well as associative (par_reduce keeps the order). Take view() anew in each
 * piece. */
template <class T, class Combine = std::plus<>> class reducer {
public:
    explicit reducer(T neutral = T(), Combine how = Combine()) : identity(std::move(neutral)), combine(std::move(how)) {}
    reducer(const reducer &) = delete;
    reducer &operator=(const reducer &) = delete;

    T &view()
    {
        std::lock_guard<std::mutex> hold(lock);
        auto &own = views[std::this_thread::get_id()];
        if (!own)
            own = std::make_unique<T>(identity);
        return *own;
    }
    T value() const
    {
        T result = identity;
        for (auto &one : views)
            result = combine(std::move(result), *one.second);
        return result;
    }

private:
    T identity;
    Combine combine;
    std::mutex lock;
    std::unordered_map<std::thread::id, std::unique_ptr<T>> views;
};

}  // namespace cilk

#endif
