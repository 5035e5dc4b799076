// library.h - what an elision needs of cilk.h, cut out of its text, so that it compiles where nothing of ours is
// installed. Private to elide/.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace cilkc {

// The parts of cilk.h as the elision sees it (no __CILK__, CILK_ELISION defined, C): macros and declarations.
class Library {
public:
  explicit Library(std::string_view cilkH);
  bool defines(std::string_view name) const { return byName.count(std::string(name)) != 0; }
  // The parts that words of the program name, and what these name in turn, in their order.
  std::string needed(const std::unordered_set<std::string> &words) const;

private:
  struct Part {
    std::string text;
    std::vector<std::string> names, uses;
  };
  std::vector<Part> parts;
  std::unordered_map<std::string, std::vector<size_t>> byName;
};

}  // namespace cilkc
