// oneTBB's names in <cilk/tbb.hpp>, against serial results. The text is oneTBB's: it compiles and passes with oneTBB, too.
#include <tbb/blocked_range.h>
#include <tbb/blocked_range2d.h>
#include <tbb/tbb.h>

#include <atomic>
#include <cstdio>
#include <list>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

static int wrong;
#define CHECK(x) ((x) ? (void)0 : (void)(wrong++, std::printf("line %d: %s\n", __LINE__, #x)))

using Range = tbb::blocked_range<int>;

static void loops()
{
    for (int n : {0, 1, 2, 513, 10007})
        for (std::size_t grain : {1u, 7u, 20000u}) {
            std::vector<std::atomic<int>> count(static_cast<std::size_t>(n) + 1);
            std::atomic<std::size_t> longest{0};
            auto body = [&](const Range &r) {
                for (int i = r.begin(); i != r.end(); i++)
                    count[static_cast<std::size_t>(i)]++;
                for (std::size_t seen = longest; r.size() > seen && !longest.compare_exchange_weak(seen, r.size());) {}
            };
            tbb::parallel_for(Range(0, n, grain), body, tbb::simple_partitioner());
            CHECK(longest <= grain);
            tbb::parallel_for(Range(0, n, grain), body);
            tbb::parallel_for(Range(0, n, grain), body, tbb::auto_partitioner());
            tbb::parallel_for(0, n, [&](int i) { count[static_cast<std::size_t>(i)]++; });
            tbb::parallel_for(0, n, 3, [&](int i) { count[static_cast<std::size_t>(i)] += 10; });
            bool all = count[static_cast<std::size_t>(n)] == 0;
            for (int i = 0; i < n; i++)
                all = all && count[static_cast<std::size_t>(i)] == 4 + (i % 3 ? 0 : 10);
            CHECK(all);
        }
    std::vector<std::atomic<int>> cells(70 * 130);
    tbb::parallel_for(tbb::blocked_range2d<int>(0, 70, 4, 0, 130, 9), [&](const tbb::blocked_range2d<int> &r) {
        for (int i = r.rows().begin(); i < r.rows().end(); i++)
            for (int j = r.cols().begin(); j < r.cols().end(); j++)
                cells[static_cast<std::size_t>(i * 130 + j)]++;
    });
    CHECK(std::all_of(cells.begin(), cells.end(), [](auto &c) { return c == 1; }));
    std::list<int> values(1000, 1);
    tbb::parallel_for_each(values, [](int &v) { v += 2; });
    tbb::parallel_for_each(values.begin(), values.end(), [](int &v) { v *= 5; });
    CHECK(std::accumulate(values.begin(), values.end(), 0) == 15000);
    Range left(3, 13, 2), right(left, tbb::split());
    CHECK(left.begin() == 3 && left.end() == right.begin() && right.end() == 13 && right.grainsize() == 2);
    CHECK(left.size() == 5 && right.is_divisible() && !Range(4, 4).is_divisible() && Range(4, 4).empty());
    bool refused = false;
    try {
        tbb::parallel_for(0, 10, 0, [](int) {});
    } catch (const std::invalid_argument &) {
        refused = true;
    }
    CHECK(refused);
}

struct Text {       // joins are in order: not commutative
    const std::vector<std::string> &words;
    std::string all;
    explicit Text(const std::vector<std::string> &words) : words(words) {}
    Text(Text &other, tbb::split) : words(other.words) {}
    void operator()(const Range &r)
    {
        for (int i = r.begin(); i < r.end(); i++)
            all += words[static_cast<std::size_t>(i)];
    }
    void join(Text &right) { all += right.all; }
};

static void reductions()
{
    std::vector<std::string> words;
    for (int i = 0; i < 3000; i++)
        words.push_back(std::to_string(i * i % 97) + ",");
    std::string serial = std::accumulate(words.begin(), words.end(), std::string());
    auto map = [&](const Range &r, std::string text) {
        for (int i = r.begin(); i < r.end(); i++)
            text += words[static_cast<std::size_t>(i)];
        return text;
    };
    for (std::size_t grain : {1u, 13u, 5000u}) {
        Range range(0, 3000, grain);
        CHECK(tbb::parallel_reduce(range, std::string(), map, std::plus<>()) == serial);
        CHECK(tbb::parallel_reduce(range, std::string(), map, std::plus<>(), tbb::simple_partitioner()) == serial);
        CHECK(tbb::parallel_deterministic_reduce(range, std::string(), map, std::plus<>()) == serial);
        Text body(words), again(words);
        tbb::parallel_reduce(range, body);
        tbb::parallel_reduce(range, again, tbb::auto_partitioner());
        CHECK(body.all == serial && again.all == serial);
    }
    auto sum = [](const Range &r, double part) {
        for (int i = r.begin(); i < r.end(); i++)
            part += 1.0 / i;
        return part;
    };
    double first = tbb::parallel_deterministic_reduce(Range(1, 20000, 100), 0.0, sum, std::plus<>());
    for (int times = 0; times < 20; times++)    // to the last bit
        CHECK(first == tbb::parallel_deterministic_reduce(Range(1, 20000, 100), 0.0, sum, std::plus<>()));
    CHECK(tbb::parallel_reduce(Range(4, 4), 42, [](const Range &, int n) { return n; }, std::plus<>()) == 42);
}

static long fib(long n)
{
    if (n < 2)
        return n;
    long x, y;
    tbb::task_group both;
    both.run([&] { x = fib(n - 1); });
    both.run_and_wait([&] { y = fib(n - 2); });
    return x + y;
}

// Each level waits for the next one: `depth` waits at the same time on one stack, beside other work.
static void nest(int depth, std::atomic<int> &done)
{
    tbb::task_group inner;
    if (depth > 0)
        inner.run([&] { nest(depth - 1, done); });
    inner.run([&] { done++; });
    inner.wait();
}

static void tasks()
{
    CHECK(fib(15) == 610);
    std::atomic<int> done{0};
    nest(1000, done);
    CHECK(done == 1001);
    tbb::parallel_for(0, 1000, [&](int) {       // a wait in each of 1,000 pieces
        tbb::task_group group;
        group.run([&] { tbb::parallel_for(0, 3, [&](int) { done++; }); });
        group.wait();
    });
    CHECK(done == 4001);
    int a = 0, b = 0, c = 0;
    tbb::parallel_invoke([&] { a = 1; }, [&] { b = 2; }, [&] { c = 3; });
    CHECK(a == 1 && b == 2 && c == 3);
    tbb::task_group group;
    group.run([] { throw std::out_of_range("x"); });
    bool caught = false;
    try {
        group.wait();
    } catch (const std::out_of_range &) {
        caught = true;
    }
    CHECK(caught);
    group.run([&] { a = 5; });
    CHECK(group.wait() == tbb::complete && a == 5);
    group.run([&] { group.cancel(); });
    CHECK(group.wait() == tbb::canceled);
    group.run([&] { a = 6; });
    CHECK(group.wait() == tbb::complete && a == 6);
    CHECK(tbb::this_task_arena::isolate([] { return 7; }) == 7);
    int most = tbb::this_task_arena::max_concurrency();
    std::atomic<bool> below{true};
    tbb::parallel_for(0, 1000, [&](int) {
        int own = tbb::this_task_arena::current_thread_index();
        if (own < 0 || own >= most)
            below = false;
    });
    CHECK(below);
}

int main()
{
    loops();
    reductions();
    tasks();
    if (!wrong)
        std::puts("all right");
    return wrong != 0;
}
