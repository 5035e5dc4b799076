// foreign.cpp - syntax errors that come from another language or from a slip of the keyboard: words and constructs of
// C++, misspelt keywords, a ';' before a body, a brace that was forgotten far above the place where the parser noticed.
//
// The tokens around the one at which the parser stopped are looked at, as in thread_errors.cpp. A name counts only if
// it is not declared.
#include "frontend/parse/parser.h"
#include "frontend/source/foreign_words.h"
#include "frontend/source/headers.h"
#include "diag/parse.h"
#include "diag/sema_expr.h"

namespace cilkc::parsing {

namespace {

using P = CilkParser;

// What follows a keyword where it makes sense.
enum class Next : uint8_t { Parenthesis, Name, Statement };
struct Keyword {
  std::string_view word;
  Next next;
};
constexpr Keyword keywords[] = {{"while", Next::Parenthesis}, {"for", Next::Parenthesis}, {"if", Next::Parenthesis},
    {"switch", Next::Parenthesis}, {"return", Next::Statement}, {"else", Next::Statement}, {"goto", Next::Name},
    {"case", Next::Statement}, {"int", Next::Name}, {"char", Next::Name}, {"long", Next::Name}, {"short", Next::Name},
    {"float", Next::Name}, {"double", Next::Name}, {"void", Next::Name}, {"struct", Next::Name}, {"union", Next::Name},
    {"enum", Next::Name}, {"unsigned", Next::Name}, {"signed", Next::Name}, {"const", Next::Name},
    {"static", Next::Name}, {"extern", Next::Name}, {"typedef", Next::Name}, {"volatile", Next::Name},
    {"inline", Next::Name}};

std::string_view keywordLike(const Token &t, Next next) {
  std::string_view name = t.view();
  if (name.size() < 2 || (name.size() == 2 && next != Next::Parenthesis)) return {};
  for (const Keyword &k : keywords)
    if (k.next == next && misspells(name, k.word) &&
        (k.word.size() > 2 || name == "fi" || name == "If" || name == "iff" || name == "IF"))
      return k.word;
  return {};
}

bool isTypeName(const Token &t) {
  switch (t.type) {
    case P::TypedefName:
    case P::Char:
    case P::Short:
    case P::Int:
    case P::Long:
    case P::Float:
    case P::Double:
    case P::Unsigned:
    case P::Signed:
    case P::Const:
    case P::Void:
    case P::Bool: return true;
    default: return false;
  }
}

bool inParameters(size_t rule) {
  switch (rule) {
    case P::RuleParameter:
    case P::RuleParameterList:
    case P::RuleFunctionSuffix:
    case P::RuleLooseDeclarator:
    case P::RuleLooseDirectDeclarator:
    case P::RuleLooseParentheses:
    case P::RuleImplicitLooseDeclarator: return true;
    default: return false;
  }
}

// Columns as editors show them.
unsigned columnOf(std::string_view text, const Token &t) {
  size_t line = text.substr(0, t.start).rfind('\n') + 1;  // npos + 1 is 0
  unsigned column = 0;
  for (; line < t.start; line++) column = text[line] == '\t' ? column / 8 * 8 + 8 : column + 1;
  return column;
}

}  // namespace

bool Parser::isUnknown(const Token &t) const {
  return t.type == Identifier && !t.system && (names[t.symbol] == Names::Unknown || t.index == lastNew);
}

// The token before the bracket that the one at `closing` closes; that of the innermost bracket around it, if it is no
// closing one.
size_t Parser::before(size_t closing) {
  uint32_t depth = stream[closing].depth;
  bool closes = stream[closing].type == RightParen;
  for (size_t i = closing, left = 200; i-- > 0 && left-- > 0;) {
    const Token &t = stream[i];
    if (t.type == LeftParen && (closes ? t.depth == depth : t.depth + 1 == depth)) return i ? i - 1 : SIZE_MAX;
    if (t.type == LeftBrace || t.type == RightBrace) break;
  }
  return SIZE_MAX;
}

bool Parser::foreignWord(Token &t) {
  const ForeignWord *w = isUnknown(t) ? cilkc::foreignWord(t.view()) : nullptr;
  if (!w || damaged.contains(t.symbol)) return false;
  damaged.insert(t.symbol);
  diags.report(diag::foreign_word, t.range()) << w->word << w->language << w->advice;
  return true;
}

// `whlie (x) {`, `fro (i = 0; ..`, `retrun x`, `itn x`, and `elif (x) y`.
bool Parser::keywordMisspelt(Token &offending) {
  auto say = [&](Token &t, std::string_view meant) {
    diags.report(diag::misspelt_word, t.range()).fixit(t.range(), std::string(meant)) << t.view() << meant;
    damaged.insert(t.symbol);
    return true;
  };
  size_t i = offending.index;
  // A call that is followed by a statement, or has a ';' among its arguments.
  size_t at = i && stream[i - 1].type == RightParen ? before(i - 1)
              : offending.type == Semicolon         ? before(i)
                                                    : SIZE_MAX;
  if (at != SIZE_MAX && isUnknown(stream[at])) {
    Token &t = stream[at];
    if (t.system) return false;
    if (foreignWord(t)) return true;
    if (auto meant = keywordLike(t, Next::Parenthesis); !meant.empty()) return say(t, meant);
  }
  for (size_t back = 0; back < 2 && back <= i; back++) {
    Token &t = stream[i - back];
    const Token &next = stream[t.index + 1];
    if (!isUnknown(t) || t.system || next.lineStart) continue;
    if (next.type == Identifier || next.type == TypedefName || next.type == Star || isTypeName(next))
      if (auto meant = keywordLike(t, Next::Name); !meant.empty()) return say(t, meant);
    if (next.type != LeftParen && next.type != Assign && next.type != Semicolon && next.type != Comma)
      if (auto meant = keywordLike(t, Next::Statement); !meant.empty()) return say(t, meant);
  }
  return false;
}

// `CILK_C_REDUCER_OPADD(sum, int, 0);` without the header of this macro. One error for all such macros of the text.
bool Parser::reducerMacro(const Token &offending) {
  auto headerOf = [](const Token &t) {
    const char *header = t.type == Identifier ? headerFor(t.view()) : nullptr;
    return header && std::string_view(header).starts_with("cilk/") ? header : nullptr;
  };
  for (size_t i = offending.index + 1, left = 100; i-- > 0 && left-- > 0;) {
    const Token &t = stream[i];
    if (i != offending.index && (t.type == Semicolon || t.type == LeftBrace || t.type == RightBrace)) break;
    const char *header = headerOf(t);
    if (!header) continue;
    if (damaged.contains(t.symbol)) return true;
    std::string name(t.view());
    diags.report(diag::undeclared, t.range())
            .note(t.range(), std::string("include <") + header + "> to declare '" + name + "'")
        << name;
    for (size_t k = 0; k < stream.size(); k++)
      if (headerOf(stream[k])) damaged.insert(stream[k].symbol);
    return true;
  }
  return false;
}

// References, default arguments, lambda expressions, scopes, loops over containers.
// `par_for (int i = 0; ..`, `par_for (i, 0, n) {`, `spawn par_for(0, n, { .. })`: the library's loops are procedures,
// and take the name of a function.
bool Parser::loopOfLibrary(Token &offending) {
  size_t i = offending.index;
  bool after = i && stream[i - 1].type == RightParen,
       begins = offending.type == LeftBrace || offending.type == Semicolon || isTypeName(offending);
  if (after ? offending.lineStart && offending.type != LeftBrace : !begins) return false;
  size_t at = before(after ? i - 1 : i);
  if (at == SIZE_MAX || stream[at].type != Identifier || !stream[at].view().starts_with("par_for")) return false;
  std::string name(stream[at].view()),
      types = name.ends_with("_range") ? "long low, long high, void *context" : "long i, void *context";
  diags.report(diag::foreign_word, stream[at].range())
      << name + " (..) {..}" << "other languages"
      << "'" + name + "' of <par.cilkh> is a procedure. Define the body as a function, `" +
             (name.ends_with("_cilk") ? "cilk " : "") + "void body(" + types + ")`, and write `spawn " + name +
             "(low, high, body, context);`";
  return true;
}

bool Parser::foreignSyntax(Rule *context, Token &offending) {
  size_t i = offending.index, rule = context->getRuleIndex();
  auto type = [&](size_t at) { return at < stream.size() ? stream[at].type : UINT16_MAX; };
  auto say = [&](const char *what) {
    diags.report(diag::cplusplus, offending.range()) << what;
    return true;
  };
  if (offending.system || !i) return false;
  if (loopOfLibrary(offending)) return true;
  switch (offending.type) {
    case And:
      if ((isTypeName(stream[i - 1]) || type(i - 1) == Star) &&
          (type(i + 1) == Identifier || type(i + 1) == TypedefName) &&
          (inParameters(rule) || rule == RuleDeclaration || rule == RuleDeclarators || rule == RuleDeclarator ||
              rule == RuleInitDeclarator || rule == RuleDirectDeclarator))
        return say("C has no references. Declare a pointer, `int *x`, pass the address, `&a`, and use `*x`");
      return false;
    case AndAnd:
      if (isTypeName(stream[i - 1]) && inParameters(rule)) return say("C has no references. Declare a pointer");
      return false;
    case Assign:
      if (inParameters(rule) && type(i - 1) == Identifier)
        return say("C has no default arguments. Pass every argument at the call");
      return false;
    case LeftBracket: {
      bool value = type(i - 1) == Assign || type(i - 1) == LeftParen || type(i - 1) == Comma || type(i - 1) == Return;
      bool captures = type(i + 1) == RightBracket || type(i + 1) == And || type(i + 1) == Assign ||
                      (type(i + 1) == Identifier && type(i + 2) == RightBracket);
      if (!value || !captures) return false;
      size_t close = i + 1;
      while (type(close) != RightBracket && close < i + 12) close++;
      if (type(close + 1) == LeftParen || type(close + 1) == LeftBrace)
        return say("C has no lambda expressions. Define a function and pass its name");
      return false;
    }
    case Colon:
      if (type(i + 1) == Colon) return say("C has no '::'. Write the name alone");
      for (size_t at = i, left = 200; at-- > 0 && left-- > 0;) {  // a[0:n] and a[:]
        if (stream[at].depth + 1 != offending.depth) continue;
        if (stream[at].type != LeftBracket) break;
        diags.report(diag::foreign_word, Range::join(stream[at].range(), offending.range()))
            << "[:]" << "Cilk Plus' array notation"
            << "write the loop, `cilk_for (int i = 0; i < n; i++) a[i] = b[i];`";
        return true;
      }
      if (rule == RuleForStatement || rule == RuleDeclaratorsRest || rule == RuleDeclaration)
        if (size_t word = before(i); word != SIZE_MAX && type(word) == For)
          return say("C has no loops over containers. Write `for (int i = 0; i < n; i++)`");
      return false;
    case StringLiteral:
      if (type(i - 1) == Extern)
        return say("C has no linkage `extern \"C\"`. Leave it out, or put it under `#ifdef __cplusplus`");
      return false;
    default: return false;
  }
}

// int main(void); {
bool Parser::bodyCutOff(Token &offending) {
  size_t i = offending.index;
  if (offending.type != LeftBrace || offending.depth || i < 2 || stream[i - 1].type != Semicolon ||
      stream[i - 2].type != RightParen)
    return false;
  Token &semicolon = stream[i - 1];
  diags.report(diag::semicolon_before_body, semicolon.range()).fixit(semicolon.range(), "").also(offending.range());
  return true;
}

// A '}' at the beginning of its line that is indented less than the line of its '{' was written for another one.
Token *Parser::openBrace(size_t end) {
  std::string_view text = diags.sources().text();
  std::vector<Token *> open;
  for (size_t i = 0; i < end; i++) {
    Token &t = stream[i];
    if (t.system) continue;
    if (t.type == LeftBrace) open.push_back(&t);
    if (t.type != RightBrace || open.empty()) continue;
    Token *its = open.back();
    open.pop_back();
    size_t first = its->index;
    while (first && !stream[first].lineStart) first--;
    if (t.lineStart && columnOf(text, t) < columnOf(text, stream[first])) return its;
  }
  return nullptr;
}

Token *Parser::functionInside(size_t end) {
  std::string_view text = diags.sources().text();
  int depth = 0;
  unsigned margin = 0;  // of the line with the outermost brace
  for (size_t i = 0; i < end; i++) {
    Token &t = stream[i];
    if (t.system) continue;
    if (t.type == LeftBrace) {
      size_t first = i;
      while (first && !stream[first].lineStart) first--;
      if (!depth++) margin = columnOf(text, stream[first]);
    } else if (t.type == RightBrace) {
      depth--;
    } else if (depth > 0 && t.lineStart && columnOf(text, t) <= margin && t.type != Else &&
               stream[i + 1].type != LeftParen) {
      size_t j = i;
      while (j < end && stream[j].type != LeftBrace && stream[j].type != Semicolon && stream[j].type != Colon &&
             stream[j].type != Assign)
        j++;
      if (j < end && stream[j].type == LeftBrace && stream[j - 1].type == RightParen) return &t;
    }
  }
  return nullptr;
}

}  // namespace cilkc::parsing
