// format.cpp - printf, scanf and strftime formats (C17 7.21.6.1-2, 7.27.3.5 and glibc's extensions) against the
// arguments of a call.
//
// Three tables say which flags, width, precision and length modifiers each conversion takes and since when; the checker
// reads the format once from left to right. It reports what gcc's -Wformat reports; what is only not standard is
// reported under -pedantic.
#include "frontend/sema/c/warn/format.h"
#include "frontend/builtins/builtins.h"
#include "diag/sema_decl.h"
#include "diag/warn.h"

namespace cilkc {

const Expr *bareValue(const Expr *e) {
  for (;;) {
    if (e->kind == ExprKind::Paren) e = e->as<ParenExpr>()->sub;
    else if (e->kind == ExprKind::ImplicitCast) e = e->as<ImplicitCast>()->sub;
    else if (e->kind == ExprKind::Cast && e->type && e->type->isPointer()) e = e->as<Cast>()->sub;
    else return e;
  }
}

namespace {

// Since when something exists: in C90, C99, C2x, or in glibc only.
enum class Since : uint8_t { C90, C99, C2x, Gnu };

struct Conversion {
  const char *chars;
  Since since;
  // flags it takes; 'w' stands for a width, 'p' for a precision, 'E' and 'O' for strftime's modifiers
  const char *flags;
  const char *lengths;  // length modifiers it takes, one letter each, as the line below has them
};

// h hh=H l ll=G L q j z t
constexpr Conversion printfTable[] = {{"di", Since::C90, "wp0-+ 'I", "hHlGLqjzt"},
    {"oxX", Since::C90, "wp0-#", "hHlGLqjzt"}, {"u", Since::C90, "wp0-'I", "hHlGLqjzt"},
    {"feEgG", Since::C90, "wp0-+ #'I", "lL"}, {"FaA", Since::C99, "wp0-+ #'I", "lL"}, {"c", Since::C90, "w-", "l"},
    {"s", Since::C90, "wp-", "l"}, {"p", Since::C90, "w-", ""}, {"n", Since::C90, "", "hHlGLqjzt"},
    {"C", Since::Gnu, "w-", ""}, {"S", Since::Gnu, "wp-", ""}, {"m", Since::Gnu, "wp-", ""},
    {"b", Since::C2x, "wp0-#", "hHlGLqjzt"}, {"B", Since::Gnu, "wp0-#", "hHlGLqjzt"}};
constexpr Conversion scanfTable[] = {{"di", Since::C90, "*w'I", "hHlGLqjzt"}, {"u", Since::C90, "*w'I", "hHlGLqjzt"},
    {"oxX", Since::C90, "*w", "hHlGLqjzt"}, {"feEgG", Since::C90, "*w'", "lL"}, {"FaA", Since::C99, "*w'", "lL"},
    {"c", Since::C90, "*mw", "l"}, {"s[", Since::C90, "*mw", "l"}, {"p", Since::C90, "*w", ""},
    {"n", Since::C90, "", "hHlGLqjzt"}, {"C", Since::Gnu, "*mw", ""}, {"S", Since::Gnu, "*mw", ""},
    {"b", Since::C2x, "*w", "hHlGLqjzt"}};
constexpr Conversion strftimeTable[] = {{"ABab", Since::C90, "^#O", ""}, {"Z", Since::C90, "^#", ""},
    {"cx", Since::C90, "E", ""}, {"HIMSUWdmw", Since::C90, "-_0Ow", ""}, {"j", Since::C90, "-_0Ow", ""},
    {"p", Since::C90, "#", ""}, {"X", Since::C90, "E", ""}, {"y", Since::C90, "EO-_0w", ""},
    {"Y", Since::C90, "-_0EOw", ""}, {"C", Since::C99, "-_0EOw", ""}, {"D", Since::C99, "", ""},
    {"eVu", Since::C99, "-_0Ow", ""}, {"FRTnrt", Since::C99, "", ""}, {"g", Since::C99, "O-_0w", ""},
    {"G", Since::C99, "-_0Ow", ""}, {"h", Since::C99, "^#", ""}, {"z", Since::C99, "O", ""},
    {"kls", Since::Gnu, "-_0Ow", ""}, {"P", Since::Gnu, "", ""}};

// What a conversion expects, as a type to compare with and its spelling.
struct Expected {
  enum Kind { None, Integer, Floating, CharPointer, WidePointer, AnyPointer, PointerTo, PointerToPointer } kind = None;
  TypeKind type = TypeKind::Int;
  std::string text;
};

class FormatChecker {
public:
  FormatChecker(Sema &sema, const Call *call, const FormatSpec &spec, const StringLit *literal)
      : s(sema), c(call), spec(spec), lit(literal), text(literal->bytes), end(text.size()) {}

  size_t unused = 0;  // the first argument that no conversion takes
  bool empty = false;

  void run() {
    if (text.empty()) {
      empty = true;
      return;
    }
    if (text.find('\0') != std::string::npos) {
      s.diags.report(diag::format_contains_nul, lit->range);
      end = text.find('\0');
    }
    next = spec.first ? spec.first - 1 : 0;
    for (size_t i = 0; i < end;) {
      if (text[i++] != '%') continue;
      if (i >= end) {
        warn("spurious '%' at the end of the format");
        return;
      }
      if (text[i] == '%') {
        i++;
        continue;
      }
      if (!(spec.kind == FormatSpec::Strftime ? timeConversion(i) : conversion(i))) return;
    }
    if (spec.first && !positional && next < c->args.size()) unused = next;
  }

private:
  Sema &s;
  const Call *c;
  FormatSpec spec;
  const StringLit *lit;
  const std::string &text;
  size_t end, next = 0;
  bool positional = false;

  void warn(const std::string &what) { s.diags.report(diag::format_flags, lit->range) << what; }
  void pedantic(Since since, const std::string &what) {
    if (!s.cx.lang.pedantic) return;
    auto std = s.cx.lang.std;
    if (since == Since::Gnu) warn("ISO C has no " + what);
    else if (since == Since::C2x && std < LangOptions::C2x) warn("ISO C17 has no " + what);
    else if (since == Since::C99 && std < LangOptions::C99) warn("ISO C90 has no " + what);
  }

  const Expr *take(const std::string &conv) {
    if (next >= c->args.size()) {
      s.diags.report(diag::format_too_few, lit->range) << conv;
      return nullptr;
    }
    return c->args[next++];
  }

  bool number(size_t &i) {
    bool any = false;
    while (i < end && text[i] >= '0' && text[i] <= '9') i++, any = true;
    return any;
  }

  template <size_t N> static const Conversion *find(const Conversion (&table)[N], char conv) {
    for (const Conversion &k : table)
      if (std::string_view(k.chars).find(conv) != std::string_view::npos) return &k;
    return nullptr;
  }
  static bool has(const char *set, char f) { return std::string_view(set).find(f) != std::string_view::npos; }
  static std::string quote(const std::string &x) { return "'" + x + "'"; }
  std::string percent(char conv) { return std::string("'%") + conv + "'"; }

  void unknown(char conv, const std::string &spelled) {
    (void)conv;
    s.diags.report(diag::format_unknown, lit->range) << spelled;
  }

  // The text between the % and the conversion.
  void checkParts(const Conversion &k, char conv, const std::string &flags, bool width, bool precision,
      const std::string &length, char mark) {
    bool printf = spec.kind == FormatSpec::Printf;
    auto flag = [&](char f) { return flags.find(f) != std::string::npos; };
    pedantic(k.since, percent(conv) + " conversion");
    for (char f : flags)
      if (!has(k.flags, f)) warn(std::string("'") + f + "' flag used with " + percent(conv));
      else if (f == '\'' || f == 'I' || f == 'm') pedantic(Since::Gnu, std::string("'") + f + "' flag in formats");
    if (width && !has(k.flags, 'w')) warn("field width used with " + percent(conv));
    if (precision && !has(k.flags, 'p')) warn("precision used with " + percent(conv));
    if (printf && flag('0') && flag('-') && has(k.flags, '0')) warn("'0' flag ignored with '-' flag in the format");
    if (printf && flag(' ') && flag('+') && has(k.flags, '+')) warn("' ' flag ignored with '+' flag in the format");
    if (printf && flag('0') && precision && has("diouxXbB", conv))
      warn("'0' flag ignored with precision and " + percent(conv) + " in the format");
    if (!printf && flag('*') && mark) warn("assignment suppression and a length modifier together in the format");
    if (mark) {
      if (!has(k.lengths, mark)) warn("length modifier " + quote(length) + " has no meaning with " + percent(conv));
      else {
        bool floating = has("feEgGFaA", conv);
        if (mark == 'q' || (mark == 'L' && !floating))
          pedantic(Since::Gnu, quote(length) + " modifier of " + percent(conv));
        else if (mark == 'H' || (mark == 'G' && s.diags.wants(diag::long_long)) || mark == 'j' || mark == 'z' ||
                 mark == 't' || (printf && mark == 'l' && floating))
          pedantic(Since::C99, quote(length) + " modifier of " + percent(conv));
      }
    }
  }

  // false: there is no sense in reading on.
  bool conversion(size_t &i) {
    size_t start = i;
    bool printf = spec.kind == FormatSpec::Printf;
    std::string flags;
    bool width = false, precision = false;
    // %2$d: the second argument after the format.
    size_t j = i, place = 0;
    if (number(j) && j < end && text[j] == '$') {
      for (size_t k = i; k < j && place < 10000; k++) place = place * 10 + static_cast<size_t>(text[k] - '0');
      positional = true;
      i = j + 1;
      pedantic(Since::Gnu, "'%n$' in formats");
    }
    auto star = [&] {
      i++;
      size_t k = i;
      if (number(k) && k < end && text[k] == '$') {
        positional = true;
        i = k + 1;
        return true;
      }
      if (!spec.first || positional) return true;
      const Expr *a = take("*");
      if (!a) return false;
      if (!a->type->isError() && a->type->kind != TypeKind::Int && a->type->kind != TypeKind::UInt)
        s.diags.report(diag::format_star, a->range) << next << toString(a->type);
      return true;
    };
    const char *known = printf ? "-+ #0'I" : "*'Im";
    for (; i < end && has(known, text[i]); i++) {
      if (flags.find(text[i]) != std::string::npos) warn(std::string("repeated '") + text[i] + "' flag in the format");
      else flags += text[i];
    }
    if (printf) {
      if (i < end && text[i] == '*') {
        width = true;
        if (!star()) return false;
      } else width = number(i);
      if (i < end && text[i] == '.') {
        i++;
        precision = true;
        if (i < end && text[i] == '*') {
          if (!star()) return false;
        } else number(i);
      }
    } else {
      size_t digits = i;
      width = number(i);
      if (width && text.find_first_not_of('0', digits) >= i) warn("zero width in a scanf format");
      for (; i < end && text[i] == 'm'; i++) flags += 'm';  // glibc takes it on either side
    }
    std::string length;
    // In C90 `a` before a string conversion of scanf is glibc's old form of `m`.
    if (!printf && s.cx.lang.std < LangOptions::C99 && i + 1 < end && text[i] == 'a' && has("sS[", text[i + 1]))
      flags += 'm', i++;
    while (i < end && has("hlLqjztZ", text[i])) length += text[i] == 'Z' ? 'z' : text[i], i++;
    if (i >= end) {
      s.diags.report(diag::format_incomplete, lit->range);
      return false;
    }
    char conv = text[i++];
    std::string spelled = text.substr(start, i - start);
    const Conversion *k = printf ? find(printfTable, conv) : find(scanfTable, conv);
    char mark = length.empty() ? 0 : length == "hh" ? 'H' : length == "ll" ? 'G' : length.size() == 1 ? length[0] : '?';
    if (!k || mark == '?') {
      unknown(conv, spelled);
      return true;
    }
    if (conv == '[') {  // scanf's sets
      if (i < end && text[i] == '^') i++;
      if (i < end && text[i] == ']') i++;
      while (i < end && text[i] != ']') i++;
      if (i >= end) {
        warn("no closing ']' for '%[' in the format");
        return false;
      }
      i++;
    }
    auto flag = [&](char f) { return flags.find(f) != std::string::npos; };
    checkParts(*k, conv, flags, width, precision, length, mark);
    if (conv == 'm') return true;
    Expected e = printf ? printfType(conv, length) : scanfType(conv, length);
    // %ms gives the address of new memory
    if (flag('m') && (e.kind == Expected::CharPointer || e.kind == Expected::WidePointer))
      e = {Expected::PointerToPointer, e.kind == Expected::CharPointer ? TypeKind::Char : TypeKind::Int,
          e.kind == Expected::CharPointer ? "'char **'" : "'wchar_t **'"};
    if ((!printf && flag('*')) || !spec.first) return true;
    const Expr *a = nullptr;
    size_t number = next + 1;
    if (place) {
      number = spec.first - 1 + place;
      if (number <= c->args.size()) a = c->args[number - 1];
      else s.diags.report(diag::format_too_few, lit->range) << spelled;
    } else if (!positional) a = take(spelled);
    if (!a) return place || positional;
    if (!a->type->isError() && !fits(a, e))
      s.diags.report(diag::format_argument, a->range) << spelled << e.text << number << toString(a->type);
    return true;
  }

  bool timeConversion(size_t &i) {
    size_t start = i;
    std::string flags;
    for (; i < end && has("_-0^#", text[i]); i++)
      if (flags.find(text[i]) == std::string::npos) flags += text[i];
    bool width = number(i);
    if (i < end && (text[i] == 'E' || text[i] == 'O')) flags += text[i++];
    if (i >= end) {
      s.diags.report(diag::format_incomplete, lit->range);
      return false;
    }
    char conv = text[i++];
    if (conv == '%') return true;
    const Conversion *k = find(strftimeTable, conv);
    if (!k) {
      if (!has("LNfv+q:i", conv)) unknown(conv, text.substr(start, i - start));  // what other C libraries know
      return true;
    }
    pedantic(k->since, percent(conv) + " conversion");
    for (char f : flags) {
      bool modifier = f == 'E' || f == 'O';
      if (!has(k->flags, f))
        warn(std::string("'") + f + (modifier ? "' modifier" : "' flag") + " used with " + percent(conv));
      else if (!modifier) pedantic(Since::Gnu, std::string("'") + f + "' flag in time formats");
    }
    if (width && !has(k->flags, 'w')) warn("field width used with " + percent(conv));
    else if (width) pedantic(Since::Gnu, "field width in time formats");
    if (s.diags.wants(diag::format_y2k) && has("Dcgxy", conv))
      s.diags.report(diag::format_y2k, lit->range) << percent(conv) << (has("cx", conv) ? " in some locales" : "");
    return true;
  }

  static TypeKind integerKind(const std::string &length, bool narrow, bool uns) {
    if (length == "hh") return !narrow ? TypeKind::Int : uns ? TypeKind::UChar : TypeKind::SChar;
    if (length == "h") return !narrow ? TypeKind::Int : uns ? TypeKind::UShort : TypeKind::Short;
    if (length == "l" || length == "j" || length == "z" || length == "t")
      return uns || length == "z" ? TypeKind::ULong : TypeKind::Long;
    if (length == "ll" || length == "q" || length == "L") return uns ? TypeKind::ULongLong : TypeKind::LongLong;
    return uns ? TypeKind::UInt : TypeKind::Int;
  }
  std::string spell(TypeKind k) { return "'" + toString(s.cx.basic(k)) + "'"; }

  Expected printfType(char conv, const std::string &length) {
    switch (conv) {
      case 'd':
      case 'i':
      case 'u':
      case 'o':
      case 'x':
      case 'X':
      case 'b':
      case 'B': {
        TypeKind k = integerKind(length, false, conv != 'd' && conv != 'i');
        return {Expected::Integer, k, spell(k)};
      }
      case 'c':
        if (length == "l") return {Expected::Integer, TypeKind::UInt, "'wint_t'"};
        return {Expected::Integer, TypeKind::Int, "'int'"};
      case 'C': return {Expected::Integer, TypeKind::UInt, "'wint_t'"};
      case 's':
        if (length == "l") return {Expected::WidePointer, TypeKind::Int, "'wchar_t *'"};
        return {Expected::CharPointer, TypeKind::Char, "'char *'"};
      case 'S': return {Expected::WidePointer, TypeKind::Int, "'wchar_t *'"};
      case 'p': return {Expected::AnyPointer, TypeKind::Void, "'void *'"};
      case 'n': {
        TypeKind k = integerKind(length, true, false);
        return {Expected::PointerTo, k, "'" + toString(s.cx.pointerTo(s.cx.basic(k))) + "'"};
      }
      default:
        if (length == "L") return {Expected::Floating, TypeKind::LongDouble, "'long double'"};
        return {Expected::Floating, TypeKind::Double, "'double'"};
    }
  }

  Expected scanfType(char conv, const std::string &length) {
    auto to = [&](TypeKind k) {
      return Expected{Expected::PointerTo, k, "'" + toString(s.cx.pointerTo(s.cx.basic(k))) + "'"};
    };
    switch (conv) {
      case 'd':
      case 'i':
      case 'n': return to(integerKind(length, true, false));
      case 'u':
      case 'o':
      case 'x':
      case 'X':
      case 'b': return to(integerKind(length, true, true));
      case 's':
      case 'c':
      case '[':
        if (length == "l") return {Expected::WidePointer, TypeKind::Int, "'wchar_t *'"};
        return {Expected::CharPointer, TypeKind::Char, "'char *'"};
      case 'S':
      case 'C': return {Expected::WidePointer, TypeKind::Int, "'wchar_t *'"};
      case 'p': return {Expected::PointerToPointer, TypeKind::Void, "'void **'"};
      default: return to(length == "L" ? TypeKind::LongDouble : length == "l" ? TypeKind::Double : TypeKind::Float);
    }
  }

  // Integers match whatever their sign; under -pedantic the targets of pointers do not.
  static TypeKind signless(TypeKind k) {
    switch (k) {
      case TypeKind::UChar:
      case TypeKind::SChar: return TypeKind::Char;
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
    bool strict = s.cx.lang.pedantic;
    // would be written to
    if (spec.kind == FormatSpec::Scanf && t->isPointer() && t->as<PointerType>()->pointee.isConst()) return false;
    switch (e.kind) {
      case Expected::Integer: return t->isInteger() && signless(t->kind) == signless(e.type);
      case Expected::Floating:
        return t->kind == e.type ||
               (e.type == TypeKind::Double && (t->kind == TypeKind::Float64 || t->kind == TypeKind::Float32x));
      case Expected::AnyPointer:
        if (!t->isPointer()) return false;
        if (!strict) return true;
        t = t->as<PointerType>()->pointee.type;
        return t->isVoid() || signless(t->kind) == TypeKind::Char;
      case Expected::CharPointer: {
        if (!t->isPointer()) return false;
        const Type *p = t->as<PointerType>()->pointee.type;
        return signless(p->kind) == TypeKind::Char || (p->isVoid() && s.conv.isNullPointerConstant(a)) ||
               (p->isVoid() && spec.kind == FormatSpec::Scanf);
      }
      case Expected::WidePointer: {
        if (!t->isPointer()) return false;
        const Type *p = plain(t->as<PointerType>()->pointee.type);
        return signless(p->kind) == TypeKind::Int;
      }
      case Expected::PointerToPointer: {
        if (!t->isPointer() || !t->as<PointerType>()->pointee->isPointer()) return false;
        const Type *p = plain(t->as<PointerType>()->pointee->as<PointerType>()->pointee.type);
        return e.type == TypeKind::Void ? !strict || p->isVoid() : signless(p->kind) == e.type;
      }
      case Expected::PointerTo: {
        if (!t->isPointer()) return false;
        const Type *p = plain(t->as<PointerType>()->pointee.type);
        return strict ? p->kind == e.type : signless(p->kind) == signless(e.type);
      }
      default: return true;
    }
  }
};

// The arguments of gettext or its kind, or of a function with the attribute format_arg, that its result has the format
// of.
std::vector<const Expr *> translated(const Expr *e) {
  std::vector<const Expr *> out;
  if (e->kind != ExprKind::Call) return out;
  const auto *c = e->as<Call>();
  const Expr *callee = bareValue(c->callee);
  if (callee->kind != ExprKind::Ident || !callee->as<Ident>()->decl ||
      callee->as<Ident>()->decl->kind != DeclKind::Function)
    return out;
  static constexpr struct {
    std::string_view name;
    uint32_t arguments;
  } table[] = {{"gettext", 1}, {"dgettext", 2}, {"dcgettext", 2}, {"ngettext", 3}, {"dngettext", 6}, {"dcngettext", 6}};
  const auto *f = callee->as<Ident>()->decl->as<FunctionDecl>();
  uint32_t which = f->attrs.formatArgs;
  for (auto &t : table)
    if (!which && t.name == f->name) which = t.arguments;
  for (size_t i = 0; i < c->args.size() && i < 32; i++)
    if (which >> i & 1) out.push_back(c->args[i]);
  return out;
}

// The text of a constant array that is initialised by a literal.
const StringLit *constantText(const Expr *e) {
  if (e->kind != ExprKind::Ident || !e->as<Ident>()->decl || e->as<Ident>()->decl->kind != DeclKind::Var)
    return nullptr;
  const auto *v = e->as<Ident>()->decl->as<VarDecl>();
  if (!v->type || !v->type->isArray() || !v->type->as<ArrayType>()->elem.isConst() || !v->init || !v->init->expr)
    return nullptr;
  const Expr *init = bareValue(v->init->expr);
  return init->kind == ExprKind::StringLit ? init->as<StringLit>() : nullptr;
}

}  // namespace

FormatSpec formatOf(const FunctionDecl *f) {
  if (f->attrs.formatKind >= 1 && f->attrs.formatKind <= 3)
    return {static_cast<FormatSpec::Kind>(f->attrs.formatKind), static_cast<size_t>(f->attrs.formatIndex),
        f->attrs.formatKind == 3 ? 0 : static_cast<size_t>(f->attrs.formatFirst)};
  constexpr auto P = FormatSpec::Printf, S = FormatSpec::Scanf;
  switch (static_cast<BuiltinId>(f->builtin)) {
    case BuiltinId::printf:
    case BuiltinId::printf_unlocked: return {P, 1, 2};
    case BuiltinId::fprintf:
    case BuiltinId::fprintf_unlocked:
    case BuiltinId::sprintf:
    case BuiltinId::printf_chk: return {P, 2, 3};
    case BuiltinId::snprintf:
    case BuiltinId::fprintf_chk: return {P, 3, 4};
    case BuiltinId::sprintf_chk: return {P, 4, 5};
    case BuiltinId::snprintf_chk: return {P, 5, 6};
    case BuiltinId::vprintf: return {P, 1, 0};
    case BuiltinId::vfprintf:
    case BuiltinId::vsprintf: return {P, 2, 0};
    case BuiltinId::vsnprintf: return {P, 3, 0};
    case BuiltinId::scanf: return {S, 1, 2};
    case BuiltinId::fscanf:
    case BuiltinId::sscanf: return {S, 2, 3};
    case BuiltinId::vscanf: return {S, 1, 0};
    case BuiltinId::vfscanf:
    case BuiltinId::vsscanf: return {S, 2, 0};
    default: break;
  }
  if (f->name == "strftime" && f->linkage == Linkage::External && f->type->as<FunctionType>()->params.size() == 4)
    return {FormatSpec::Strftime, 3, 0};
  return {};
}

void checkFormat(Sema &s, const Call *c, const FormatSpec &spec) {
  if (spec.format == 0 || spec.format > c->args.size()) return;
  if (!s.diags.wants(diag::format_argument) && !s.diags.wants(diag::format_security) &&
      !s.diags.wants(diag::format_nonliteral))
    return;
  const Expr *format = bareValue(c->args[spec.format - 1]);
  std::vector<const Expr *> choices{format};
  Range empty;
  // a report on a format as a whole must be true for every choice of a ?: between formats
  bool others = false;
  size_t least = SIZE_MAX;  // the first argument that none of the formats takes
  while (!choices.empty()) {
    const Expr *e = bareValue(choices.back());
    choices.pop_back();
    if (e->kind == ExprKind::Conditional && e->as<Conditional>()->then) {
      choices.push_back(e->as<Conditional>()->otherwise);
      choices.push_back(e->as<Conditional>()->then);
      continue;
    }
    if (auto inner = translated(e); !inner.empty()) {
      choices.insert(choices.end(), inner.begin(), inner.end());
      continue;
    }
    const StringLit *lit = e->kind == ExprKind::StringLit ? e->as<StringLit>() : constantText(e);
    if (lit) {
      if (lit->unit != 1) {
        s.diags.report(diag::format_wide, e->range);
        return;
      }
      FormatChecker checker(s, c, spec, lit);
      checker.run();
      if (checker.empty) empty = e->range;
      else others = true;
      least = !checker.unused || !least ? 0 : least == SIZE_MAX ? checker.unused : std::max(least, checker.unused);
      continue;
    }
    others = true;
    if (s.conv.isNullPointerConstant(c->args[spec.format - 1])) {
      return;
    } else if (spec.first && c->args.size() < spec.first && spec.kind == FormatSpec::Printf) {
      if (s.diags.wants(diag::format_security)) s.diags.report(diag::format_security, c->args[spec.format - 1]->range);
      else s.diags.report(diag::format_nonliteral, c->args[spec.format - 1]->range) << "and there are no arguments";
      least = 0;
    } else {
      if (spec.first || spec.kind == FormatSpec::Strftime)
        s.diags.report(diag::format_nonliteral, c->args[spec.format - 1]->range) << "so the arguments are not checked";
      least = 0;
    }
  }
  if (!others && empty.valid()) s.diags.report(diag::format_zero_length, empty);
  if (least && least != SIZE_MAX) s.diags.report(diag::format_too_many, c->args[least]->range);
}

}  // namespace cilkc
