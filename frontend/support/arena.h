// arena.h - memory that dies as a whole: objects follow one another in large chunks, and none is freed alone. Those
// with members that own something (vectors, strings) are destroyed with the arena, the latest first. Names are kept
// once each.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <unordered_set>
#include <vector>

namespace cilkc {

class Arena {
public:
  Arena() = default;
  ~Arena();
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  template <class T, class... A> T *make(A &&...a) {
    T *p = new (allocate(sizeof(T), alignof(T))) T(static_cast<A &&>(a)...);
    if constexpr (!std::is_trivially_destructible_v<T>)
      destructors.push_back({p, [](void *q) { static_cast<T *>(q)->~T(); }});
    return p;
  }
  std::string_view intern(std::string_view);                   // a zero follows the name
  size_t bytesUsed() const { return total; }

private:
  struct Destructor {
    void *object;
    void (*destroy)(void *);
  };
  void *allocate(size_t size, size_t align) {
    uintptr_t p = (at + align - 1) & ~(uintptr_t(align) - 1);
    if (p + size > end) return allocateSlowly(size, align);
    at = p + size;
    return reinterpret_cast<void *>(p);
  }
  void *allocateSlowly(size_t size, size_t align);             // in another chunk
  static constexpr size_t chunkSize = 256 * 1024;
  // of the open chunk what is left; none is open at the start
  uintptr_t at = 1, end = 0;
  size_t total = 0;
  std::vector<std::unique_ptr<char[]>> chunks;
  std::vector<Destructor> destructors;
  std::unordered_set<std::string_view> strings;
};

}  // namespace cilkc
