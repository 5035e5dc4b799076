// enclosing.h - nested source ranges: which is the innermost that encloses a place? Asked for each spawn and
// each access, so it takes a search in a sorted list, however deep the pieces are nested.
#pragma once
#include <algorithm>
#include <vector>
#include "frontend/source/source.h"

namespace cilkc::analysis {

template <class T> class Enclosing {
public:
  // In any order; but of two with the same range the outer one comes first.
  void add(Range r, T what) {
    if (r.valid()) pieces.push_back({r, std::move(what)});
  }
  void settle() {
    std::stable_sort(pieces.begin(), pieces.end(), [](const Piece &a, const Piece &b) {
      return a.range.begin < b.range.begin || (a.range.begin == b.range.begin && b.range.end < a.range.end);
    });
    std::vector<size_t> open;
    auto closeUpTo = [&](Loc at) {
      while (!open.empty() && !(at < pieces[open.back()].range.end)) {
        Loc end = pieces[open.back()].range.end;
        open.pop_back();
        changes.push_back({end, open.empty() ? none : open.back()});
      }
    };
    for (size_t i = 0; i < pieces.size(); i++) {
      closeUpTo(pieces[i].range.begin);
      open.push_back(i);
      changes.push_back({pieces[i].range.begin, i});
    }
    closeUpTo(Loc{~0u});
  }
  // Null: there is none.
  const T *around(Range r) const {
    auto after =
        std::upper_bound(changes.begin(), changes.end(), r.begin, [](Loc at, const Change &c) { return at < c.at; });
    if (!r.valid() || after == changes.begin() || after[-1].piece == none) return nullptr;
    return &pieces[after[-1].piece].what;
  }

private:
  static constexpr size_t none = ~size_t{0};
  struct Piece {
    Range range;
    T what;
  };
  struct Change {
    Loc at;
    size_t piece;  // the innermost one from there on
  };
  std::vector<Piece> pieces;
  std::vector<Change> changes;
};

}  // namespace cilkc::analysis
