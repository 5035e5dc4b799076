// <cilk/parlay.hpp>, against serial results. Parlaylib itself is not here: parlay/parallel.h of the test declares what
// Parlaylib's declares, and includes a plug-in that is an error unless the shim says that it was included.
#include <cilk/parlay.hpp>

#include <cstdio>
#include <numeric>

static int wrong;
#define CHECK(x) ((x) ? (void)0 : (void)(wrong++, std::printf("line %d: %s\n", __LINE__, #x)))

static unsigned long fib(unsigned long n)
{
    if (n < 2)
        return n;
    unsigned long x, y;
    parlay::par_do([&] { x = fib(n - 1); }, [&] { y = fib(n - 2); });
    return x + y;
}

template <class It> static auto sum(It first, It last)
{
    auto n = last - first;
    if (n < 50)
        return std::accumulate(first, last, 0L);
    long left, right;
    parlay::par_do([&] { left = sum(first, first + n / 2); }, [&] { right = sum(first + n / 2, last); }, true);
    return left + right;
}

static void nest(int depth, std::atomic<int> &done)
{
    if (depth > 0)
        parlay::par_do([&] { nest(depth - 1, done); }, [&] { done++; });
}

int main()
{
    CHECK(fib(16) == 987);
    for (std::size_t start : {0u, 5u})
        for (std::size_t n : {0u, 1u, 2u, 600u, 20011u})
            for (long granularity : {0L, 1L, 9L, 100000L}) {
                std::vector<std::atomic<int>> count(start + n + 1);
                parlay::parallel_for(start, start + n, [&](std::size_t i) { count[i]++; }, granularity);
                long all = 0;
                for (std::size_t i = 0; i < count.size(); i++)
                    all += count[i] == (i >= start && i < start + n);
                CHECK(all == static_cast<long>(count.size()));
            }
    parlay::parallel_for(7, 3, [](std::size_t) { wrong++; });
    std::vector<long> numbers(30000);
    parlay::parallel_for(0, 300, [&](std::size_t i) {
        parlay::parallel_for(0, 100, [&](std::size_t j) { numbers[i * 100 + j] = static_cast<long>(i * j); });
    });
    CHECK(sum(numbers.begin(), numbers.end()) == 299L * 300 / 2 * 99 * 100 / 2);
    std::atomic<int> done{0};
    nest(1000, done);
    CHECK(done == 1000);
    std::vector<std::atomic<long>> seen(parlay::num_workers() + 1);
    CHECK(parlay::worker_id() == 0);
    parlay::parallel_for(0, 10000, [&](std::size_t) { seen[std::min(parlay::worker_id(), seen.size() - 1)]++; }, 1);
    CHECK(seen.back() == 0 && std::accumulate(seen.begin(), seen.end(), 0L) == 10000);
    if (!wrong)
        std::puts("all right");
    return wrong != 0;
}
