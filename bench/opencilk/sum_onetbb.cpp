// sum.c with oneTBB. Threads: PEER_WORKERS.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/task_arena.h>

static unsigned long total(unsigned n)
{
    return tbb::parallel_reduce(
        tbb::blocked_range<unsigned>(0, n), 0ul,
        [](const tbb::blocked_range<unsigned> &r, unsigned long s) {
            for (unsigned i = r.begin(); i != r.end(); i++)
                s += i * 2654435761u >> 20;
            return s;
        },
        std::plus<unsigned long>());
}

int main(int argc, char **argv)
{
    unsigned n = argc > 1 ? static_cast<unsigned>(std::atol(argv[1])) : 100000;
    const char *text = std::getenv("PEER_WORKERS");
    int workers = text ? std::atoi(text) : 1;
    tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<size_t>(workers));
    tbb::task_arena arena(workers);
    unsigned long first = 0, sum = 0;
    arena.execute([&] {
        first = total(n / 100);
        auto began = std::chrono::steady_clock::now();
        sum = total(n);
        std::fprintf(stderr, "time: %.6f s\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    });
    std::printf("%lu %lu\n", first, sum);
}
