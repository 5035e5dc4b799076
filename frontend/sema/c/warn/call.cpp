// call.cpp - warnings about single calls: null for nonnull parameters, missing sentinels, sizes and lengths that look
// wrong. The call is typed and its arguments are converted; nothing here changes the tree. Format strings have
// format.cpp.
#include <algorithm>
#include <optional>
#include "frontend/ast/query.h"
#include "frontend/builtins/builtins.h"
#include "frontend/sema/c/warn/format.h"
#include "frontend/sema/c/core/declstate.h"
#include "frontend/sema/c/core/sema.h"
#include "diag/warn.h"

namespace cilkc {

namespace {

// The whole object that an argument designates, `a` or `&a`, if its size is known.
std::optional<uint64_t> roomAt(Sema &s, const Expr *arg, std::string &name) {
  const Expr *e = arg;
  for (;;) {
    if (e->kind == ExprKind::Paren) e = e->as<ParenExpr>()->sub;
    else if (e->kind == ExprKind::ImplicitCast) e = e->as<ImplicitCast>()->sub;
    else if (e->kind == ExprKind::Cast && e->type->isPointer()) e = e->as<Cast>()->sub;
    else if (e->kind == ExprKind::Unary && e->as<Unary>()->op == UnaryOp::AddrOf) {
      e = e->as<Unary>()->sub;
      if (e->kind != ExprKind::Ident) return {};
      break;
    } else break;
  }
  if (e->kind != ExprKind::Ident || !e->as<Ident>()->decl || e->as<Ident>()->decl->kind != DeclKind::Var) return {};
  QualType t = e->type;
  if (!t.type || t->isPointer() || !isComplete(t.type) || hasVariableSize(t.type)) return {};
  if (!t->isArray() && !t->isScalar()) return {};  // a struct may end in an array that has more room than it says
  name = e->as<Ident>()->name;
  return sizeOf(t.type, s.cx.target);
}

// The length of a string that is known here.
std::optional<uint64_t> knownLength(const Expr *e) {
  e = bareValue(e);
  if (e->kind != ExprKind::StringLit || e->as<StringLit>()->unit != 1) return {};
  size_t end = e->as<StringLit>()->bytes.find('\0');
  return end == std::string::npos ? e->as<StringLit>()->length() : end;
}

// memset(a, 0, n), memcpy, strcpy of a literal: what certainly goes beyond the end of a variable.
void checkOverflow(Sema &s, const Call *c, const FunctionDecl *f) {
  static constexpr struct {
    std::string_view function;
    size_t arguments;  // at least
    int size;  // the argument that says how much is written; -1: the second one is the text
    size_t to;
  } writers[] = {{"memset", 3, 2, 0}, {"memcpy", 3, 2, 0}, {"memmove", 3, 2, 0}, {"strncpy", 3, 2, 0},
      {"strcpy", 2, -1, 0}, {"strcat", 2, -1, 0}, {"snprintf", 3, 1, 0}, {"vsnprintf", 4, 1, 0}, {"fgets", 3, 1, 0},
      {"read", 3, 2, 1}};
  auto w =
      std::find_if(std::begin(writers), std::end(writers), [&](const auto &row) { return row.function == f->name; });
  if (f->def || f->linkage != Linkage::External || w == std::end(writers) || c->args.size() < w->arguments) return;
  std::string name;
  auto room = roomAt(s, c->args[w->to], name);
  if (!room) return;
  __int128 bytes = 0;
  if (w->size >= 0) {
    auto n = s.conv.knownInteger(c->args[static_cast<size_t>(w->size)]);
    if (!n) return;
    bytes = *n;
  } else {
    auto length = knownLength(c->args[1]);
    if (!length) return;
    bytes = static_cast<__int128>(*length) + 1;
  }
  if (bytes > static_cast<__int128>(*room) && bytes < (static_cast<__int128>(1) << 62))
    s.diags.report(diag::stringop_overflow, c->range)
        << f->name << static_cast<unsigned long long>(bytes) << name << *room;
}

// memset(a, 0, 4) of int[4]
void checkElementCount(Sema &s, const Call *c) {
  const Expr *array = ignoreCasts(c->args[0]);
  auto n = s.conv.knownInteger(c->args[2]);
  if (!n || !array->type->isArray() || array->type->as<ArrayType>()->arrayKind != ArrayKind::Constant) return;
  const auto *a = array->type->as<ArrayType>();
  if (*n != static_cast<__int128>(a->count) || hasVariableSize(a) || sizeOf(a->elem.type, s.cx.target) <= 1) return;
  auto d = s.diags.report(diag::memset_elements, c->args[2]->range);
  d << decimal(*n) << toString(array->type) << sizeOf(a, s.cx.target);
  if (array->kind == ExprKind::Ident)
    d.note(c->args[2]->range, "write `sizeof " + std::string(array->as<Ident>()->name) + "`");
}

// free(p + 1). What is freed with an address before it may have a header there.
void checkFreedOffset(Sema &s, const Call *c, const FunctionDecl *f) {
  if (f->name != "free" || f->def || f->parent || c->args.size() != 1) return;
  const Expr *e = ignoreCasts(c->args[0]), *offset = nullptr;
  if (e->kind == ExprKind::Binary && e->as<Binary>()->op == BinaryOp::Add)
    offset = e->as<Binary>()->lhs->type->isPointer() ? e->as<Binary>()->rhs : e->as<Binary>()->lhs;
  else if (e->kind == ExprKind::Unary && e->as<Unary>()->op == UnaryOp::AddrOf &&
           ignoreParens(e->as<Unary>()->sub)->kind == ExprKind::Index)
    offset = ignoreParens(e->as<Unary>()->sub)->as<Index>()->index;
  auto n = offset ? s.conv.knownInteger(offset) : std::nullopt;
  if (n && *n > 0)
    s.diags.report(diag::free_offset, c->range)
        << f->name << (*n == 1 ? "one element after" : decimal(*n) + " elements after");
}

// The bytes that sprintf certainly writes, the '\0' included: each conversion gives its width, and at least what its
// kind of value always takes.
uint64_t leastWritten(Sema &s, const Call *c, std::string_view format, size_t argument) {
  uint64_t total = 1;
  for (size_t i = 0; i < format.size() && format[i]; i++) {
    if (format[i] != '%') {
      total++;
      continue;
    }
    auto number = [&] {
      uint64_t n = 0;
      for (; i + 1 < format.size() && format[i + 1] >= '0' && format[i + 1] <= '9'; i++)
        n = std::min<uint64_t>(n * 10 + static_cast<uint64_t>(format[i + 1] - '0'), 1 << 30);
      return n;
    };
    bool alternative = false, signs = false;
    while (i + 1 < format.size() && std::string_view("-+ #0'").find(format[i + 1]) != std::string_view::npos) {
      alternative |= format[i + 1] == '#';
      signs |= format[i + 1] == '+' || format[i + 1] == ' ';
      i++;
    }
    uint64_t width = number(), precision = UINT64_MAX;
    if (i + 1 < format.size() && format[i + 1] == '.') i++, precision = number();
    while (i + 1 < format.size() && std::string_view("hljztLq").find(format[i + 1]) != std::string_view::npos) i++;
    if (++i >= format.size()) break;
    const Expr *a = argument < c->args.size() ? c->args[argument] : nullptr;
    uint64_t least = 0;
    switch (format[i]) {
      case '%': total++; continue;
      case 's':
        if (auto n = a ? knownLength(a) : std::nullopt) least = std::min(*n, precision);
        break;
      case 'd':
      case 'i':
      case 'u': {
        auto v = a ? s.conv.knownInteger(a) : std::nullopt;
        least = v ? decimal(*v).size() + (signs && *v >= 0) : precision ? 1 : 0;
        break;
      }
      case 'x':
      case 'X':
      case 'o':
      case 'p': least = precision && !alternative; break;
      case 'c': least = 1; break;
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
      case 'a':
      case 'A': least = 1; break;
      default: return total;  // positions, '*', %n: not looked into
    }
    total += std::max(least, width);
    argument++;
  }
  return total;
}

void checkFormatOverflow(Sema &s, const Call *c, const FunctionDecl *f) {
  if (f->name != "sprintf" || f->def || f->linkage != Linkage::External || c->args.size() < 2 ||
      !s.diags.wants(diag::format_overflow))
    return;
  const Expr *format = bareValue(c->args[1]);
  std::string name;
  auto room = roomAt(s, c->args[0], name);
  if (!room || format->kind != ExprKind::StringLit || format->as<StringLit>()->unit != 1) return;
  uint64_t bytes = leastWritten(s, c, format->as<StringLit>()->bytes, 2);
  if (bytes > *room) s.diags.report(diag::format_overflow, c->range) << f->name << bytes << name << *room;
}

}  // namespace

void Warnings::checkCallWarnings(Call *c) {
  if (sema.unevaluated || sema.deadCode) return;
  const Expr *callee = c->callee;
  callee = ignoreParensAndImplicit(callee);
  if (callee->kind != ExprKind::Ident || !callee->as<Ident>()->decl ||
      callee->as<Ident>()->decl->kind != DeclKind::Function)
    return;
  const auto *f = callee->as<Ident>()->decl->as<FunctionDecl>();

  // Null where the function wants an object.
  if (f->attrs.nonnullAll || !f->attrs.nonnull.empty()) {
    for (size_t i = 0; i < c->args.size(); i++) {
      bool wanted = f->attrs.nonnullAll;
      for (int n : f->attrs.nonnull)
        if (n == static_cast<int>(i + 1)) wanted = true;
      if (wanted && c->args[i]->type->isPointer()) {
        const Expr *a = c->args[i];
        while (a->kind == ExprKind::ImplicitCast && a->as<ImplicitCast>()->castKind == CastKind::PointerToPointer)
          a = a->as<ImplicitCast>()->sub;
        if (sema.conv.isNullPointerConstant(a) ||
            (a->kind == ExprKind::ImplicitCast && a->as<ImplicitCast>()->castKind == CastKind::NullToPointer))
          diags.report(diag::nonnull_argument, c->args[i]->range) << i + 1 << f->name;
      }
    }
  }
  if (f->attrs.sentinel && c->fnType && c->args.size() >= c->fnType->params.size()) {
    const Expr *last = c->args.empty() ? nullptr : c->args.back();
    bool null = false;
    if (last && last->type->isPointer()) {  // (char *)0 ends the list too, though it is not a null pointer constant
      auto value = evaluate(last, cx, EvalMode::Fold);
      null = value && !value->base && !value->string && !value->label && value->i == 0 && value->offset == 0;
    }
    if (!null && last) diags.report(diag::sentinel_missing, c->range) << f->name;
  }
  if (f->builtin == static_cast<int>(BuiltinId::memset) && c->args.size() == 3) {
    auto n = sema.conv.knownInteger(c->args[2]);
    auto v = sema.conv.knownInteger(c->args[1]);
    const Expr *third = bareValue(c->args[2]);
    if (n && *n == 0 && third->kind == ExprKind::IntLit && !(v && *v == 0))
      diags.report(diag::memset_swapped, c->range);
    checkElementCount(sema, c);
  }
  checkFreedOffset(sema, c, f);

  checkOverflow(sema, c, f);
  checkFormatOverflow(sema, c, f);
  checkSizeArgument(c, f);
  checkAbsolute(c, f);
  if (FormatSpec spec = formatOf(f); spec.kind) checkFormat(sema, c, spec);
}

// As written, since OpenCilk's rules put a variable in the place of a call that is waited for. What is on the left side
// of a comma is found where the comma is typed.
void Warnings::unusedCalls(const Expr *e, std::vector<const Expr *> &calls) const {
  while (e) {
    e = ignoreParens(e);
    if (e->kind == ExprKind::StmtExpr) {
      const Stmt *last = valueStatement(e->as<StmtExpr>());
      e = last && last->kind == StmtKind::Expr ? last->as<ExprStmt>()->expr : nullptr;
    } else if (e->kind == ExprKind::Binary && e->as<Binary>()->op == BinaryOp::Comma) e = e->as<Binary>()->rhs;
    else {
      // which operand they choose is not known yet
      if (e->kind == ExprKind::Call || e->kind == ExprKind::Cast || e->kind == ExprKind::Generic ||
          e->kind == ExprKind::ChooseExpr)
        calls.push_back(e);
      return;
    }
  }
}

// f(), (*f)() and (&f)() call the same function.
static const FunctionDecl *functionCalled(const Call *c) {
  const Expr *e = ignoreParensAndImplicit(c->callee);
  while (e && e->kind == ExprKind::Unary &&
         (e->as<Unary>()->op == UnaryOp::Deref || e->as<Unary>()->op == UnaryOp::AddrOf))
    e = ignoreParensAndImplicit(e->as<Unary>()->sub);
  const Decl *d = e && e->kind == ExprKind::Ident ? e->as<Ident>()->decl : nullptr;
  return d && d->kind == DeclKind::Function ? d->as<FunctionDecl>() : nullptr;
}

void Warnings::checkUnusedResults(std::vector<const Expr *> calls) {
  if (sema.unevaluated) return;
  for (size_t i = 0; i < calls.size(); i++) {
    const Expr *e = ignoreParensAndImplicit(calls[i]);
    if (e != calls[i] && e->kind != ExprKind::Call) unusedCalls(e, calls);  // chosen
    // a cast to its own type uses no value
    if (e->kind == ExprKind::Cast && e->type && e->as<Cast>()->sub->type &&
        e->type.unqual() == e->as<Cast>()->sub->type.unqual())
      unusedCalls(e->as<Cast>()->sub, calls);
    if (e->kind != ExprKind::Call || !e->type || e->type->isVoid()) continue;
    const FunctionDecl *f = functionCalled(e->as<Call>());
    if (f && (f->attrs.warnUnused || sema.ds->tags.nodiscard.count(e->type.type)))
      diags.report(diag::unused_result, e->range) << f->name;
  }
}

}  // namespace cilkc
