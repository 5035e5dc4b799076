// union_members.h - which member of a union an initialiser has named last, by the union's place: braces or designators
// of the same member go on in it, those of another member start afresh.
//
// What is written for a range, [a ... b], is written down once, for its first element, and that the others are like it
// from then on. A question for one of them is one for the first as it was when the range came; so the choices of each
// place are kept with their times.
#ifndef CILKC_FRONTEND_SEMA_UNION_MEMBERS_H
#define CILKC_FRONTEND_SEMA_UNION_MEMBERS_H

#include <cstdint>
#include <map>
#include <utility>
#include <vector>
#include "frontend/ast/ast.h"

namespace cilkc {

class UnionMembers {
public:
  // Places are offsets in bytes from the begin of the object.
  void choose(uint64_t place, const Type *type, FieldDecl *member) {
    std::vector<Choice> &all = choices[{place, type}];
    if (all.empty() || all.back().member != member || (!ranges.empty() && all.back().when < ranges.back().when))
      all.push_back({member, ++now});
  }

  // Null: none yet.
  FieldDecl *chosen(uint64_t place, const Type *type) const { return at(place, type, now); }

  // n elements are like the first, which is at `begin`.
  void repeat(uint64_t begin, uint64_t stride, uint64_t n) {
    auto first = choices.lower_bound({begin, nullptr});
    if (n > 1 && first != choices.end() && first->first.first < begin + stride)
      ranges.push_back({begin, stride, n, ++now});
  }

  bool empty() const { return choices.empty(); }

  // What another object's initialiser has chosen, which is the value of the part at `place`.
  void include(const UnionMembers &part, uint64_t place) {
    for (const auto &[where, all] : part.choices)
      for (const Choice &c : all) choices[{place + where.first, where.second}].push_back({c.member, now + c.when});
    for (const Range &r : part.ranges) ranges.push_back({place + r.begin, r.stride, r.n, now + r.when});
    now += part.now;
  }

private:
  struct Choice {
    FieldDecl *member;
    uint64_t when;
  };
  struct Range {
    uint64_t begin, stride, n, when;
  };

  // As it was at time `limit`.
  FieldDecl *at(uint64_t place, const Type *type, uint64_t limit) const {
    Choice last{nullptr, 0};
    if (auto own = choices.find({place, type}); own != choices.end())
      for (const Choice &c : own->second)
        if (c.when <= limit) last = c;
    for (auto r = ranges.rbegin(); r != ranges.rend() && r->when > last.when; ++r)
      if (r->when <= limit && place >= r->begin + r->stride && place - r->begin < r->n * r->stride)
        if (FieldDecl *f = at(r->begin + (place - r->begin) % r->stride, type, r->when)) return f;
    return last.member;
  }

  std::map<std::pair<uint64_t, const Type *>, std::vector<Choice>> choices;
  std::vector<Range> ranges;
  uint64_t now = 0;
};

}  // namespace cilkc

#endif
