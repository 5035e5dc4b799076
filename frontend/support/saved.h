// saved.h - a variable that has another value for as long as a scope lasts.
#pragma once
#include <utility>

namespace cilkc {

template <class T> class Saved {
public:
  explicit Saved(T &variable) : variable(variable), before(variable) {}
  template <class V> Saved(T &variable, V &&now) : Saved(variable) { variable = std::forward<V>(now); }
  ~Saved() { variable = std::move(before); }
  Saved(const Saved &) = delete;
  Saved &operator=(const Saved &) = delete;

private:
  T &variable;
  T before;
};
template <class T> Saved(T &) -> Saved<T>;
template <class T, class V> Saved(T &, V &&) -> Saved<T>;

}  // namespace cilkc
