// live.cpp - see live.h. Events are numbered through all blocks; what concerns one variable is a list of such numbers,
// and every question is one about intervals.
#include "frontend/flow/live.h"
#include <algorithm>
#include <unordered_map>

namespace cilkc {
namespace {

constexpr size_t kSaves = 6000;  // variables times entry points of a procedure that may be saved as they come
constexpr size_t kEntries = 64;  // beyond that: entry points at which one variable may be saved
constexpr size_t kSteps = 3'000'000;  // blocks walked over for all variables together
constexpr size_t kBlocks = 512;  // beyond that: for one
constexpr size_t kTouches = 4'000'000;  // deliveries and syncs times the variables that they concern

class Live {
public:
  explicit Live(const LiveProblem &p) : p(p), cfg(p.graph.cfg) {
    result.at.resize(p.points.size());
    size_t nb = cfg.blocks.size();
    for (size_t i = 0; i < p.vars.size(); i++) index[p.vars[i]] = static_cast<int>(i);
    starts.reserve(nb + 1);
    size_t n = 0;
    for (auto &b : cfg.blocks) {
      starts.push_back(n);
      n += b.events.size();
    }
    starts.push_back(n);
    for (auto &x : p.points) points.push_back(starts[x.block] + x.at);
    liveIn.assign(nb, -1);
    liveOut.assign(nb, -1);
    mentionedIn.assign(nb, -1);
    bitIn.assign(nb, -1);
    firstIn.assign(nb, 0);
    delivered.assign(p.vars.size(), 0);
    touched.assign(p.vars.size(), 0);
    for (auto *v : cfg.delivered)
      if (int i = of(v); i >= 0) delivered[i] = 1;
    for (auto *v : cfg.inletTouched)
      if (int i = of(v); i >= 0) touched[i] = 1;
    collect();
  }

  LiveResult run(bool all) {
    size_t nv = p.vars.size(), total = 0;
    std::vector<size_t> counts(nv);
    std::vector<char> wide(nv, 0);
    size_t spread = std::count(delivered.begin(), delivered.end(), 1) * barriers.size() +
                    std::count(touched.begin(), touched.end(), 1) * inletDeliveries.size();
    for (size_t v = 0; v < nv; v++) {
      if ((delivered[v] || touched[v]) && spread > kTouches) {
        wide[v] = 1;
        continue;
      }
      if (!walk(static_cast<int>(v), true)) {
        wide[v] = 1;
        continue;
      }
      for (auto &[from, to] : ranges) counts[v] += to - from;
      total += counts[v];
    }
    for (size_t v = 0; v < nv; v++) {
      if (all ? counts[v] > 0 : total > kSaves && counts[v] > kEntries) wide[v] = 1;
      if (wide[v]) {
        result.wide.push_back(p.vars[v]);
        continue;
      }
      if (!counts[v]) continue;
      walk(static_cast<int>(v), false);  // what is not wide by now is saved
      auto *var = p.vars[v];
      copies(static_cast<int>(v), Value, [&](size_t k, bool may) {
        if (may) result.at[k].live.push_back(var);
        if (may || delivers(k, static_cast<int>(v))) result.at[k].liveDelivered.push_back(var);
      });
      copies(static_cast<int>(v), Dirty, [&](size_t k, bool may) {
        if (may) result.at[k].dirty.push_back(var);
      });
      copies(static_cast<int>(v), DirtyBesideSkips, [&](size_t k, bool may) {
        if (may) result.at[k].dirtyBesideSkips.push_back(var);
      });
    }
    return std::move(result);
  }

private:
  struct Mention {
    size_t at;
    int block;
    Event::Kind kind;
  };
  const LiveProblem &p;
  const Cfg &cfg;
  LiveResult result;
  std::unordered_map<const VarDecl *, int> index;
  std::vector<size_t> starts, points;  // number of each block's first event; of the events of the points
  std::vector<Mention> mentions;  // of all variables, by variable and number
  std::vector<size_t> firstMention;  // of each variable
  std::vector<Mention> barriers, inletDeliveries, returns;  // concern many variables, and are listed once
  std::vector<char> delivered, touched;
  size_t steps = 0;

  // State of the current variable. Each walk marks blocks with a new number, so nothing needs clearing.
  int mark = 0;
  std::vector<int> liveIn, liveOut, mentionedIn, bitIn;
  std::vector<size_t> firstIn;  // per block with mentionedIn: its first element of `seen`
  std::vector<Mention> seen;  // its uses and definitions
  std::vector<std::pair<size_t, size_t>> ranges;  // intervals of points at which it is live
  std::vector<int> blocks, outs, work;  // blocks at whose start it is live; at whose end

  int of(const VarDecl *v) const {
    auto it = index.find(v);
    return it == index.end() ? -1 : it->second;
  }

  void collect() {
    std::vector<std::pair<int, Mention>> found;
    for (size_t b = 0; b < cfg.blocks.size(); b++) {
      size_t at = starts[b];
      for (auto &e : cfg.blocks[b].events) {
        Mention m{at++, static_cast<int>(b), e.kind};
        switch (e.kind) {
          case Event::Use:
          case Event::Define:
          case Event::Undefine:
          case Event::Modify:
          case Event::Deliver:
            if (int i = of(e.var); i >= 0) found.push_back({i, m});
            break;
          case Event::DeliverInlet: inletDeliveries.push_back({m.at, m.block, Event::Deliver}); break;
          // Deliveries of children that are out may come here, or (after a spawn in a loop without end) never meet a
          // sync.
          case Event::SpawnPoint:
          case Event::SyncPoint:
          case Event::ReturnPoint:
            barriers.push_back({m.at, m.block, Event::Use});
            if (e.kind == Event::ReturnPoint) returns.push_back(barriers.back());
            break;
          default: break;
        }
      }
    }
    firstMention.assign(p.vars.size() + 1, 0);
    for (auto &f : found) firstMention[f.first + 1]++;
    for (size_t v = 0; v < p.vars.size(); v++) firstMention[v + 1] += firstMention[v];
    mentions.resize(found.size());
    auto next = firstMention;
    for (auto &f : found) mentions[next[f.first]++] = f.second;
  }

  static bool earlier(const Mention &a, const Mention &b) { return a.at < b.at; }
  size_t pointFrom(size_t at) const { return std::lower_bound(points.begin(), points.end(), at) - points.begin(); }

  // Finds liveIn, liveOut and ranges of one variable. False, if bounded: it is live in too many blocks to go on.
  bool walk(int v, bool bounded) {
    seen.clear();
    ranges.clear();
    for (size_t k = firstMention[v]; k < firstMention[v + 1]; k++)
      if (mentions[k].kind == Event::Use || mentions[k].kind == Event::Define || mentions[k].kind == Event::Undefine)
        seen.push_back(mentions[k]);
      else if (mentions[k].kind == Event::Deliver && delivered[v])
        seen.push_back({mentions[k].at, mentions[k].block, Event::Use});
    auto merge = [&](const std::vector<Mention> &uses) {
      size_t own = seen.size();
      seen.insert(seen.end(), uses.begin(), uses.end());
      for (size_t k = own; k < seen.size(); k++) seen[k].kind = Event::Use;
      std::inplace_merge(seen.begin(), seen.begin() + own, seen.end(), earlier);
    };
    if (delivered[v]) merge(barriers);
    else if (p.keepAll) merge(returns);
    // the last child's own delivery reads what it changes, but for a plain receiver
    if (touched[v]) merge(inletDeliveries);
    mark++;
    blocks.clear();
    outs.clear();
    for (size_t k = 0; k < seen.size(); k++) {
      int b = seen[k].block;
      if (mentionedIn[b] == mark) continue;
      mentionedIn[b] = mark;
      firstIn[b] = k;
      if (seen[k].kind == Event::Use) blocks.push_back(b);
    }
    for (int b : blocks) liveIn[b] = mark;
    for (size_t k = 0; k < blocks.size(); k++) {
      for (int q : p.graph.preds[blocks[k]]) {
        steps++;
        if (liveOut[q] == mark) continue;
        liveOut[q] = mark;
        outs.push_back(q);
        if (mentionedIn[q] == mark || liveIn[q] == mark) continue;
        liveIn[q] = mark;
        blocks.push_back(q);
      }
      if (bounded && steps > kSteps && blocks.size() > kBlocks) return false;
    }
    // Before each use, back to the mention before it or the block's start; and after the last mention of a block at
    // whose end it is live.
    auto range = [&](size_t from, size_t to) {
      size_t a = pointFrom(from), b = pointFrom(to);
      if (a < b) ranges.push_back({a, b});
    };
    for (size_t k = 0; k < seen.size(); k++) {
      if (seen[k].kind != Event::Use) continue;
      bool first = k == 0 || seen[k - 1].block != seen[k].block;
      range(first ? starts[seen[k].block] : seen[k - 1].at, seen[k].at);
    }
    for (int b : outs) {
      size_t from = starts[b];
      if (mentionedIn[b] == mark) {
        size_t k = firstIn[b];
        while (k + 1 < seen.size() && seen[k + 1].block == b) k++;
        from = seen[k].at;
      }
      range(from, starts[b + 1]);
    }
    std::sort(ranges.begin(), ranges.end());
    return true;
  }

  // Does the delivery that belongs to this point store to the variable?
  bool delivers(size_t point, int v) const {
    auto &events = cfg.blocks[p.points[point].block].events;
    size_t next = static_cast<size_t>(p.points[point].at) + 1;
    if (next >= events.size()) return false;
    return events[next].kind == Event::Deliver ? events[next].var == p.vars[v]
                                               : events[next].kind == Event::DeliverInlet && touched[v];
  }

  // One of three forward questions about the variable in hand, asked at the points in `ranges`: may it have a value?
  // May it have one that its copy does not have, where the points that save bring the copy up to date: all of them, or
  // those that no way skips? Only the blocks in which it is live matter, since no other place matters: on a way that
  // leaves them it is defined again before it is live.
  enum Question : uint8_t { Value, Dirty, DirtyBesideSkips };
  template <class Answer> void copies(int v, Question question, Answer answer) {
    struct Change {
      size_t at;
      int block;
      enum : uint8_t { Sets, Clears, Point } what;
      size_t point;
    };
    std::vector<Change> changes;
    for (size_t k = firstMention[v]; k < firstMention[v + 1]; k++) {
      auto &m = mentions[k];
      if (m.kind == Event::Undefine && !p.declaredSet) changes.push_back({m.at, m.block, Change::Clears, 0});
      else if (m.kind != Event::Use) changes.push_back({m.at, m.block, Change::Sets, 0});
    }
    if (touched[v])
      for (auto &m : inletDeliveries) changes.push_back({m.at, m.block, Change::Sets, 0});
    for (auto &[from, to] : ranges)
      for (size_t k = from; k < to; k++)
        if (question == Value || p.points[k].saves) changes.push_back({points[k], p.points[k].block, Change::Point, k});
    std::sort(changes.begin(), changes.end(), [](const Change &a, const Change &b) { return a.at < b.at; });
    // What the bit is after a change: true, false, or as it was.
    auto cleans = [&](const Change &c) {
      return c.what == Change::Clears || (c.what == Change::Point && question != Value &&
                                             !(question == DirtyBesideSkips && p.points[c.point].mayBeSkipped));
    };

    std::unordered_map<int, bool> leaves;  // what a block makes of the bit, if anything
    for (auto &c : changes)
      if (c.what == Change::Sets || cleans(c)) leaves[c.block] = c.what == Change::Sets;
    bool atStart = p.vars[v]->isParam;
    int now = 3 * mark + question;
    work.clear();
    auto enter = [&](int b) {
      if (liveIn[b] != mark || bitIn[b] == now) return;
      bitIn[b] = now;
      if (!leaves.count(b)) work.push_back(b);
    };
    auto follow = [&](int b) {
      for (int n : cfg.blocks[b].next) enter(n);
    };
    if (atStart) enter(0);
    for (auto &[b, bit] : leaves)
      if (bit) follow(b);
    while (!work.empty()) {
      int b = work.back();
      work.pop_back();
      follow(b);
    }
    bool bit = false;
    for (size_t k = 0; k < changes.size(); k++) {
      auto &c = changes[k];
      if (!k || changes[k - 1].block != c.block) bit = (c.block == 0 && atStart) || bitIn[c.block] == now;
      if (c.what == Change::Point) answer(c.point, bit || !p.graph.reached[c.block]);
      if (c.what == Change::Sets) bit = true;
      else if (cleans(c)) bit = false;
    }
  }
};

}  // namespace

LiveResult findLive(const LiveProblem &p, bool all) { return Live(p).run(all); }

}  // namespace cilkc
