#include <cilk/tbb.hpp>
