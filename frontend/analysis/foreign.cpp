// foreign.cpp - C functions whose effect belongs to one stack or one thread, called in a procedure that spawns: jump
// buffers and the floating-point environment. They do what the elision does as long as nothing is stolen, and something
// else afterwards.
#include "frontend/analysis/foreign.h"
#include <iterator>
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "diag/cilk.h"

namespace cilkc::analysis {

namespace {

enum class Bound : uint8_t { Leaves, ComesBack, Mode };  // to the stack: away from it, back to it; to the thread
struct Foreign {
  std::string_view name;
  Bound bound;
};
constexpr Foreign table[] = {
    {"longjmp", Bound::Leaves},
    {"_longjmp", Bound::Leaves},
    {"siglongjmp", Bound::Leaves},
    {"__longjmp_chk", Bound::Leaves},
    {"__builtin_longjmp", Bound::Leaves},
    {"setcontext", Bound::Leaves},
    {"swapcontext", Bound::Leaves},
    {"setjmp", Bound::ComesBack},
    {"_setjmp", Bound::ComesBack},
    {"sigsetjmp", Bound::ComesBack},
    {"__sigsetjmp", Bound::ComesBack},
    {"__builtin_setjmp", Bound::ComesBack},
    {"getcontext", Bound::ComesBack},
    {"fesetround", Bound::Mode},
    {"fesetenv", Bound::Mode},
    {"feupdateenv", Bound::Mode},
    {"feholdexcept", Bound::Mode},
    {"feenableexcept", Bound::Mode},
    {"fedisableexcept", Bound::Mode},
};

}  // namespace

void checkForeignCalls(const FunctionDef *def, DiagnosticEngine &diags) {
  const FunctionDecl *procedure = def->fn;
  auto look = [&](const FunctionDef *body, bool inlet) {
    eachExpr(static_cast<const Stmt *>(body->body), Walk::Evaluated, [&](const Expr *e) {
      if (e->kind != ExprKind::Call) return;
      const FunctionDecl *callee = directCallee(e->as<Call>());
      if (!callee || callee->isCilk) return;
      auto entry =
          std::find_if(std::begin(table), std::end(table), [&](const Foreign &f) { return f.name == callee->name; });
      if (entry == std::end(table)) return;
      // setjmp is a macro of a system header, where nothing is reported; its argument is the user's.
      const auto &args = e->as<Call>()->args;
      Range where = diags.sources().inSystemHeader(e->range.begin) && !args.empty() ? args[0]->range : e->range;
      switch (entry->bound) {
        case Bound::Leaves: {
          auto d = diags.report(diag::longjmp_in_cilk, where);
          d << callee->name;
          d.note(where,
              inlet
                  ? "`abort;` stops the children of the procedure; let the inlet store what the procedure should return"
                  : "return a result that says so; `abort;` stops children that have become needless, `Cilk_exit` the program");
          break;
        }
        case Bound::ComesBack:
          if (!procedure->spawns.empty()) diags.report(diag::setjmp_in_cilk, where) << callee->name;
          break;
        case Bound::Mode:
          if (!procedure->spawns.empty()) diags.report(diag::fenv_in_cilk, where) << callee->name;
          break;
      }
    });
  };
  look(def, false);
  for (const FunctionDecl *i : procedure->inlets)
    if (i->def) look(i->def, true);
}

}  // namespace cilkc::analysis
