// format.cpp - warnings about single calls: printf and scanf formats against their arguments, null for nonnull parameters, missing
// sentinels. The call is typed and its arguments are converted; nothing here changes the tree.
#include "frontend/sema/builtins.h"
#include "frontend/sema/sema.h"

namespace cilkc {

namespace {

const Expr *bareValue(const Expr *e) {
  for (;;) {
    if (e->kind == ExprKind::Paren) e = e->as<ParenExpr>()->sub;
    else if (e->kind == ExprKind::ImplicitCast) e = e->as<ImplicitCast>()->sub;
    else if (e->kind == ExprKind::Cast && e->type && e->type->isPointer()) e = e->as<Cast>()->sub;
    else return e;
  }
}

struct FormatSpec {
  int kind = 0;                 // 1 printf, 2 scanf
  size_t format = 0, first = 0; // argument numbers from 1; first 0: a va_list, arguments not checked
};

FormatSpec formatOf(const FunctionDecl *f) {
  if (f->attrs.formatKind == 1 || f->attrs.formatKind == 2)
    return {f->attrs.formatKind, static_cast<size_t>(f->attrs.formatIndex), static_cast<size_t>(f->attrs.formatFirst)};
  switch (static_cast<BuiltinId>(f->builtin)) {
    case BuiltinId::printf: case BuiltinId::printf_unlocked: return {1, 1, 2};
    case BuiltinId::fprintf: case BuiltinId::fprintf_unlocked: case BuiltinId::sprintf: case BuiltinId::printf_chk: return {1, 2, 3};
    case BuiltinId::snprintf: case BuiltinId::fprintf_chk: return {1, 3, 4};
    case BuiltinId::sprintf_chk: return {1, 4, 5};
    case BuiltinId::snprintf_chk: return {1, 5, 6};
    case BuiltinId::vprintf: return {1, 1, 0};
    case BuiltinId::vfprintf: case BuiltinId::vsprintf: return {1, 2, 0};
    case BuiltinId::vsnprintf: return {1, 3, 0};
    case BuiltinId::scanf: return {2, 1, 2};
    case BuiltinId::fscanf: case BuiltinId::sscanf: return {2, 2, 3};
    case BuiltinId::vscanf: return {2, 1, 0};
    case BuiltinId::vfscanf: case BuiltinId::vsscanf: return {2, 2, 0};
    default: return {};
  }
}

// What a conversion expects, as a type to compare with and its spelling.
struct Expected {
  enum Kind { None, Integer, Floating, CharPointer, WidePointer, AnyPointer, PointerTo, PointerToPointer } kind = None;
  TypeKind type = TypeKind::Int;
  std::string text;
};

class FormatChecker {
public:
  FormatChecker(Sema &sema, const Call *call, const FormatSpec &spec, const StringLit *literal) : s(sema), c(call), spec(spec), lit(literal), text(literal->bytes) {}

  // What is said of the format as a whole, and only if it goes for every choice of a ?: between formats.
  enum Verdict { Fine, Empty, Extra };

  Verdict run() {
    if (text.empty()) return Empty;
    next = spec.first ? spec.first - 1 : 0;
    size_t i = 0;
    while (i < text.size() && text[i]) {
      if (text[i++] != '%') continue;
      if (i >= text.size() || !text[i]) { s.diags.report(diag::format_incomplete, lit->range); return Fine; }
      if (text[i] == '%') { i++; continue; }
      if (!conversion(i)) return Fine;
    }
    return spec.first && !positional && next < c->args.size() ? Extra : Fine;
  }
  Range firstExtra() const { return c->args[next]->range; }

private:
  Sema &s;
  const Call *c;
  FormatSpec spec;
  const StringLit *lit;
  const std::string &text;
  size_t next = 0;
  bool positional = false;

  const Expr *take(const std::string &conv) {
    if (next >= c->args.size()) {
      s.diags.report(diag::format_too_few, lit->range) << conv;
      return nullptr;
    }
    return c->args[next++];
  }

  bool number(size_t &i) {
    bool any = false;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') i++, any = true;
    return any;
  }

  bool conversion(size_t &i) {
    size_t start = i;
    bool printf = spec.kind == 1, suppress = false, allocate = false;
    // %2$d: the second argument behind the format.
    size_t j = i, place = 0;
    if (number(j) && j < text.size() && text[j] == '$') {
      for (size_t k = i; k < j && place < 10000; k++) place = place * 10 + static_cast<size_t>(text[k] - '0');
      positional = true;
      i = j + 1;
    }
    auto star = [&] {
      i++;
      size_t k = i;
      if (number(k) && k < text.size() && text[k] == '$') { positional = true; i = k + 1; return true; }
      if (!spec.first || positional) return true;
      const Expr *a = take("*");
      if (!a) return false;
      if (!a->type->isError() && a->type->kind != TypeKind::Int && a->type->kind != TypeKind::UInt)
        s.diags.report(diag::format_star, a->range) << next << toString(a->type);
      return true;
    };
    if (printf) {
      while (i < text.size() && text[i] && std::string_view("-+ #0'I").find(text[i]) != std::string_view::npos) i++;
      if (i < text.size() && text[i] == '*') { if (!star()) return false; }
      else number(i);
      if (i < text.size() && text[i] == '.') {
        i++;
        if (i < text.size() && text[i] == '*') { if (!star()) return false; }
        else number(i);
      }
    } else {
      if (i < text.size() && text[i] == '*') suppress = true, i++;
      while (i < text.size() && text[i] == '\'') i++;
      number(i);
      if (i < text.size() && text[i] == 'm') allocate = true, i++;
    }
    std::string length;
    while (i < text.size() && text[i] && std::string_view("hlLqjzt").find(text[i]) != std::string_view::npos) length += text[i++];
    if (i >= text.size() || !text[i]) {
      s.diags.report(diag::format_incomplete, lit->range);
      return false;
    }
    char conv = text[i++];
    std::string spelled = text.substr(start, i - start);
    if (conv == '[') {          // scanf's sets
      if (i < text.size() && text[i] == '^') i++;
      if (i < text.size() && text[i] == ']') i++;
      while (i < text.size() && text[i] && text[i] != ']') i++;
      if (i >= text.size() || !text[i]) { s.diags.report(diag::format_incomplete, lit->range); return false; }
      i++;
      conv = 's';
    }
    if (conv == 'm' && printf) return true;
    Expected e = printf ? printfType(conv, length) : scanfType(conv, length);
    if (e.kind == Expected::None) {
      s.diags.report(diag::format_unknown, lit->range) << spelled;
      return false;
    }
    if (allocate && (e.kind == Expected::CharPointer || e.kind == Expected::WidePointer))        // %ms gives the address of new memory
      e = {Expected::PointerToPointer, e.kind == Expected::CharPointer ? TypeKind::Char : TypeKind::Int, e.kind == Expected::CharPointer ? "'char **'" : "'wchar_t **'"};
    if (suppress || !spec.first) return true;
    const Expr *a = nullptr;
    size_t number = next + 1;
    if (place) {
      number = spec.first - 1 + place;
      if (number <= c->args.size()) a = c->args[number - 1];
      else s.diags.report(diag::format_too_few, lit->range) << spelled;
    } else if (!positional) a = take(spelled);
    if (!a) return place || positional;
    if (!a->type->isError() && !fits(a, e)) s.diags.report(diag::format_argument, a->range) << spelled << e.text << number << toString(a->type);
    return true;
  }

  static TypeKind integerKind(const std::string &length, bool narrow, bool uns) {
    if (length == "hh") return !narrow ? TypeKind::Int : uns ? TypeKind::UChar : TypeKind::SChar;
    if (length == "h") return !narrow ? TypeKind::Int : uns ? TypeKind::UShort : TypeKind::Short;
    if (length == "l" || length == "j" || length == "z" || length == "t") return uns || length == "z" ? TypeKind::ULong : TypeKind::Long;
    if (length == "ll" || length == "q" || length == "L") return uns ? TypeKind::ULongLong : TypeKind::LongLong;
    return uns ? TypeKind::UInt : TypeKind::Int;
  }
  std::string spell(TypeKind k) { return "'" + toString(s.cx.basic(k)) + "'"; }

  Expected printfType(char conv, const std::string &length) {
    switch (conv) {
      case 'd': case 'i': case 'u': case 'o': case 'x': case 'X': case 'b': case 'B': {
        TypeKind k = integerKind(length, false, conv != 'd' && conv != 'i');
        return {Expected::Integer, k, spell(k)};
      }
      case 'c': if (length == "l") return {Expected::Integer, TypeKind::UInt, "'wint_t'"}; return {Expected::Integer, TypeKind::Int, "'int'"};
      case 'C': return {Expected::Integer, TypeKind::UInt, "'wint_t'"};
      case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A':
        if (length == "L") return {Expected::Floating, TypeKind::LongDouble, "'long double'"};
        return {Expected::Floating, TypeKind::Double, "'double'"};
      case 's': if (length == "l") return {Expected::WidePointer, TypeKind::Int, "'wchar_t *'"}; return {Expected::CharPointer, TypeKind::Char, "'char *'"};
      case 'S': return {Expected::WidePointer, TypeKind::Int, "'wchar_t *'"};
      case 'p': return {Expected::AnyPointer, TypeKind::Void, "'void *'"};
      case 'n': {
        TypeKind k = integerKind(length, true, false);
        return {Expected::PointerTo, k, "'" + toString(s.cx.pointerTo(s.cx.basic(k))) + "'"};
      }
      default: return {};
    }
  }

  Expected scanfType(char conv, const std::string &length) {
    auto to = [&](TypeKind k) { return Expected{Expected::PointerTo, k, "'" + toString(s.cx.pointerTo(s.cx.basic(k))) + "'"}; };
    switch (conv) {
      case 'd': case 'i': case 'n': return to(integerKind(length, true, false));
      case 'u': case 'o': case 'x': case 'X': case 'b': return to(integerKind(length, true, true));
      case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A':
        return to(length == "L" ? TypeKind::LongDouble : length == "l" ? TypeKind::Double : TypeKind::Float);
      case 's': case 'c': if (length == "l") return {Expected::WidePointer, TypeKind::Int, "'wchar_t *'"}; return {Expected::CharPointer, TypeKind::Char, "'char *'"};
      case 'S': case 'C': return {Expected::WidePointer, TypeKind::Int, "'wchar_t *'"};
      case 'p': return {Expected::AnyPointer, TypeKind::Void, "'void **'"};
      default: return {};
    }
  }

  // Integers match whatever their sign.
  static TypeKind signless(TypeKind k) {
    switch (k) {
      case TypeKind::UChar: case TypeKind::SChar: return TypeKind::Char;
      case TypeKind::UShort: return TypeKind::Short;
      case TypeKind::UInt: return TypeKind::Int;
      case TypeKind::ULong: return TypeKind::Long;
      case TypeKind::ULongLong: return TypeKind::LongLong;
      default: return k;
    }
  }
  const Type *plain(const Type *t) {
    if (t->isEnum()) return t->as<EnumType>()->underlying ? t->as<EnumType>()->underlying : s.cx.basic(TypeKind::UInt);
    return t;
  }

  bool fits(const Expr *a, const Expected &e) {
    const Type *t = plain(a->type.type);
    if (spec.kind == 2 && t->isPointer() && t->as<PointerType>()->pointee.isConst()) return false;      // would be written to
    switch (e.kind) {
      case Expected::Integer: return t->isInteger() && signless(t->kind) == signless(e.type);
      case Expected::Floating:
        return t->kind == e.type || (e.type == TypeKind::Double && (t->kind == TypeKind::Float64 || t->kind == TypeKind::Float32x));
      case Expected::AnyPointer: return t->isPointer();
      case Expected::CharPointer: {
        if (!t->isPointer()) return false;
        const Type *p = t->as<PointerType>()->pointee.type;
        return signless(p->kind) == TypeKind::Char || (p->isVoid() && s.isNullPointerConstant(a)) || (p->isVoid() && spec.kind == 2);
      }
      case Expected::WidePointer: {
        if (!t->isPointer()) return false;
        const Type *p = plain(t->as<PointerType>()->pointee.type);
        return signless(p->kind) == TypeKind::Int;
      }
      case Expected::PointerToPointer: {
        if (!t->isPointer() || !t->as<PointerType>()->pointee->isPointer()) return false;
        const Type *p = plain(t->as<PointerType>()->pointee->as<PointerType>()->pointee.type);
        return signless(p->kind) == e.type;
      }
      case Expected::PointerTo: {
        if (!t->isPointer()) return false;
        const Type *p = plain(t->as<PointerType>()->pointee.type);
        return signless(p->kind) == signless(e.type);
      }
      default: return true;
    }
  }
};

}  // namespace

namespace {

// strftime's conversions, with glibc's flags and width.
void checkTimeFormat(Sema &s, const StringLit *lit) {
  const std::string &text = lit->bytes;
  for (size_t i = 0; i < text.size() && text[i];) {
    if (text[i++] != '%') continue;
    size_t start = i;
    while (i < text.size() && text[i] && std::string_view("_-0^#123456789").find(text[i]) != std::string_view::npos) i++;
    if (i < text.size() && (text[i] == 'E' || text[i] == 'O')) i++;
    if (i >= text.size() || !text[i]) { s.diags.report(diag::format_incomplete, lit->range); return; }
    if (std::string_view("aAbBcCdDeFgGhHIjklmMnNpPrRsStTuUvVwWxXyYzZ+%").find(text[i]) == std::string_view::npos)
      s.diags.report(diag::format_unknown, lit->range) << text.substr(start, i + 1 - start);
    i++;
  }
}

}  // namespace

void Sema::checkCallWarnings(Call *c) {
  if (unevaluated || deadCode) return;
  const Expr *callee = c->callee;
  while (callee->kind == ExprKind::Paren || callee->kind == ExprKind::ImplicitCast)
    callee = callee->kind == ExprKind::Paren ? callee->as<ParenExpr>()->sub : callee->as<ImplicitCast>()->sub;
  if (callee->kind != ExprKind::Ident || !callee->as<Ident>()->decl || callee->as<Ident>()->decl->kind != DeclKind::Function) return;
  const auto *f = callee->as<Ident>()->decl->as<FunctionDecl>();

  // Null where the function wants an object.
  if (f->attrs.nonnullAll || !f->attrs.nonnull.empty()) {
    for (size_t i = 0; i < c->args.size(); i++) {
      bool wanted = f->attrs.nonnullAll;
      for (int n : f->attrs.nonnull) if (n == static_cast<int>(i + 1)) wanted = true;
      if (wanted && c->args[i]->type->isPointer()) {
        const Expr *a = c->args[i];
        while (a->kind == ExprKind::ImplicitCast && a->as<ImplicitCast>()->castKind == CastKind::PointerToPointer) a = a->as<ImplicitCast>()->sub;
        if (isNullPointerConstant(a) || (a->kind == ExprKind::ImplicitCast && a->as<ImplicitCast>()->castKind == CastKind::NullToPointer))
          diags.report(diag::nonnull_argument, c->args[i]->range) << i + 1 << f->name;
      }
    }
  }
  if (f->attrs.sentinel && c->fnType && c->args.size() >= c->fnType->params.size()) {
    const Expr *last = c->args.empty() ? nullptr : c->args.back();
    bool null = false;
    if (last && last->type->isPointer()) {   // (char *)0 ends the list too, though it is no null pointer constant
      auto value = evaluate(last, cx, EvalMode::Fold);
      null = value && !value->base && !value->string && !value->label && value->i == 0 && value->offset == 0;
    }
    if (!null && last) diags.report(diag::sentinel_missing, c->range) << f->name;
  }
  if (f->builtin == static_cast<int>(BuiltinId::memset) && c->args.size() == 3) {
    auto n = knownInteger(c->args[2]);
    auto v = knownInteger(c->args[1]);
    const Expr *third = bareValue(c->args[2]);
    if (n && *n == 0 && third->kind == ExprKind::IntLit && !(v && *v == 0)) diags.report(diag::memset_swapped, c->range);
  }

  // memset(p, 0, sizeof p)
  auto id = static_cast<BuiltinId>(f->builtin);
  if ((id == BuiltinId::memset || id == BuiltinId::memcpy || id == BuiltinId::memmove) && c->args.size() == 3) {
    const Expr *size = bareValue(c->args[2]), *dest = bareValue(c->args[0]);
    if (size->kind == ExprKind::SizeofExpr && dest->kind == ExprKind::Ident && dest->type->isPointer()) {
      const Expr *of = bareValue(size->as<SizeofExpr>()->sub);
      if (of->kind == ExprKind::Ident && of->as<Ident>()->decl == dest->as<Ident>()->decl && !dest->type->as<PointerType>()->pointee->isPointer())
        diags.report(diag::sizeof_pointer, size->range) << of->as<Ident>()->name;
    }
  }

  if (f->name == "strftime" && c->args.size() == 4)
    if (const Expr *e = bareValue(c->args[2]); e->kind == ExprKind::StringLit && e->as<StringLit>()->unit == 1) checkTimeFormat(*this, e->as<StringLit>());
  FormatSpec spec = formatOf(f);
  if (!spec.kind || spec.format == 0 || spec.format > c->args.size()) return;
  if (!diags.wants(diag::format_argument) && !diags.wants(diag::format_security)) return;
  const Expr *format = bareValue(c->args[spec.format - 1]);
  std::vector<const Expr *> choices{format};
  Range empty, extra;
  bool others = false;
  while (!choices.empty()) {
    const Expr *e = bareValue(choices.back());
    choices.pop_back();
    if (e->kind == ExprKind::Conditional && e->as<Conditional>()->then) {
      choices.push_back(e->as<Conditional>()->otherwise);
      choices.push_back(e->as<Conditional>()->then);
      continue;
    }
    // gettext("…") and the like: what they are given.
    if (e->kind == ExprKind::Call) {
      const auto *inner = e->as<Call>();
      const Expr *of = bareValue(inner->callee);
      const Decl *d = of->kind == ExprKind::Ident ? of->as<Ident>()->decl : nullptr;
      uint32_t args = d && d->kind == DeclKind::Function ? d->as<FunctionDecl>()->attrs.formatArgs : 0;
      for (size_t i = 0; i < inner->args.size() && i < 32; i++)
        if (args >> i & 1) choices.push_back(inner->args[i]);
      if (args) continue;
    }
    if (e->kind == ExprKind::StringLit) {
      if (e->as<StringLit>()->unit != 1) continue;
      FormatChecker checker(*this, c, spec, e->as<StringLit>());
      FormatChecker::Verdict verdict = checker.run();
      if (verdict == FormatChecker::Empty) empty = e->range;
      else if (verdict == FormatChecker::Extra) extra = checker.firstExtra();
      else others = true;
      continue;
    }
    others = true;
    if (spec.first && c->args.size() < spec.first && spec.kind == 1) {
      diags.report(diag::format_security, c->args[spec.format - 1]->range);
    }
  }
  if (!others && extra.valid()) diags.report(diag::format_too_many, extra);
  if (!others && empty.valid()) diags.report(diag::format_zero_length, empty);
}

}  // namespace cilkc
