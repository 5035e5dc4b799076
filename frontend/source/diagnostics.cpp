// diagnostics.cpp - the engine: the table made from the .def files, which warnings are wanted where, and the list of
// diagnostics. What a diagnostic looks like is in render.cpp.
//
// A warning's fate is decided from the most particular to the most general: a pragma in effect at its place,
// -W[no-]code, the groups that hold the code, -Wall/-Wextra/-pedantic. -w and system headers silence all of them; an
// error can't be silenced.
#include "frontend/source/diagnostics.h"
#include <algorithm>
#include <unordered_map>

namespace cilkc {

namespace {

using enum WarnGroup;

constexpr DiagInfo entry(const char *code, Severity s, const char *message, WarnGroup g = WarnGroup::Default) {
  return {code, s, message, g};
}

constexpr DiagInfo table[] = {
#define DIAG(id, severity, code, message, ...) entry(code, Severity::severity, message __VA_OPT__(, ) __VA_ARGS__),
#include "frontend/source/diagnostics.def"
#undef DIAG
};

struct Row {
  enum : uint16_t {
#define DIAG(id, ...) id,
#include "frontend/source/diagnostics.def"
#undef DIAG
  };
};

struct GroupEntry {
  std::string_view name, members;
};
constexpr GroupEntry groupTable[] = {
#define GROUP(name, members) {name, members},
#include "frontend/source/warning_groups.def"
#undef GROUP
};

constexpr std::string_view foreignNames[] = {
#define NAME(n) n,
#include "frontend/source/warning_names.def"
#undef NAME
};

// Immutable tables made once; safe to share between threads.
struct Tables {
  std::unordered_map<std::string_view, const DiagInfo *> byCode;
  std::unordered_map<std::string_view, std::vector<std::string_view>> groupsOf;   // direct groups of a code or group
  std::unordered_set<std::string_view> names;
  Tables() {
    for (const DiagInfo &d : table) {
      byCode.try_emplace(d.code, &d);
      if (d.severity == Severity::Warning) names.insert(d.code);
    }
    for (const GroupEntry &g : groupTable) {
      names.insert(g.name);
      for (size_t p = 0; p < g.members.size();) {
        size_t e = std::min(g.members.find(' ', p), g.members.size());
        groupsOf[g.members.substr(p, e - p)].push_back(g.name);
        p = e + 1;
      }
    }
    for (std::string_view n : foreignNames) names.insert(n);
    for (std::string_view n : {"all", "extra", "pedantic", "error", "everything", "system-headers"}) names.insert(n);
  }
};

const Tables &tables() {
  static const Tables t;
  return t;
}

// The code itself, then its groups, near ones first. Groups may name each other: each is visited once.
template <class F> bool outwards(std::string_view code, F &&found) {
  if (found(code)) return true;
  const auto &groupsOf = tables().groupsOf;
  auto direct = groupsOf.find(code);
  if (direct == groupsOf.end()) return false;
  std::vector<std::string_view> queue = direct->second;
  for (size_t i = 0; i < queue.size(); ++i) {
    if (queue[i] == code) continue;
    if (found(queue[i])) return true;
    auto more = groupsOf.find(queue[i]);
    if (more == groupsOf.end()) continue;
    for (std::string_view g : more->second)
      if (std::find(queue.begin(), queue.end(), g) == queue.end()) queue.push_back(g);
  }
  return false;
}

size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

constexpr std::string_view explainText =
#include "frontend/source/explain.txt"
#include "frontend/source/explain_parse.txt"
    ;

}  // namespace

namespace diag {
#define DIAG(id, ...) \
  extern const DiagId id; \
  const DiagId id{Row::id};
#include "frontend/source/diagnostics.def"
#undef DIAG
}

const DiagInfo &diagInfo(DiagId id) { return table[static_cast<size_t>(id)]; }

const DiagInfo *diagByCode(std::string_view code) {
  auto it = tables().byCode.find(code);
  return it == tables().byCode.end() ? nullptr : it->second;
}

bool knownWarning(std::string_view name) { return tables().names.count(name) != 0; }

std::string nearestWarning(std::string_view name) {
  std::string_view best;
  size_t distance = name.size() / 3 + 1;
  if (name.size() > 60) return {};
  for (std::string_view n : tables().names) {
    size_t d = editDistance(name, n);
    if (d < distance || (d == distance && !best.empty() && n < best)) distance = d, best = n;
  }
  return std::string(best);
}

std::vector<std::string_view> allCodes() {
  std::vector<std::string_view> v;
  for (const DiagInfo &d : table) v.emplace_back(d.code);
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
  return v;
}

// Entries of explain.txt begin with a line `## code`.
std::string_view explanation(std::string_view code) {
  std::string heading = "\n## " + std::string(code) + "\n";
  size_t at = explainText.find(heading);
  if (at == std::string_view::npos) return {};
  std::string_view rest = explainText.substr(at + heading.size());
  rest = rest.substr(0, rest.find("\n## "));
  while (!rest.empty() && rest.front() == '\n') rest.remove_prefix(1);
  while (!rest.empty() && (rest.back() == '\n' || rest.back() == ' ')) rest.remove_suffix(1);
  return rest;
}

// ---- pragmas ------------------------------------------------------------------------------------------------------

// For every name that a pragma mentions, the places where its state changes. Places come in rising order, so the state
// at a location is found by binary search.
struct DiagnosticEngine::Pragmas {
  enum State : int8_t { Unset, Ignored, AsWarning, AsError };
  struct Change {
    uint32_t at;
    State state;
  };
  std::map<std::string, std::vector<Change>, std::less<>> history;
  std::map<std::string, State, std::less<>> now;
  std::vector<std::pair<std::string, State>> undo;
  std::vector<size_t> marks;
  uint32_t last = 0;

  void set(uint32_t at, const std::string &name, State s) {
    now[name] = s;
    history[name].push_back({at, s});
  }
  void act(uint32_t at, std::string_view action, std::string_view option) {
    if (action == "push") {
      marks.push_back(undo.size());
    } else if (action == "pop") {
      size_t to = marks.empty() ? 0 : marks.back();
      if (!marks.empty()) marks.pop_back();
      while (undo.size() > to) {
        set(at, undo.back().first, undo.back().second);
        undo.pop_back();
      }
    } else {
      State s = action == "ignored" ? Ignored : action == "warning" ? AsWarning : action == "error" ? AsError : Unset;
      if (s == Unset || option.substr(0, 2) != "-W") return;
      std::string name(option.substr(2));
      auto it = now.find(name);
      undo.emplace_back(name, it == now.end() ? Unset : it->second);
      set(at, name, s);
    }
  }
  State at(std::string_view name, uint32_t where) const {
    auto it = history.find(name);
    if (it == history.end()) return Unset;
    const auto &v = it->second;
    auto c = std::upper_bound(v.begin(), v.end(), where, [](uint32_t w, const Change &k) { return w < k.at; });
    return c == v.begin() ? Unset : std::prev(c)->state;
  }
};

DiagnosticEngine::DiagnosticEngine(const SourceManager &s, DiagOptions o)
    : sm(s), opts(std::move(o)), pragmas(std::make_unique<Pragmas>()) {
  std::string_view text = sm.text();
  for (uint32_t at : sm.pragmaLines()) {
    std::string_view line = text.substr(at, std::min(text.find('\n', at), text.size()) - at);
    std::vector<std::string_view> words;
    for (size_t i = 1; i < line.size() && words.size() < 5;) {
      while (i < line.size() && (line[i] == ' ' || line[i] == '\t' || line[i] == '"' || line[i] == '\r')) ++i;
      size_t b = i;
      while (i < line.size() && line[i] != ' ' && line[i] != '\t' && line[i] != '"' && line[i] != '\r') ++i;
      if (i > b) words.push_back(line.substr(b, i - b));
    }
    if (words.size() >= 4 && words[0] == "pragma" && (words[1] == "GCC" || words[1] == "clang") &&
        words[2] == "diagnostic")
      pragmas->act(at, words[3], words.size() > 4 ? words[4] : std::string_view());
  }
  pragmas->last = sm.pragmaLines().empty() ? 0 : sm.pragmaLines().back();
}

DiagnosticEngine::~DiagnosticEngine() = default;

void DiagnosticEngine::pragma(Loc l, std::string_view action, std::string_view option) {
  if (!l.valid()) return;
  const auto &lines = sm.pragmaLines();   // one of them holds l: known already
  auto it = std::upper_bound(lines.begin(), lines.end(), l.offset());
  if (it != lines.begin() &&
      sm.text().substr(*std::prev(it), l.offset() - *std::prev(it)).find('\n') == std::string_view::npos)
    return;
  if (l.offset() < pragmas->last) return;
  pragmas->last = l.offset();
  pragmas->act(l.offset(), action, option);
}

// ---- verdicts -----------------------------------------------------------------------------------------------------

void DiagnosticEngine::extensionBegins(Loc at) { extensions.push_back({at, Loc{UINT32_MAX}}); }
void DiagnosticEngine::extensionEnds(Loc at) { extensions.back().end = at; }

bool DiagnosticEngine::inExtension(Loc where) const {
  auto behind =
      std::upper_bound(extensions.begin(), extensions.end(), where, [](Loc l, const Range &r) { return l < r.begin; });
  return behind != extensions.begin() && where < std::prev(behind)->end;
}

Severity DiagnosticEngine::judge(DiagId id, Loc where) const {
  const DiagInfo &info = diagInfo(id);
  if (info.severity != Severity::Warning && info.severity != Severity::Remark) return info.severity;
  constexpr Severity silent = Severity::Note;
  if (where.valid() && sm.inSystemHeader(where)) return silent;

  Pragmas::State p = Pragmas::Unset;
  if (where.valid() && !pragmas->history.empty()) {
    auto look = [&](std::string_view name) { return (p = pragmas->at(name, where.offset())) != Pragmas::Unset; };
    if (!outwards(info.code, look)) {
      if ((info.group == All || info.group == AllPedantic) && look("all")) {
      } else if (info.group == Extra || (info.group == ExtraOfGcc && !opts.openCilk)) look("extra");
      else if (info.group == Pedantic || info.group == AllPedantic) look("pedantic");
    }
  }
  if (p == Pragmas::Ignored) return silent;
  if (p == Pragmas::AsError) return Severity::Error;

  bool on = p == Pragmas::AsWarning, asError = false, asErrorChosen = false;
  if (!on) {
    bool said = outwards(info.code, [&](std::string_view name) {
      auto it = opts.enabled.find(name);
      if (it == opts.enabled.end()) return false;
      on = it->second;
      return true;
    });
    if (!said) switch (info.group) {
        case Default:
        case Constraint: on = true; break;
        case All: on = opts.all; break;
        case Extra: on = opts.extra; break;
        case ExtraOfGcc: on = opts.extra && !opts.openCilk; break;
        case Pedantic: on = opts.pedantic; break;
        case AllPedantic: on = opts.all || opts.pedantic; break;
        case Off: on = false; break;
      }
  }
  if (!on) return silent;
  if (info.group == Pedantic && where.valid() && inExtension(where)) return silent;
  if (p == Pragmas::AsWarning) return opts.noWarnings ? silent : Severity::Warning;
  asErrorChosen = outwards(info.code, [&](std::string_view name) {
    auto it = opts.asError.find(name);
    if (it == opts.asError.end()) return false;
    asError = it->second;
    return true;
  });
  bool demanded =
      (info.group == Pedantic || info.group == AllPedantic || info.group == Constraint) && opts.pedanticErrors;
  if (!asErrorChosen) asError = demanded || (opts.warningsAsErrors && !opts.noWarnings);
  if (asError && (!opts.noWarnings || demanded)) return Severity::Error;
  return opts.noWarnings ? silent : Severity::Warning;
}

bool DiagnosticEngine::wants(DiagId id) const {
  const DiagInfo &info = diagInfo(id);
  if (info.severity != Severity::Warning) return true;
  if (judge(id, Loc{}) != Severity::Note) return true;
  return !pragmas->history.empty();      // a pragma may ask for it somewhere
}

// ---- reports ------------------------------------------------------------------------------------------------------

DiagBuilder DiagnosticEngine::report(DiagId id, Range r) {
  Diagnostic d;
  d.id = id;
  d.range = r;
  return DiagBuilder(this, std::move(d));
}

DiagBuilder &DiagBuilder::note(Range r, std::string text) {
  Diagnostic n;
  n.id = d.id;
  n.severity = Severity::Note;
  n.range = r;
  n.message = std::move(text);
  d.notes.push_back(std::move(n));
  return *this;
}

DiagBuilder::~DiagBuilder() {
  if (engine) engine->emit(std::move(d), args);
}

// `sync;` becomes `cilk_sync;`, and so on: the code in a message, which is in backquotes.
static void inOpenCilk(std::string &message) {
  std::string out;
  bool code = false;
  for (size_t i = 0; i < message.size(); i++) {
    bool begins = i == 0 || !(std::isalnum(static_cast<unsigned char>(message[i - 1])) || message[i - 1] == '_');
    code ^= message[i] == '`';
    for (std::string_view word : {"spawn ", "sync;"})
      if (code && begins && message.compare(i, word.size(), word) == 0) out += "cilk_";
    out += message[i];
  }
  message = std::move(out);
}

void DiagnosticEngine::emit(Diagnostic &&d, std::vector<std::string> &args) {
  d.severity = judge(d.id, d.range.begin);
  if (d.severity == Severity::Note) return;
  bool isError = d.severity >= Severity::Error;
  bool full = opts.maxErrors != 0 && nerrors >= opts.maxErrors;
  for (const char *p = diagInfo(d.id).message; *p; ++p) {
    if (*p == '%' && p[1] >= '0' && p[1] <= '9') {
      size_t n = static_cast<size_t>(*++p - '0');
      if (n < args.size()) d.message += args[n];
    } else {
      if (*p == '%' && p[1] == '%') ++p;
      d.message += *p;
    }
  }
  if (opts.openCilk) {
    inOpenCilk(d.message);
    for (Diagnostic &n : d.notes) inOpenCilk(n.message);
  }
  uint64_t key = (uint64_t(d.range.begin.raw) << 16) ^ static_cast<uint64_t>(d.id) ^
                 (std::hash<std::string>{}(d.message) * 0x9E3779B97F4A7C15ull);
  if (!seen.insert(key).second) return;
  if (isError) {
    ++nerrors;
    if (diagInfo(d.id).severity >= Severity::Error) ++nreal;
  }
  if (!isError && !full) ++nwarnings;
  if (!full) list.push_back(std::move(d));
}

}  // namespace cilkc
