// diagnostics.h - the diagnostic engine. Diagnostics are data: each has a code, a severity, a message and an
// explanation. The code is a slug such as `spawn-outside-procedure`. The code is shown in brackets, and is used by
// -W[no-]NAME, -Werror=NAME and `cilkc explain`. The diagnostics are listed in the .def files beside this header, one
// per room (parse.def, sema_expr.def, cilk.def, warn.def, codegen.def):
//
//     DIAG(spawn_outside_procedure, Error, "spawn-outside-procedure", "spawn must be in a cilk procedure")
//
// %0..%9 in the message are arguments. A warning may carry a group after the message: DIAG(x, Warning,
// "unused-variable", "…", All) with groups Default (on), All (-Wall), Extra (-Wextra), Pedantic (-pedantic; an error
// under -pedantic-errors), AllPedantic (either), Off, Constraint (on; an error under -pedantic-errors: C wants a
// diagnostic, real programs want to go on). Explanations (a paragraph, a wrong and a right example) are in explain.txt,
// read by `cilkc explain`.
//
//     #include "diag/cilk.h"
//     diags.report(diag::spawn_outside_procedure, expr->range) << name << type;
//
// The header of a table is made of its rows' names alone (Makefile), and a file includes those of which it reports
// something. Another message therefore compiles diagnostics.cpp, and a further row the files of one room or a few.
//
// The report is emitted when the returned builder dies. Errors never stop the run; after maxErrors further ones are
// counted only. Messages quote source text like 'this'. Warnings in system headers are dropped. One engine belongs to
// one compilation and one thread.
#pragma once
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_set>
#include <vector>
#include "frontend/source/source.h"

namespace cilkc {

enum class Severity : uint8_t { Note, Remark, Warning, Error, Fatal };
enum class WarnGroup : uint8_t { Default, All, Extra, ExtraOfGcc, Pedantic, AllPedantic, Off, Constraint };

// A row of the table; diagnostics.cpp knows which.
enum class DiagId : uint16_t;

struct DiagInfo {
  const char *code;  // slug
  Severity severity;
  const char *message;  // with %0..%9
  WarnGroup group;
};
const DiagInfo &diagInfo(DiagId);
// By slug; nullptr if there is none.
const DiagInfo *diagByCode(std::string_view code);
// Is this a name that -W may carry: a code, a group (warning_groups.def), or a warning of gcc or clang that has no
// counterpart here?
bool knownWarning(std::string_view name);
// The known name that is most like a misspelt one; empty if none is near.
std::string nearestWarning(std::string_view name);
// The explanation of a code (explain.txt), without its heading; empty if there is none.
std::string_view explanation(std::string_view code);
// All codes, sorted, each once.
std::vector<std::string_view> allCodes();

struct FixIt {
  Range where;
  std::string replacement;
};  // replace (or, with an empty range, insert)

// One finished diagnostic, as consumers get it.
struct Diagnostic {
  DiagId id{};
  Severity severity{};
  Range range;  // the caret is at range.begin
  std::vector<Range> also;  // further ranges to underline
  std::string message;
  std::vector<FixIt> fixits;
  std::vector<Diagnostic> notes;
};

class DiagnosticEngine;

class DiagBuilder {
public:
  DiagBuilder(DiagnosticEngine *e, Diagnostic d) : engine(e), d(std::move(d)) {}
  DiagBuilder(DiagBuilder &&o) noexcept : engine(o.engine), d(std::move(o.d)), args(std::move(o.args)) {
    o.engine = nullptr;
  }
  ~DiagBuilder();  // emits
  DiagBuilder &operator<<(std::string_view s) {
    args.emplace_back(s);
    return *this;
  }
  DiagBuilder &operator<<(const char *s) {
    args.emplace_back(s);
    return *this;
  }
  DiagBuilder &operator<<(const std::string &s) {
    args.push_back(s);
    return *this;
  }
  DiagBuilder &operator<<(char c) {
    args.emplace_back(1, c);
    return *this;
  }
  template <class T>
    requires std::is_arithmetic_v<T>
  DiagBuilder &operator<<(T v) {
    args.push_back(std::to_string(v));
    return *this;
  }
  DiagBuilder &also(Range r) {
    d.also.push_back(r);
    return *this;
  }
  DiagBuilder &fixit(Range r, std::string text) {
    d.fixits.push_back({r, std::move(text)});
    return *this;
  }
  // A note that points at another place; its text is literal (a note needs no code of its own).
  DiagBuilder &note(Range r, std::string text);
private:
  DiagnosticEngine *engine;
  Diagnostic d;
  std::vector<std::string> args;
};

struct DiagOptions {
  bool noWarnings = false;  // -w
  bool all = false, extra = false;  // -Wall, -Wextra
  bool pedantic = false, pedanticErrors = false;
  bool warningsAsErrors = false;  // -Werror
  bool openCilk = false;  // what messages advise users to write is in OpenCilk's spelling
  std::map<std::string, bool, std::less<>> enabled;  // -W[no-]NAME (true/false); may name groups too
  std::map<std::string, bool, std::less<>> asError;  // -Werror=NAME / -Wno-error=NAME
  unsigned maxErrors = 20;  // 0 = no limit
  enum Format { Text, Json } format = Text;
  bool color = false;
  unsigned width = 0;  // terminal columns for wrapping source lines; 0 = unlimited
};

class DiagnosticEngine {
public:
  DiagnosticEngine(const SourceManager &, DiagOptions);
  ~DiagnosticEngine();
  DiagBuilder report(DiagId, Range);
  DiagBuilder report(DiagId id, Loc l) { return report(id, Range{l, l}); }
  // Would this warning be shown? (To skip costly analyses.)
  bool wants(DiagId) const;
  // #pragma GCC diagnostic push/pop/ignored/warning/error, in effect from a location on. The engine reads the pragmas
  // of its SourceManager's text by itself when it is made (so that the parser's warnings obey them, too); a second
  // report of one of those is ignored.
  void pragma(Loc, std::string_view action, std::string_view option);
  // A stretch of the text where GNU C is meant: pedantic warnings are not for it. The lexer reports them in order, none
  // inside another.
  void extensionBegins(Loc);
  void extensionEnds(Loc);
  unsigned errors() const { return nerrors; }
  unsigned warnings() const { return nwarnings; }
  // Was there an error that is not a warning made into one? (A tree with such an error is not fit for later stages;
  // with errors() != 0 the compilation fails in the end.)
  bool hadError() const { return nreal != 0; }
  // All diagnostics so far, in order of report (after suppression and promotion).
  const std::vector<Diagnostic> &all() const { return list; }
  // Renders everything in the order of the text, in the chosen format.
  void render(std::ostream &) const;
  const SourceManager &sources() const { return sm; }
  const DiagOptions &options() const { return opts; }
private:
  friend class DiagBuilder;
  void emit(Diagnostic &&, std::vector<std::string> &args);
  // What becomes of a warning at a place: Note = nothing, Warning, or Error.
  Severity judge(DiagId, Loc) const;
  std::unordered_set<uint64_t> seen;  // the same text at the same place is reported once
  const SourceManager &sm;
  DiagOptions opts;
  std::vector<Diagnostic> list;
  unsigned nerrors = 0, nreal = 0, nwarnings = 0;
  struct Pragmas;
  std::unique_ptr<Pragmas> pragmas;
  bool inExtension(Loc) const;
  std::vector<Range> extensions;
};

}  // namespace cilkc
