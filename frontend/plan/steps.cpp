// steps.cpp - finds the list of a place in the table sites.def, whose rows are flat, and makes its arms a tree.
#include "frontend/plan/steps.h"
#include <algorithm>
#include <span>
#include <stdexcept>
#include "frontend/plan/plan.h"

namespace cilkc {
namespace {

// One element of a row: a step, the beginning of an arm, or its end.
struct Element {
  enum Kind : uint8_t { Does, Begin, End } kind;
  Step step{};
  Outcome on{};
  const char *label = nullptr;
  std::string_view text = {};
};

#define DO(id, ...) {Element::Does, Step::id, {}, nullptr, "" __VA_ARGS__},
#define ON(outcome, label, text, steps) {Element::Begin, {}, Outcome::outcome, label, text}, steps{Element::End},
#define SITE(whose, site, steps) constexpr Element k##whose##site[] = {steps};
#include "frontend/plan/sites.def"
#undef SITE

struct Row {
  std::string_view whose;
  Site site;
  std::span<const Element> elements;
};
constexpr Row kRows[] = {
#define SITE(whose, site, steps) {#whose, Site::site, k##whose##site},
#include "frontend/plan/sites.def"
#undef SITE
};

constexpr std::string_view kWords[] = {
#define STEP(id, word) word,
#define FAST_STEP(id, word) word,
#define SLOW_STEP(id, word) word,
#include "frontend/plan/steps.def"
};

std::span<const Element> rowOf(std::string_view whose, Site site) {
  for (const Row &r : kRows)
    if (r.whose == whose && r.site == site) return r.elements;
  return {};
}

std::span<const Element> rowOf(SpawnStrategy strategy, Clone clone, Site site) {
  if (clone == Clone::Slow) return rowOf("Slow", site);
  auto own = rowOf(strategyInfo(strategy).like, site);
  return own.empty() ? rowOf("Fast", site) : own;
}

Site siteOf(const EntryPoint &e, Clone clone) {
  switch (e.kind) {
    case EntryPoint::AfterSpawn: return Site::Spawn;
    case EntryPoint::BeforeSpawn: return Site::Before;
    case EntryPoint::AtSync: return clone == Clone::Slow && e.mayBeOutstanding ? Site::Sync : Site::FreeSync;
    case EntryPoint::AtReturn: return Site::ImplicitSync;
    case EntryPoint::AtTouch: {
      const auto *s = e.stmt->as<TouchStmt>();
      return !s->future ? Site::Renewal : s->own && clone == Clone::Fast ? Site::OwnTouch : Site::Touch;
    }
    case EntryPoint::Start: break;
  }
  throw std::logic_error("the begin of a procedure has no steps");
}

// Does the place have what the step is for?
bool has(Step step, const PlannedSpawn *s) {
  if (!s) return true;
  if (step == Step::RunLeaf || step == Step::Join) return s->leaf;
  if (step == Step::Deliver) return s->site->form != SpawnForm::Plain;
  if (step == Step::Record) return s->record.receiver == RecordLayout::Stored || !s->record.argTypes.empty();
  return true;
}

Steps tree(std::span<const Element> &rest, const PlannedSpawn *spawn) {
  Steps steps;
  while (!rest.empty()) {
    const Element &e = rest.front();
    rest = rest.subspan(1);
    if (e.kind == Element::End) break;
    if (e.kind == Element::Begin) steps.back().arms.push_back({e.on, e.label, e.text, tree(rest, spawn)});
    else if (has(e.step, spawn)) steps.push_back({e.step, e.text, {}});
  }
  return steps;
}

}  // namespace

Steps stepsAt(const ClonePlan &plan, Clone clone, int entry) {
  const EntryPoint &e = plan.entry(entry);
  auto row = rowOf(plan.strategy, clone, siteOf(e, clone));
  if (row.empty()) throw std::logic_error("no list of steps for a place (sites.def)");
  return tree(row, e.spawn ? &plan.spawn(e.spawn) : nullptr);
}

bool does(SpawnStrategy strategy, Step step) {
  auto row = rowOf(strategy, Clone::Fast, Site::Spawn);
  return std::any_of(row.begin(), row.end(), [&](auto &e) { return e.kind == Element::Does && e.step == step; });
}

bool PlanOptions::pushes() const { return does(strategy, Step::Push); }

std::string_view word(Step step) { return kWords[static_cast<size_t>(step)]; }

std::string_view word(Outcome o) {
  static constexpr std::string_view words[] = {"UNWIND", "INITIATE", "PROPAGATE", "SKIP", "ASKED", "EMPTY"};
  return words[static_cast<size_t>(o)];
}

}  // namespace cilkc
