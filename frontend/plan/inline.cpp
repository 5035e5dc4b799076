// inline.cpp - which procedures are expanded into which, how deep, and which have leaf copies. The rules look at the
// spawn graph and at sizes only.
//
// A procedure's fast clone is expanded over the spawns that stay in its recursive group, level by level. The expansion
// goes on as long as the whole stays under a budget of AST nodes. Code size is bounded by that budget per procedure,
// and the copies are shared by all procedures of the unit until LLVM inlines them.
#include <algorithm>
#include <map>
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/plan/build.h"

namespace cilkc::planning {

const FunctionDecl *knownCallee(const SpawnStmt *s) {
  const FunctionDecl *callee = directCallee(s);
  return callee && !callee->attrs.weak ? callee : nullptr;
}

// Nodes that become code. An inlet counts where it is called.
size_t weigh(const Stmt *body) {
  size_t n = 0;
  eachNode(body, Walk::Evaluated, [&](const auto *node) {
    if constexpr (std::is_same_v<decltype(node), const Stmt *>) {
      n += weight(node->kind);
      if (node->kind != StmtKind::Spawn) return;
      const auto &s = *node->template as<SpawnStmt>();
      n += s.form != SpawnForm::Plain;  // the delivery
      if (s.inlet && s.inlet->def) n += weigh(s.inlet->def->body);
    } else {
      if (node->kind != ExprKind::ImplicitCast && node->kind != ExprKind::Paren) n++;
    }
  });
  return n;
}

namespace {

constexpr size_t kBudget = 700;  // AST nodes of one fully expanded fast clone
constexpr size_t kLevels = 4;
constexpr size_t kLeafBudget = 120;  // of a procedure whose leaf is inlined
// of a procedure that is copied: the copies' last parameter is one of LLVM's own (codegen/core/passing.h, kManyStacked)
constexpr size_t kMostParameters = 48;

class Inlining {
public:
  Inlining(std::vector<Draft> &drafts, const PlanOptions &options) : drafts(drafts), options(options) {
    for (size_t i = 0; i < drafts.size(); i++) numbers[drafts[i].plan->fn] = i;
    inlines = options.optLevel >= 2 && options.sizeLevel == 0 && !options.eventsInPlace;
  }

  void run() {
    findGroups();
    for (auto &d : drafts) {
      ClonePlan &p = *d.plan;
      p.leafCopy = inlines && options.inlining && options.inlineLeaves && p.cut && p.leafReturns &&
                   (p.fn->isLoop ? p.weight <= kBudget : p.weight <= kLeafBudget && copies(p.fn));
    }
    bool pushes = options.pushes(), leaves = does(options.strategy, Step::RunLeaf);
    bool groups = options.has(StrategyProperty::InlinesGroups);
    for (size_t i = 0; i < drafts.size(); i++) {
      ClonePlan &p = *drafts[i].plan;
      bool inPlace = false;
      for (auto &s : p.spawns) {
        auto *callee = planOf(s.callee);
        if (!callee) continue;
        s.expands = groups && group[i] == group[numbers.at(s.callee)] && s.callee->params.size() <= kMostParameters;
        // Where a spawn pushes, only what is over before a thief could come. A leaf that is run in place has pushed
        // nothing.
        s.leaf = callee->leafCopy && (pushes ? leaves && callee->leafCheap : groups);
        // What divides a loop does not run it.
        s.leaf &= !callee->fn->isLoop || callee != &p;
        if (s.leaf && callee->fn->isLoop) p.weight += callee->weight;
        inPlace |= s.leaf && pushes;
      }
      if (inPlace)
        for (size_t n = 0; n < p.entries.size(); n++) p.entries[n].save = std::move(drafts[i].besideLeaves[n]);
    }
    if (groups)
      for (auto &d : drafts) d.plan->levels = levels(*d.plan);
  }

private:
  std::vector<Draft> &drafts;
  const PlanOptions &options;
  std::unordered_map<const FunctionDecl *, size_t> numbers;
  std::vector<size_t> group;
  bool inlines;

  static bool copies(const FunctionDecl *fn) { return !fn->attrs.noinline && fn->params.size() <= kMostParameters; }

  const ClonePlan *planOf(const FunctionDecl *fn) const {
    auto it = fn ? numbers.find(fn) : numbers.end();
    return it == numbers.end() ? nullptr : drafts[it->second].plan;
  }

  // Strongly connected components of the spawn graph (Tarjan). No recursion, since chains of procedures may be long.
  void findGroups() {
    constexpr size_t none = SIZE_MAX;
    struct Visit {
      size_t node, next;
    };
    group.assign(drafts.size(), none);
    std::vector<size_t> number(drafts.size(), none), low(drafts.size(), none), open;
    std::vector<Visit> visits;
    size_t count = 0;
    auto enter = [&](size_t n) {
      number[n] = low[n] = count++;
      open.push_back(n);
      visits.push_back({n, 0});
    };
    for (size_t root = 0; root < drafts.size(); root++) {
      if (number[root] != none) continue;
      enter(root);
      while (!visits.empty()) {
        auto &[n, next] = visits.back();
        auto &spawns = drafts[n].plan->spawns;
        if (next < spawns.size()) {
          auto it = spawns[next].callee ? numbers.find(spawns[next].callee) : numbers.end();
          next++;
          if (it == numbers.end()) continue;
          if (number[it->second] == none) enter(it->second);
          else if (group[it->second] == none) low[n] = std::min(low[n], number[it->second]);
          continue;
        }
        size_t done = n;
        visits.pop_back();
        if (!visits.empty()) low[visits.back().node] = std::min(low[visits.back().node], low[done]);
        if (low[done] != number[done]) continue;
        for (size_t member = none; member != done;) {
          member = open.back();
          open.pop_back();
          group[member] = done;
        }
      }
    }
  }

  // Nodes of the leaf copies below the last level that are as long as their procedures: they begin with its work.
  size_t leaves(const std::map<const ClonePlan *, size_t> &counts) const {
    size_t nodes = 0;
    for (auto &[member, n] : counts)
      for (auto &s : member->spawns)
        if (s.leaf && planOf(s.callee)->leafTest) nodes += n * planOf(s.callee)->weight;
    return nodes;
  }

  size_t levels(const ClonePlan &p) const {
    if (!inlines || options.inlineRecursion == 0 || p.fn->attrs.noinline) return 0;
    // Nodes of the expansion by level, for every member that occurs.
    std::map<const ClonePlan *, size_t> counts{{&p, 1}};
    size_t total = p.weight, depth = 0,
           limit = options.inlineRecursion > 0 ? static_cast<size_t>(options.inlineRecursion) : kLevels;
    while (depth < limit) {
      std::map<const ClonePlan *, size_t> next;
      size_t added = 0;
      for (auto &[member, n] : counts)
        for (auto &s : member->spawns)
          if (s.expands && !s.callee->attrs.noinline) {
            auto *callee = planOf(s.callee);
            next[callee] += n;
            added += n * callee->weight;
          }
      if (!added || (options.inlineRecursion < 0 && total + added + leaves(next) > kBudget)) break;
      total += added;
      counts = std::move(next);
      depth++;
    }
    return depth;
  }
};

}  // namespace

void planInlining(std::vector<Draft> &drafts, const PlanOptions &options) { Inlining(drafts, options).run(); }

}  // namespace cilkc::planning
