// print.cpp - a plan as a list: one line for each decision that a reader may want to compare.
#include <map>
#include <ostream>
#include <set>
#include <string>
#include "frontend/plan/plan.h"
#include "frontend/source/source.h"

namespace cilkc {
namespace {

class Printer {
public:
  Printer(const ClonePlan &plan, const SourceManager &sources, const TargetInfo &target, std::ostream &out)
      : plan(plan), sources(sources), target(target), out(out) {
    for (auto *list : {&plan.fn->params, &plan.fn->locals})
      for (auto *v : *list) occurrences[v->name]++;
  }

  void print() {
    out << declToString(plan.fn->type, plan.fn->name) << ": " << strategyInfo(plan.strategy).name << '\n';
    size();
    for (auto &[v, value] : plan.constants) out << "  constant " << v->name << ", line " << line(value->range) << '\n';
    closure();
    for (size_t n = 1; n < plan.entries.size(); n++) entry(n, plan.entries[n]);
    std::map<uint32_t, const Ending *> returns;
    for (auto &[s, ending] : plan.returns) returns.emplace(s->range.begin.raw, &ending);
    for (auto &[at, e] : returns) ending("return, line " + std::to_string(sources.presumed(Loc{at}).line), *e);
    if (plan.endReachable) ending("end", plan.end);
    else out << "  end not reached\n";
  }

private:
  const ClonePlan &plan;
  const SourceManager &sources;
  const TargetInfo &target;
  std::ostream &out;
  std::map<std::string_view, int> occurrences;
  std::set<std::string> printed;  // lists of steps: each where it comes first

  uint32_t line(Range r) const { return sources.presumed(r.begin).line; }
  std::string name(const VarDecl *v) const {
    std::string s(v->hidden || v->name.empty() ? "hidden" : v->name);
    auto it = occurrences.find(v->name);
    return v->hidden || it == occurrences.end() || it->second > 1 ? s + "@" + std::to_string(line(v->range)) : s;
  }
  void list(const char *what, const std::vector<const VarDecl *> &vars) {
    out << "; " << what;
    if (vars.empty()) out << " nothing";
    for (auto *v : vars) out << ' ' << name(v);
  }

  void ending(const std::string &what, const Ending &e) {
    out << "  " << what << (e.outstanding ? ", children may be out, " : ", no child out, ") << text(e.closure) << '\n';
  }
  static const char *text(Presence p) {
    return p == Presence::No ? "without closure" : p == Presence::Maybe ? "maybe with a closure" : "with its closure";
  }

  void size() {
    out << "  weight " << plan.weight;
    if (plan.levels) out << ", " << plan.levels << " levels of copies";
    if (plan.leafCopy) out << ", leaf copy";
    if (plan.large) out << ", large";
    if (plan.cheap) out << ", cheap";
    if (plan.cut)
      out << "; cut at line " << line(plan.cut->range)
          << (plan.leafReturns ? plan.leafCheap ? ", cheap leaves before it" : ", leaves before it" : "")
          << (plan.leafTest ? ", tested first" : "");
    out << '\n';
  }

  void closure() {
    static const char *const taken[] = {"at entry", "late", "at the first spawn", "at a release"};
    static const char *const homes[] = {"scratch", "register", "delivered", "closure"};
    const ClosureLayout &c = plan.closure;
    out << "  closure of " << c.size << " bytes, taken " << taken[static_cast<int>(plan.taken)]
        << (plan.residents ? ", with residents" : "");
    if (plan.taken == ClosureTaken::Late) out << ", at line " << line(plan.take->range);
    out << '\n';
    if (c.returnSize) out << "    +" << c.returnOffset << " value, " << c.returnSize << '\n';
    for (auto *v : c.variables)
      out << "    +" << c.offsets.at(v) << ' ' << name(v) << ", " << slotSize(v, target) << ", "
          << homes[static_cast<int>(plan.home(v))] << '\n';
    out << "    +" << c.recordOffset << " record\n";
    if (c.arraySpace) out << "    +" << c.size - c.arraySpace << " arrays, " << c.arraySpace << '\n';
  }

  void entry(size_t n, const EntryPoint &e) {
    bool releases = does(plan.strategy, Step::ReleaseFrame);
    out << "  " << n << ' ';
    switch (e.kind) {
      case EntryPoint::Start: break;
      case EntryPoint::AfterSpawn: out << "after spawn"; break;
      case EntryPoint::BeforeSpawn: out << "before a spawn"; break;
      case EntryPoint::AtTouch:
        out << (e.stmt->as<TouchStmt>()->renewed ? "renewed"
                : e.stmt->as<TouchStmt>()->own   ? "touch of its own"
                                                 : "touch");
        break;
      case EntryPoint::AtSync: out << "sync"; break;
      case EntryPoint::AtReturn: out << "implicit sync"; break;
    }
    out << ", line " << line(e.range) << (e.mayBeOutstanding ? ", children may be out" : "") << ", " << text(e.closure);
    if (!plan.resumable(e)) {
      out << "; never resumed\n";
      return;
    }
    if (e.kind != EntryPoint::AtReturn) list("live", e.live);
    if (e.kind == EntryPoint::AfterSpawn || e.kind == EntryPoint::BeforeSpawn || plan.savesAt(e)) list("save", e.save);
    if (e.kind == EntryPoint::AfterSpawn && releases) list("delivered", e.saveDelivered);
    if (releases && (e.kind == EntryPoint::AfterSpawn || e.kind == EntryPoint::BeforeSpawn)) out << "; releases";
    if (e.kind != EntryPoint::BeforeSpawn && e.kind != EntryPoint::AtTouch) out << "; thread ends";
    out << '\n';
    if (e.spawn) spawn(plan.spawn(e.spawn));
    if (e.kind != EntryPoint::AfterSpawn && e.kind != EntryPoint::BeforeSpawn && !plan.savesAt(e)) return;
    std::string does = steps(stepsAt(plan, Clone::Fast, static_cast<int>(n)));
    if (printed.insert(does).second) out << "      fast clone: " << does << '\n';
  }
  static std::string steps(const Steps &list) {
    std::string s;
    for (auto &step : list) {
      if (word(step.step).empty()) continue;
      s += (s.empty() ? "" : ", ") + std::string(word(step.step));
      for (auto &arm : step.arms) s += " (" + std::string(word(arm.on)) + ": " + steps(arm.steps) + ")";
    }
    return s;
  }

  void spawn(const PlannedSpawn &s) {
    static const char *const forms[] = {"plain", "receiver", "op", "inlet"};
    static const char *const receivers[] = {"", " recomputed", " stored"};
    out << "      " << (s.callee ? std::string(s.callee->name) : "by pointer") << ": "
        << forms[static_cast<int>(s.site->form)] << (s.site->fills ? " future" : "")
        << receivers[static_cast<int>(s.record.receiver)] << ", record of " << s.record.size << " at "
        << s.record.align;
    for (uint64_t at : s.record.argOffsets) out << ", argument +" << at;
    if (s.expands) out << ", expanded";
    if (s.leaf) out << ", leaf in place";
    out << '\n';
  }
};

}  // namespace

void printPlan(const ClonePlan &plan, const SourceManager &sources, const TargetInfo &target, std::ostream &out) {
  Printer(plan, sources, target, out).print();
}

}  // namespace cilkc
