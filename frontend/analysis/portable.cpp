// portable.cpp - -Wportable: variables of procedures, and global ones, that a checkpoint cannot take to another
// processor (docs/travel.md). A restart cannot notice these in the heap and in objects: they are bytes there. What a
// variable leads to by pointers and members counts; what system headers define is theirs.
#include <string>
#include <unordered_set>
#include "frontend/analysis/analysis.h"
#include "diag/cilk.h"

namespace cilkc {
namespace {

class Portable {
public:
  Portable(const TranslationUnit &u, const AstContext &c, DiagnosticEngine &d) : unit(u), cx(c), diags(d) {}

  void run() {
    for (const FunctionDecl *f : unit.functions)
      if (f->isCilk && f->def && !f->isThread) function(f);
    for (const VarDecl *g : unit.globals)
      if (g->isDefinition || g->fn) variable(g);
  }

private:
  const TranslationUnit &unit;
  const AstContext &cx;
  DiagnosticEngine &diags;
  std::unordered_set<const RecordType *> seen;

  void function(const FunctionDecl *f) {
    for (const VarDecl *v : f->params) variable(v);
    for (const VarDecl *v : f->locals) variable(v);
    for (const FunctionDecl *inlet : f->inlets) function(inlet);
  }

  void variable(const VarDecl *v) {
    if (v->hidden || diags.sources().inSystemHeader(v->range.begin)) return;
    seen.clear();
    std::string why = v->threadLocal && !v->isPrivate ? "it belongs to one thread, and a checkpoint does not contain it"
                                                      : problem(v->type);
    if (!why.empty()) diags.report(diag::portable, v->range) << v->name << why;
  }

  // What is wrong with a value of that type, or with what it leads to; empty: nothing.
  std::string problem(QualType type) {
    while (type && (type->isPointer() || type->isArray()))
      type = type->isPointer() ? type->as<PointerType>()->pointee : type->as<ArrayType>()->elem;
    if (!type || type->isFunction()) return {};
    if (!type->isRecord()) {
      std::string text = toString(type.unqual());
      return text.find("long double") == std::string::npos ? std::string() : form("'" + text + "'");
    }
    auto *r = type->as<RecordType>();
    if (r->tag == cx.target.facts->vaList.tag) return form("'va_list'");
    if (r->tag == "__jmp_buf_tag") return form("'jmp_buf'");
    if (!r->complete || !r->rangeBegin || diags.sources().inSystemHeader(Loc{r->rangeBegin}) || !seen.insert(r).second)
      return {};
    if (r->isUnion && r->fields.size() > 1) return order("the union '" + toString(type.unqual()) + "'");
    if (r->awaits) return order("'" + toString(type.unqual()) + "'");
    if (r->flexible) return order("an array without a size");
    for (const FieldDecl *f : r->fields) {
      if (f->bitField && f->width) return order("the bit-field '" + std::string(f->name) + "'");
      if (f->type->isPointer() && f->offset % 8)
        return "the pointer '" + std::string(f->name) +
               "' in it is not at a multiple of 8 bytes, so a restart does not find it";
      if (std::string why = problem(f->type); !why.empty()) return why;
    }
    return {};
  }

  // rt/extensions/travel/foreign.c
  static std::string order(const std::string &what) {
    return "it contains, or points to, " + what + ", which only a processor of the same byte order can read";
  }

  static std::string form(const std::string &type) {
    return "it contains, or points to, " + type + ", whose form depends on the processor";
  }
};

}  // namespace

void checkPortable(const TranslationUnit &unit, const AstContext &cx, DiagnosticEngine &diags) {
  Portable(unit, cx, diags).run();
}

}  // namespace cilkc
