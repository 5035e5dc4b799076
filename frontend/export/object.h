// object.h - writes one object of JSON, member by member; it ends with the C++ object.
#pragma once
#include <ostream>
#include <string_view>
#include "frontend/ast/query.h"
#include "frontend/source/json.h"

namespace cilkc::exporting {

class Object {
public:
  explicit Object(std::ostream &o) : out(o) { out << '{'; }
  Object(const Object &) = delete;
  ~Object() { out << '}'; }

  // The value of this member is written next.
  std::ostream &key(std::string_view name) {
    out << (first ? "\"" : ", \"") << name << "\": ";
    first = false;
    return out;
  }
  void text(std::string_view name, std::string_view value) { quoteJson(key(name), value); }
  void number(std::string_view name, __int128 value) { key(name) << decimal(value); }
  void flag(std::string_view name, bool holds) {
    if (holds) key(name) << "true";  // a flag that is not there is false
  }
  // write(item) for each, between brackets
  template <class List, class F> void list(std::string_view name, const List &items, F &&write) {
    key(name) << '[';
    const char *comma = "";
    for (const auto &item : items) {
      out << comma;
      write(item);
      comma = ", ";
    }
    out << ']';
  }

private:
  std::ostream &out;
  bool first = true;
};

}  // namespace cilkc::exporting
