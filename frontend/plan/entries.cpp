// entries.cpp - the entry points of a procedure: their numbers, whether children may be out at each, where a lazy fast
// clone tests for a release, and what is live and saved there. The data-flow problems are flow's; this file asks them.
#include "frontend/flow/live.h"
#include "frontend/plan/build.h"

namespace cilkc::planning {
namespace {

// Numbers the entries. The order of the blocks' creation follows the text closely enough for humans; all that matters
// is that the numbers are fixed.
class Numbering {
public:
  explicit Numbering(Work &w) : w(w), plan(w.plan) {}

  std::vector<LivePoint> run() {
    auto outIn = solveForward(w.graph, Join::May, [](const Event &e) {
      return e.kind == Event::SpawnPoint || leaves(e) ? Effect::Sets
             : e.kind == Event::SyncPoint             ? Effect::Clears
                                                      : Effect::Keeps;
    });
    auto testedIn = solveForward(w.graph, Join::Must, [](const Event &e) {
      return e.kind == Event::SpawnPoint || e.kind == Event::BeforePoint ? Effect::Sets : Effect::Keeps;
    });
    auto spawned = [](const Event &e) { return e.kind == Event::SpawnPoint ? Effect::Sets : Effect::Keeps; };
    auto mayIn = solveForward(w.graph, Join::May, spawned), mustIn = solveForward(w.graph, Join::Must, spawned);
    plan.entries.assign(1, EntryPoint{});
    for (size_t b = 0; b < w.cfg.blocks.size(); b++) {
      out = outIn[b];
      tested = testedIn[b];
      maySpawned = mayIn[b];
      mustSpawned = mustIn[b];
      block = static_cast<int>(b);
      at = 0;
      for (auto &e : w.cfg.blocks[b].events) {
        event(e);
        at++;
      }
    }
    return std::move(points);
  }

  std::vector<int> entryOf;           // of each point

private:
  Work &w;
  ClonePlan &plan;
  std::vector<LivePoint> points;
  int block = 0, at = 0;
  bool out = false, tested = false;   // children may be out, a release point was passed for certain
  bool maySpawned = false, mustSpawned = false;
  Presence spawned() const { return !maySpawned ? Presence::No : mustSpawned ? Presence::Yes : Presence::Maybe; }

  // A fast clone that gives up its frame at a touch does so like one whose child runs: that empty child is out until
  // the scheduler has consumed it.
  static bool leaves(const Event &e) {
    return e.kind == Event::TouchPoint && e.stmt->as<TouchStmt>()->future && !e.stmt->as<TouchStmt>()->own;
  }
  int add(EntryPoint::Kind kind, const Stmt *s, const SpawnStmt *spawn, Range range) {
    EntryPoint p;
    p.kind = kind;
    p.stmt = s;
    p.spawn = spawn;
    p.range = range;
    p.mayBeOutstanding = out;
    p.closure = spawned();
    plan.entries.push_back(std::move(p));
    return static_cast<int>(plan.entries.size()) - 1;
  }
  void point(int entry, bool saves, bool mayBeSkipped) {
    points.push_back({block, at, saves, mayBeSkipped});
    entryOf.push_back(entry);
  }

  void event(const Event &e) {
    switch (e.kind) {
      case Event::SpawnPoint:
        if (plan.spawnIndex.try_emplace(e.spawn, plan.spawns.size()).second) {
          PlannedSpawn s;
          s.site = e.spawn;
          s.entry = add(EntryPoint::AfterSpawn, e.stmt, e.spawn, e.spawn->spawned);
          s.callee = knownCallee(e.spawn);
          // its leaf may be run in place, and then nothing is saved
          point(s.entry, true, s.callee && s.callee->def);
          plan.spawns.push_back(std::move(s));
        }
        out = tested = maySpawned = mustSpawned = true;
        break;
      case Event::BeforePoint:
        if ((w.options.has(StrategyProperty::TestsBeforeEach) ? e.stmt->kind == StmtKind::Spawn : !tested) &&
            w.graph.reached[block])
          point(plan.before[e.stmt] = add(EntryPoint::BeforeSpawn, e.stmt, nullptr, e.stmt->range), false, false);
        tested = true;
        break;
      case Event::SyncPoint:
        point(plan.syncs[e.stmt] = add(EntryPoint::AtSync, e.stmt, nullptr, e.stmt->range), false, false);
        out = false;
        break;
      case Event::TouchPoint:
        point(plan.touches[e.stmt] = add(EntryPoint::AtTouch, e.stmt, nullptr, e.stmt->range), false, false);
        out |= leaves(e);
        break;
      case Event::ReturnPoint:
        if (!e.stmt) plan.endReachable = w.graph.reached[block];
        (e.stmt ? plan.returns[e.stmt] : plan.end) = {out, spawned()};
        if (out && !plan.returnEntry)
          plan.returnEntry = add(EntryPoint::AtReturn, nullptr, nullptr, w.def->body->closing);
        break;
      case Event::Use:
      case Event::Define:
      case Event::Undefine:
      case Event::Modify:
      case Event::Deliver:
      case Event::DeliverInlet:
      case Event::Evaluate:
      case Event::Declared: break;
    }
  }
};

ClosureTaken takenAt(const ClonePlan &plan, const PlanOptions &options) {
  if (options.closureFirst || (plan.residents && !plan.take)) return ClosureTaken::AtEntry;
  if (plan.residents) return ClosureTaken::Late;
  return options.pushes() ? ClosureTaken::AtSpawn : ClosureTaken::AtRelease;
}

// The numbering has noted where spawns were passed; that is what counts only where the first of them takes the closure.
Presence closureAt(const Work &w, const Stmt *s, Presence spawned) {
  switch (w.plan.taken) {
    case ClosureTaken::AtEntry: return Presence::Yes;
    case ClosureTaken::Late: return w.beforeTake.count(s) ? Presence::No : Presence::Yes;
    case ClosureTaken::AtSpawn: return spawned;
    case ClosureTaken::AtRelease: break;
  }
  return Presence::No;  // a released frame is gone
}

}  // namespace

void entries(Work &w) {
  ClonePlan &plan = w.plan;
  Numbering numbering(w);
  std::vector<LivePoint> points = numbering.run();
  plan.large = plan.entries.size() > w.options.large && plan.touches.empty();  // only whole clones wait for futures
  LiveResult live =
      findLive({w.graph, w.movable, std::move(points), w.options.debugger, w.options.autoInit}, plan.large);
  auto moveIn = [&](const VarDecl *v) {
    plan.homes[v] = VarHome::Closure;
    plan.residents = true;
  };
  for (auto *v : live.wide) moveIn(v);
  if (plan.large)
    for (auto *v : w.movable)
      if (plan.homes[v] == VarHome::Delivered) moveIn(v);
  // What moved into the closure after all is in no list.
  bool pushes = w.options.pushes();
  if (pushes) w.besideLeaves.resize(plan.entries.size());
  for (size_t k = 0; k < live.at.size(); k++) {
    size_t number = static_cast<size_t>(numbering.entryOf[k]);
    EntryPoint &e = plan.entries[number];
    LiveAt &at = live.at[k];
    auto still = [&](std::vector<const VarDecl *> &list) {
      if (plan.large) std::erase_if(list, [&](const VarDecl *v) { return plan.home(v) == VarHome::Closure; });
      return std::move(list);
    };
    e.live = still(at.live);
    if (e.kind == EntryPoint::AtTouch) {  // rare: all of them, whether leaves are in place or not
      e.save = e.live;
      if (pushes) w.besideLeaves[number] = e.live;
    } else if (pushes) {
      e.save = still(at.dirty);
      w.besideLeaves[number] = still(at.dirtyBesideSkips);
    } else if (e.kind == EntryPoint::AfterSpawn || e.kind == EntryPoint::BeforeSpawn) {
      e.save = e.live;
      e.saveDelivered = still(at.liveDelivered);
    }
  }
  prefix(w);  // asks where variables live
  plan.taken = takenAt(plan, w.options);
  for (auto &e : plan.entries) e.closure = closureAt(w, e.stmt, e.closure);
  for (auto &[s, ending] : plan.returns) ending.closure = closureAt(w, s, ending.closure);
  plan.end.closure = closureAt(w, nullptr, plan.end.closure);
}

}  // namespace cilkc::planning
