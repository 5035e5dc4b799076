// types.h - the table of types of an exported tree: each type, with its qualifiers, has a number, and a row in the end.
#pragma once
#include <map>
#include <ostream>
#include <utility>
#include <vector>
#include "frontend/ast/ast.h"

namespace cilkc::exporting {

class Types {
public:
  explicit Types(const TargetInfo &t) : target(t) {}
  size_t number(QualType);
  // All rows, those of the types that they name included. Called once, after the last number().
  void write(std::ostream &);

private:
  const TargetInfo &target;
  std::map<std::pair<const Type *, unsigned>, size_t> numbers;
  std::vector<QualType> rows;
  void row(size_t id, QualType, std::ostream &);
};

}  // namespace cilkc::exporting
