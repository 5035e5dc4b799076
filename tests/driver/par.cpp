// <cilk/par.hpp>: every function, against the standard library's serial algorithms. Prints "all right", or what is not.
#include <cilk/par.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

static int wrong;
#define CHECK(x) ((x) ? (void)0 : (void)(wrong++, std::printf("line %d: %s\n", __LINE__, #x)))

static long fib(long n)
{
    if (n < 2)
        return n;
    long x, y;
    cilk::par_do([&] { x = fib(n - 1); }, [&] { y = fib(n - 2); });
    return x + y;
}

template <class It> static void quicksort(It first, It last)
{
    if (last - first < 32)
        return std::sort(first, last);
    It middle = std::partition(first, last, [pivot = first[(last - first) / 2]](auto x) { return x < pivot; });
    if (middle == first)
        return std::sort(first, last);
    cilk::par_do([=] { quicksort(first, middle); }, [=] { quicksort(middle, last); });
}

static void loops()
{
    for (long n : {0L, 1L, 2L, 511L, 512L, 513L, 10007L})
        for (long grain : {0L, 1L, 7L, 20000L}) {
            std::vector<std::atomic<int>> count(n + 1);
            cilk::par_for(0, n, [&](long i) { count[i]++; }, grain);
            CHECK(count[n] == 0 && std::all_of(count.begin(), count.end() - 1, [](auto &c) { return c == 1; }));
            std::atomic<long> longest{0}, all{0};
            cilk::context two(2);
            cilk::par_blocks(two, -5, n - 5, [&](long a, long b) {
                for (long seen = longest; b - a > seen && !longest.compare_exchange_weak(seen, b - a);) {}
                all += b - a;
            }, grain);
            CHECK(all == n && (!grain || longest <= grain));
        }
}

static void reductions()
{
    std::vector<std::string> words;
    for (int i = 0; i < 3000; i++)
        words.push_back(std::to_string(i * i % 97) + ",");
    auto text = [&](long i) { return words[i]; };
    for (long grain : {0L, 1L, 13L, 5000L})     // not commutative
        CHECK(cilk::par_reduce(0, 3000, std::string(), text, std::plus<>(), grain) ==
              std::accumulate(words.begin(), words.end(), std::string()));
    CHECK(cilk::par_reduce(5, 5, 42L, [](long i) { return i; }, std::plus<>()) == 42);
    double some = cilk::par_reduce(1, 100000, 0.0, [](long i) { return 1.0 / i; }, std::plus<>());
    cilk::context one(1), three(3);             // the same to the last bit on any number of workers
    CHECK(some == cilk::par_reduce(one, 1, 100000, 0.0, [](long i) { return 1.0 / i; }, std::plus<>()));
    CHECK(some == cilk::par_reduce(three, 1, 100000, 0.0, [](long i) { return 1.0 / i; }, std::plus<>()));
    cilk::reducer<long> sum;
    cilk::par_for(0, 10000, [&](long i) { sum.view() += i; });
    CHECK(sum.value() == 10000L * 9999 / 2);
    auto joined = [](std::map<int, int> a, const std::map<int, int> &b) {
        for (auto &[key, n] : b)
            a[key] += n;
        return a;
    };
    cilk::reducer<std::map<int, int>, decltype(joined)> bins({}, joined);
    cilk::par_for(0, 1000, [&](long i) { bins.view()[i % 10]++; }, 3);
    CHECK(bins.value().size() == 10 && bins.value()[7] == 100);
}

static void tasks()
{
    std::mutex lock;
    std::set<int> seen;
    cilk::scope all;
    std::function<void(int)> add = [&](int n) {
        { std::lock_guard<std::mutex> hold(lock); seen.insert(n); }
        if (n < 500) {
            all.run([&add, n] { add(2 * n); });
            all.run([&add, n] { add(2 * n + 1); });
        }
    };
    all.run([&] { add(1); });
    all.wait();
    CHECK(seen.size() == 999 && *seen.rbegin() == 999);
    int late = 0;
    {
        cilk::scope end;
        end.run([&] { late = 1; });
    }
    CHECK(late == 1);
}

static void exceptions()
{
    for (int times = 0; times < 20; times++) {
        std::atomic<int> ran{0};
        bool caught = false;
        try {
            cilk::par_for(0, 1000, [&](long i) {
                ran++;
                if (i == 137)
                    throw std::out_of_range("137");
            }, 1);
        } catch (const std::out_of_range &e) {
            caught = std::string(e.what()) == "137";
        }
        CHECK(caught && ran >= 1 && ran <= 1000);
    }
    bool inner = false;     // through two calls
    try {
        cilk::par_do([] { cilk::par_do([] { throw 5; }, [] {}); }, [] {});
    } catch (int n) {
        inner = n == 5;
    }
    CHECK(inner);
    cilk::scope failing;
    failing.run([] { throw std::string("x"); });
    try {
        failing.wait();
        CHECK(false);
    } catch (const std::string &) {
    }
}

static void nested(int depth)
{
    if (depth > 0)
        cilk::par_for(0, 2, [&](long i) { if (i == 0) nested(depth - 1); }, 1);
}

static void threads()
{
    std::vector<std::thread> many;      // calls of one context follow each other
    std::atomic<long> total{0};
    for (int k = 0; k < 4; k++)
        many.emplace_back([&] {
            for (int times = 0; times < 20; times++)
                total += cilk::par_reduce(0, 1000, 0L, [](long i) { return i; }, std::plus<>());
        });
    for (auto &one : many)
        one.join();
    CHECK(total == 4 * 20 * 499500L);
}

int main()
{
    CHECK(fib(16) == 987);
    std::vector<int> numbers(20000), sorted;
    for (int &n : numbers)
        n = std::rand() % 5000;
    sorted = numbers;
    std::sort(sorted.begin(), sorted.end());
    quicksort(numbers.begin(), numbers.end());
    CHECK(numbers == sorted);
    loops();
    reductions();
    tasks();
    exceptions();
    for (int times = 0; times < 10; times++)
        nested(100);
    threads();
    if (!wrong)
        std::puts("all right");
    return wrong != 0;
}
