// What the oneTBB programs share: `peer(argc, argv, body)` runs the body in an arena of PEER_WORKERS threads.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

inline long argument(int argc, char **argv, int which, long standard) {
  return which < argc ? std::strtol(argv[which], nullptr, 10) : standard;
}

template <typename Body> void timed(Body body) {
  const char *text = std::getenv("PEER_WORKERS");
  int workers = text ? std::atoi(text) : 1;
  tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<size_t>(workers));
  tbb::task_arena arena(workers);
  arena.execute([&] {
    auto begin = std::chrono::steady_clock::now();
    body();
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    std::fprintf(stderr, "time: %.6f s\n", took.count());
  });
}
