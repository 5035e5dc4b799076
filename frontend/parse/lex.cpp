// lex.cpp - the token source: drives the generated CilkLexer over the preprocessed text.
//
// The ANTLR lexer decides what a token is. Blanks, words, operators, plain numbers and literals, nearly all of any C
// text, take short cuts that give the same answer (tests compare the two). Around that are the decisions that need
// more than one token's characters, numbered as at the top of CilkLexer.g4. Those that need later tokens, 2 to 4, are
// in decisions.cpp.
#include "frontend/parse/lex.h"
#include <algorithm>
#include <cstring>
#include <unordered_map>
#include "CilkLexer.h"
#include "frontend/ast/run.h"
#include "frontend/parse/lookalikes.h"
#include "frontend/source/dialect.h"
#include "diag/parse.h"

namespace cilkc::parsing {

namespace {

using antlr4::misc::Interval;

// The text as ANTLR reads it: bytes, those beyond ASCII all as U+007F (see CilkLexer.g4).
class Bytes final : public antlr4::CharStream {
public:
  explicit Bytes(std::string_view t) : text(t) {}
  void consume() override {
    if (at < text.size()) at++;
  }
  size_t LA(ssize_t i) override {
    size_t p = i > 0 ? at + static_cast<size_t>(i) - 1 : at + static_cast<size_t>(i);
    if (i == 0 || p >= text.size()) return IntStream::EOF;
    unsigned char c = static_cast<unsigned char>(text[p]);
    return c < 0x7f ? c : c == 0x7f ? 1 : 0x7f;
  }
  ssize_t mark() override { return -1; }
  void release(ssize_t) override {}
  size_t index() override { return at; }
  void seek(size_t i) override { at = std::min(i, text.size()); }
  size_t size() override { return text.size(); }
  std::string getSourceName() const override { return {}; }
  std::string getText(const Interval &i) override {
    return std::string(text.substr(static_cast<size_t>(i.a), static_cast<size_t>(i.b - i.a + 1)));
  }
  std::string toString() const override { return std::string(text); }
private:
  std::string_view text;
  size_t at = 0;
};

// Character classes for the short cuts.
enum Class : uint8_t { Other, Space, WordStart, Digit, Single, Quote, Operator };
struct Classes {
  uint8_t of[256] = {};
  uint16_t single[256] = {};
  constexpr Classes() {
    for (char c : {' ', '\t', '\f', '\r', '\n', '\v'}) of[static_cast<unsigned char>(c)] = Space;
    for (int c = 'a'; c <= 'z'; c++) of[c] = of[c - 'a' + 'A'] = WordStart;
    for (int c = 0x80; c < 0x100; c++) of[c] = WordStart;
    of['_'] = of['$'] = WordStart;
    for (int c = '0'; c <= '9'; c++) of[c] = Digit;
    for (char c : {'"', '\''}) of[static_cast<unsigned char>(c)] = Quote;
    for (char c : {'.', ':', '+', '-', '*', '/', '%', '&', '|', '^', '!', '<', '>', '='})
      of[static_cast<unsigned char>(c)] = Operator;
    auto one = [&](char c, uint16_t type) {
      of[static_cast<unsigned char>(c)] = Single;
      single[static_cast<unsigned char>(c)] = type;
    };
    one('(', CilkLexer::LeftParen);
    one(')', CilkLexer::RightParen);
    one('[', CilkLexer::LeftBracket);
    one(']', CilkLexer::RightBracket);
    one('{', CilkLexer::LeftBrace);
    one('}', CilkLexer::RightBrace);
    one(';', CilkLexer::Semicolon);
    one(',', CilkLexer::Comma);
    one('?', CilkLexer::Question);
    one('~', CilkLexer::Tilde);
  }
};
constexpr Classes classes;

std::string_view trim(std::string_view s) {
  auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; };
  while (!s.empty() && blank(s.front())) s.remove_prefix(1);
  while (!s.empty() && blank(s.back())) s.remove_suffix(1);
  return s;
}
std::string_view nextWord(std::string_view &s) {
  s = trim(s);
  size_t n = 0;
  while (n < s.size() && s[n] != ' ' && s[n] != '\t' && s[n] != '(' && s[n] != ')') n++;
  if (!n && !s.empty()) n = 1;
  std::string_view w = s.substr(0, n);
  s.remove_prefix(n);
  return w;
}

class Source {
public:
  Source(const SourceManager &sm, const LangOptions &l, DiagnosticEngine &d, Tokens &o, bool onlyGrammar)
      : text(sm.text()), mainName(sm.mainName()), lang(l), diags(d), out(o), bytes(text), lexer(&bytes),
        simulator(lexer.getInterpreter<antlr4::atn::LexerATNSimulator>()), shortCuts(!onlyGrammar) {}

  void run() {
    enterKeywords(out.words, lang);
    out.list.reserve(text.size() / 5 + 16);
    enterFile(mainName, false);
    while (at < text.size() && !out.tooDeep) one();
    add(UINT16_MAX, 0);
    decideByContext(out.list);
  }

private:
  // ---- single tokens ------------------------------------------------------------------------------------------------

  void one() {
    const char *p = text.data() + at;
    unsigned char c = static_cast<unsigned char>(*p);
    if (c == '#' && !lineStart) {
      stray();
      return;
    }
    if ((classes.of[c] == Digit || c == '-' || c == '\'' || c == '.') && constantRun()) return;
    if ((c == 'R' || c == 'L' || c == 'u' || c == 'U') && rawString()) return;
    if (shortCuts) {
      switch (classes.of[c]) {
        case Space: {
          size_t i = at;
          while (i < text.size() && classes.of[static_cast<unsigned char>(text[i])] == Space) {
            if (text[i] == '\n') lineStart = true;
            i++;
          }
          at = i;
          return;
        }
        case WordStart: {
          size_t i = at + 1;
          while (i < text.size()) {
            uint8_t k = classes.of[static_cast<unsigned char>(text[i])];
            if (k != WordStart && k != Digit) break;
            i++;
          }
          // A prefix of a literal and an escaped character in a name go the long way.
          if (i < text.size() && (text[i] == '"' || text[i] == '\'' || text[i] == '\\')) break;
          word(i - at);
          return;
        }
        case Single: add(classes.single[c], 1); return;
        case Digit:
          if (number()) return;
          break;
        case Quote:
          if (literal(static_cast<char>(c))) return;
          break;
        case Operator:
          if (operatorToken(static_cast<char>(c))) return;
          break;
        default: break;
      }
    }
    byGrammar();
  }

  // Decision 6. Here, if an element of an initialiser begins; a row that was found too short is not looked at again.
  bool constantRun() {
    if (at < noRunBefore || open.empty() || !open.back().initializer) return false;
    uint16_t before = out.list.back().type;
    if (before != CilkLexer::LeftBrace && before != CilkLexer::Comma) return false;
    RunReader reader(text.substr(at), Loc::at(at));
    RunReader::Element e;
    size_t count = 0, end = 0;
    while (reader.next(e)) {
      count++;
      end = reader.stopped();
      if (!reader.comma()) break;
    }
    if (count < shortestRun) {
      noRunBefore = at + std::max(end, reader.stopped());
      return false;
    }
    add(CilkLexer::ConstantRun, end);
    out.list.back().elements = static_cast<uint32_t>(count);
    return true;
  }

  // Without digit separators and letters beyond ASCII.
  bool number() {
    size_t i = at + 1;
    for (; i < text.size(); i++) {
      char c = text[i];
      uint8_t k = classes.of[static_cast<unsigned char>(c)];
      if (c == '\'' || static_cast<unsigned char>(c) >= 0x7f) return false;
      if ((c == 'e' || c == 'E' || c == 'p' || c == 'P') && i + 1 < text.size() &&
          (text[i + 1] == '+' || text[i + 1] == '-'))
        i++;
      else if (c != '.' && (k != WordStart && k != Digit)) break;
      else if (c == '$') break;
    }
    add(CilkLexer::Number, i - at);
    return true;
  }

  // Without prefix, and closed on its line.
  bool literal(char quote) {
    for (size_t i = at + 1; i < text.size() && text[i] != '\n'; i++) {
      if (text[i] == '\\') {
        if (++i >= text.size() || text[i] == '\n') return false;
      } else if (text[i] == quote) {
        if (quote == '\'' && i == at + 1) return false;
        add(quote == '"' ? CilkLexer::StringLiteral : CilkLexer::CharacterConstant, i + 1 - at);
        return true;
      }
    }
    return false;
  }

  // Not digraphs, comments and numbers that begin with a point.
  bool operatorToken(char c) {
    char d = at + 1 < text.size() ? text[at + 1] : '\0', e = at + 2 < text.size() ? text[at + 2] : '\0';
    auto take = [&](size_t type, size_t length) {
      add(static_cast<uint16_t>(type), length);
      return true;
    };
    switch (c) {
      case '.':
        if (d >= '0' && d <= '9') return false;
        return d == '.' && e == '.' ? take(CilkLexer::Ellipsis, 3) : take(CilkLexer::Dot, 1);
      case ':': return d != '>' && take(CilkLexer::Colon, 1);
      case '+':
        return d == '+'   ? take(CilkLexer::PlusPlus, 2)
               : d == '=' ? take(CilkLexer::PlusAssign, 2)
                          : take(CilkLexer::Plus, 1);
      case '-':
        return d == '-'   ? take(CilkLexer::MinusMinus, 2)
               : d == '=' ? take(CilkLexer::MinusAssign, 2)
               : d == '>' ? take(CilkLexer::Arrow, 2)
                          : take(CilkLexer::Minus, 1);
      case '*': return d == '=' ? take(CilkLexer::StarAssign, 2) : take(CilkLexer::Star, 1);
      case '/': return d != '/' && d != '*' && (d == '=' ? take(CilkLexer::SlashAssign, 2) : take(CilkLexer::Slash, 1));
      case '%':
        return d != '>' && d != ':' && (d == '=' ? take(CilkLexer::PercentAssign, 2) : take(CilkLexer::Percent, 1));
      case '&':
        return d == '&'   ? take(CilkLexer::AndAnd, 2)
               : d == '=' ? take(CilkLexer::AndAssign, 2)
                          : take(CilkLexer::And, 1);
      case '|':
        return d == '|' ? take(CilkLexer::OrOr, 2) : d == '=' ? take(CilkLexer::OrAssign, 2) : take(CilkLexer::Or, 1);
      case '^': return d == '=' ? take(CilkLexer::XorAssign, 2) : take(CilkLexer::Xor, 1);
      case '!': return d == '=' ? take(CilkLexer::NotEqual, 2) : take(CilkLexer::Not, 1);
      case '=': return d == '=' ? take(CilkLexer::Equal, 2) : take(CilkLexer::Assign, 1);
      case '<':
        if (d == ':' || d == '%') return false;
        if (d == '<') return e == '=' ? take(CilkLexer::ShiftLeftAssign, 3) : take(CilkLexer::ShiftLeft, 2);
        return d == '=' ? take(CilkLexer::LessEqual, 2) : take(CilkLexer::Less, 1);
      case '>':
        if (d == '>') return e == '=' ? take(CilkLexer::ShiftRightAssign, 3) : take(CilkLexer::ShiftRight, 2);
        return d == '=' ? take(CilkLexer::GreaterEqual, 2) : take(CilkLexer::Greater, 1);
      default: return false;
    }
  }

  // GNU C99's R"delimiter(text)delimiter", which no regular grammar describes: it may contain newlines, and has no
  // escapes.
  bool rawString() {
    if (!lang.gnu || lang.std < LangOptions::C99) return false;
    size_t i = at;
    if (text.substr(i, 2) == "u8") i += 2;
    else if (text[i] != 'R') i++;
    if (text.substr(i, 2) != "R\"") return false;
    i += 2;
    size_t open = text.find_first_of("()\\ \t\n", i);
    if (open == std::string_view::npos || text[open] != '(' || open - i > 16) return false;
    std::string close = ")" + std::string(text.substr(i, open - i)) + "\"";
    size_t end = text.find(close, open);
    if (end == std::string_view::npos) return false;
    add(CilkLexer::StringLiteral, end + close.size() - at);
    return true;
  }

  void byGrammar() {
    bytes.seek(at);
    lexer.type = antlr4::Token::INVALID_TYPE;
    size_t type = simulator->match(&bytes, antlr4::Lexer::DEFAULT_MODE);
    size_t length = bytes.index() - at;
    if (lexer.type != antlr4::Token::INVALID_TYPE) type = lexer.type;
    if (length == 0) {
      at = text.size();
      return;
    }
    switch (type) {
      case antlr4::Lexer::SKIP:
        if (std::memchr(text.data() + at, '\n', length)) lineStart = true;
        at += length;
        return;
      case CilkLexer::Identifier: word(length); return;
      case CilkLexer::Number:  // 3 and a no-break space
        if (size_t good = utf8Prefix(text.substr(at, length));
            good && good < length && lookalikeAt(text.substr(at + good)))
          length = good;
        break;
      case CilkLexer::Directive: directive(length); return;
      case CilkLexer::UnterminatedString:
      case CilkLexer::UnterminatedCharacter:
        diags.report(diag::unterminated_literal, Range{Loc::at(at), Loc::at(at + 1)})
            << (type == CilkLexer::UnterminatedString ? "\"" : "'");
        add(type == CilkLexer::UnterminatedString ? CilkLexer::StringLiteral : CilkLexer::CharacterConstant, length);
        out.list.back().cutOff = true;
        return;
      case CilkLexer::UnterminatedComment:
        diags.report(diag::unterminated_comment, Range{Loc::at(at), Loc::at(at + 2)});
        at += length;
        return;
      case CilkLexer::At:
        if (dialect >= Dialect::Cilk1) break;
        [[fallthrough]];
      case CilkLexer::StrayCharacter: stray(); return;
      default: break;
    }
    add(static_cast<uint16_t>(type), length);
  }

  void add(uint16_t type, size_t length, Symbol symbol = 0) {
    Token &t = out.list.emplace_back();
    t.text = text.data() + at;
    t.start = static_cast<uint32_t>(at);
    t.length = static_cast<uint32_t>(length);
    t.symbol = symbol;
    t.index = static_cast<uint32_t>(out.list.size() - 1);
    t.type = type;
    t.lineStart = lineStart;
    t.dialect = dialect;
    t.system = inSystem;
    lineStart = false;
    at += length;
    brackets(t);
  }

  // Decision 1: a word is a keyword, or nothing, or a name. Letters beyond ASCII are UTF-8; a byte that is none is
  // garbage, and so is the rest.
  void word(size_t length) {
    if (size_t good = utf8Prefix(text.substr(at, length)); good < length) {
      size_t end = at + length;
      if (good) word(good);
      if (lookalike()) return;  // what follows it is read as a token of its own
      stray();
      at = end;
      return;
    }
    Symbol s = out.words.number(text.substr(at, length));
    const Words::Entry &e = out.words.entry(s);
    if (e.keyword == 0 || e.since > dialect) {
      add(CilkLexer::Identifier, length, s);
    } else if (e.keyword == dropWord || e.keyword == extensionWord) {
      if (e.keyword == extensionWord && extensionDepth == none) {
        diags.extensionBegins(Loc::at(at));
        extensionDepth = open.size();
      }
      at += length;
    } else {
      add(e.keyword, length, s);
    }
  }

  // Reported once a line, and read as what was meant. What is between such quotes is read as a string of one blank.
  bool lookalike() {
    const Lookalike *l = lookalikeAt(text.substr(at));
    if (!l) return false;
    std::string_view meant = l->meant;
    Range where{Loc::at(at), Loc::at(at + l->bytes.size())};
    if (at >= strayUntil) {
      std::string wanted = meant.empty() ? "a plain blank" : "'" + std::string(meant) + "'";
      diags.report(diag::lookalike_character, where).fixit(where, meant.empty() ? " " : std::string(meant))
          << l->name << wanted;
      strayUntil = std::min(text.find('\n', at), text.size());
    }
    if (meant == "\"" || meant == "'") {
      bool closed = false;
      add(meant == "'" ? CilkLexer::CharacterConstant : CilkLexer::StringLiteral,
          quotedLength(text.substr(at), closed));
      Token &t = out.list.back();
      t.text = meant == "'" ? "'0'" : "\" \"";
      t.length = 3;
      t.cutOff = !closed;
      return true;
    }
    if (l->token) add(l->token, l->bytes.size());
    else at += l->bytes.size();
    return true;
  }

  // Garbage is reported once a line.
  void stray() {
    unsigned char c = static_cast<unsigned char>(text[at]);
    if (at >= strayUntil) {
      char shown[8];
      if (c > 0x20 && c < 0x7f) std::snprintf(shown, sizeof shown, "%c", c);
      else std::snprintf(shown, sizeof shown, "\\%o", static_cast<unsigned>(c));
      diags.report(diag::stray_character, Range{Loc::at(at), Loc::at(at + 1)}) << shown;
      size_t end = text.find('\n', at);
      strayUntil = end == std::string_view::npos ? text.size() : end;
    }
    at++;
  }

  // ---- brackets -----------------------------------------------------------------------------------------------------

  // Depths are for error recovery, and guard against nesting that would exhaust the stack. A closing bracket
  // closes every '(' and '[' that was left open inside it.
  void brackets(Token &t) {
    switch (t.type) {
      case CilkLexer::LeftParen:
      case CilkLexer::LeftBracket:
      case CilkLexer::LeftBrace:
        t.depth = static_cast<uint32_t>(open.size());
        open.push_back({t.type, t.type == CilkLexer::LeftBrace && beginsInitializer()});
        if (open.size() > maxBracketDepth) {
          diags.report(diag::nested_too_deeply, t.range());
          out.tooDeep = true;
        }
        return;
      case CilkLexer::RightParen: close(CilkLexer::LeftParen); break;
      case CilkLexer::RightBracket: close(CilkLexer::LeftBracket); break;
      case CilkLexer::RightBrace: close(CilkLexer::LeftBrace); break;
      default: break;
    }
    t.depth = static_cast<uint32_t>(open.size());
    if (extensionDepth != none) endExtension(t);
  }

  // `__extension__` holds to the end of the expression, declaration or argument that it begins: to a ';' or ',' that is
  // in no bracket of it, or to the bracket around it. Those inside of it say nothing new.
  void endExtension(const Token &t) {
    bool separator = t.type == CilkLexer::Semicolon || t.type == CilkLexer::Comma;
    if (open.size() >= extensionDepth + (separator ? 1 : 0)) return;
    diags.extensionEnds(t.range().begin);
    extensionDepth = none;
  }

  // Does the '{' that was added last open an initialiser's list? Those of compound literals are known by '[]){', and
  // inside another list.
  bool beginsInitializer() const {
    size_t n = out.list.size() - 1;
    auto type = [&](size_t back) { return back <= n ? out.list[n - back].type : 0; };
    switch (type(1)) {
      case CilkLexer::Assign: return true;
      case CilkLexer::RightParen:
        if (type(2) == CilkLexer::RightBracket && type(3) == CilkLexer::LeftBracket) return true;
        [[fallthrough]];
      case CilkLexer::LeftBrace:
      case CilkLexer::Comma:
      case CilkLexer::RightBracket:
      case CilkLexer::Colon: return !open.empty() && open.back().initializer;
      default: return false;
    }
  }

  void close(uint16_t opener) {
    if (open.empty()) return;
    if (open.back().type == opener) {
      open.pop_back();
      return;
    }
    auto last = [&](auto end, uint16_t type) {
      return std::find_if(open.rbegin(), end, [type](const Open &o) { return o.type == type; });
    };
    auto brace = last(open.rend(), opener);
    // A ')' or ']' does not close a brace.
    if (opener != CilkLexer::LeftBrace && last(brace, CilkLexer::LeftBrace) != brace) return;
    if (brace != open.rend()) open.erase(std::prev(brace.base()), open.end());
  }

  // ---- lines that begin with # ------------------------------------------------------------------------------------

  void directive(size_t length) {
    Range range{Loc::at(at), Loc::at(at + length)};
    std::string_view line = trim(text.substr(at + 1, length - 1));
    at += length;
    lineStart = true;
    if (line.empty()) return;
    if (line[0] >= '0' && line[0] <= '9') {
      lineMarker(line);
      return;
    }
    if (classes.of[static_cast<unsigned char>(line[0])] != WordStart) {
      diags.report(diag::stray_character, Range{range.begin, Loc::at(range.begin.offset() + 1)}) << "#";
      return;
    }
    std::string_view rest = line, name = nextWord(rest);
    rest = trim(rest);
    if (name == "line") lineMarker(rest);
    else if (name == "pragma") pragma(rest, range);
    else if (name == "define") {
      std::string_view macro = nextWord(rest);
      if (rest.empty() || rest[0] != '(') macros[macro] = trim(rest);
    } else if (name == "undef") macros.erase(nextWord(rest));
    else if (name == "include" || name == "include_next" || name == "import" || name == "if" || name == "ifdef" ||
             name == "ifndef" || name == "else" || name == "elif" || name == "endif" || name == "error")
      diags.report(diag::not_preprocessed, range) << name;
    // '#ident' says nothing to us.
  }

  // '12 "file.h" 1 3': flag 1 enters the file, 2 comes back to it, 3 says that it is a system header.
  void lineMarker(std::string_view line) {
    size_t i = 0;
    while (i < line.size() && line[i] >= '0' && line[i] <= '9') i++;
    std::string_view rest = trim(line.substr(i));
    if (rest.empty() || rest[0] != '"') return;
    std::string name;
    for (i = 1; i < rest.size() && rest[i] != '"'; i++) {
      if (rest[i] == '\\' && i + 1 < rest.size()) i++;
      name += rest[i];
    }
    std::string_view flags = i < rest.size() ? rest.substr(i + 1) : std::string_view{};
    inSystem = flags.find('3') != std::string_view::npos;
    enterFile(name, flags.find('1') != std::string_view::npos);
  }

  // ---- Cilk or C --------------------------------------------------------------------------------------------------

  // The mode of a file follows from its name; a '#pragma lang' in it is remembered for when the text comes back to it.
  void enterFile(const std::string &name, bool included) {
    auto [it, fresh] = modes.try_emplace(name);
    if (fresh) {
      Dialect d = name == mainName ? lang.dialect : dialectOf(name).value_or(Dialect::C);  // -x beats the name
      if (isCilk(d)) it->second.cilk = d;
      if (isCilk(d) && included && forcedC) {
        diags.report(diag::cilk_file_in_c_mode, Loc::at(at)) << name;
        d = Dialect::C;
      }
      it->second.dialect = d;
    }
    file = &it->second;
    dialect = file->dialect;
    forcedC = file->forcedC;
  }

  void setMode(Dialect d) {
    file->dialect = dialect = d;
    file->forcedC = forcedC = d == Dialect::C;
  }

  // ---- pragmas ----------------------------------------------------------------------------------------------------

  void pragma(std::string_view body, Range range) {
    std::string_view rest = body, first = nextWord(rest);
    rest = trim(rest);
    if (first == "lang") {
      std::optional<Dialect> d = rest.empty() ? std::nullopt : dialectNamed(rest.substr(1));
      if (!d || (rest[0] != '+' && rest[0] != '-')) {
        std::string names;
        for (auto &known : kDialects)
          for (const char *sign : {"+", "-"})
            names += (names.empty() ? "'" : ", '") + (sign + std::string(known.pragma)) + "'";
        diags.report(diag::bad_pragma, range) << "lang" << names;
      } else if (rest[0] == '+') setMode(*d == Dialect::Cilk5 ? file->cilk : *d);  // Cilk is the one of the file's name
      else setMode(*d == Dialect::C ? file->cilk : before(*d));
      return;
    }
    if (first == "GCC" || first == "clang") {
      std::string_view what = rest, second = nextWord(what);
      if (second == "diagnostic") {
        std::string_view action = nextWord(what), option = trim(what);
        if (option.size() >= 2 && option.front() == '"' && option.back() == '"')
          option = option.substr(1, option.size() - 2);
        diags.pragma(range.begin, action, option);
        return;
      }
      if (second == "system_header") {
        inSystem = true;
        return;
      }
    }
    if (first == "cilk" && !macros.empty()) body = out.expanded.emplace_back(expanded(body, 0));
    out.pragmas.push_back({static_cast<uint32_t>(out.list.size()), body, range});
  }

  // The preprocessor replaces no macros in pragmas that it does not know. Those without parameters are replaced here,
  // where it left their definitions (cc -E -dD).
  std::string expanded(std::string_view text, int depth) const {
    std::string result;
    for (size_t i = 0, end; i < text.size(); i = end) {
      auto word = [&](size_t at) {
        return at < text.size() && (isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
      };
      for (end = i + 1; word(i) && word(end); end++) {}
      std::string_view part = text.substr(i, end - i);
      auto macro = macros.find(part);
      if (macro == macros.end() || depth > 20) result += part;
      else result += expanded(macro->second, depth + 1);
    }
    return result;
  }

  struct Mode {
    Dialect dialect = Dialect::C, cilk = Dialect::Cilk5;  // now; and which Cilk '+Cilk' means in this file
    bool forcedC = false;
  };

  std::string_view text;
  std::string mainName;
  const LangOptions &lang;
  DiagnosticEngine &diags;
  Tokens &out;
  Bytes bytes;
  CilkLexer lexer;
  antlr4::atn::LexerATNSimulator *simulator;
  bool shortCuts;
  size_t at = 0, strayUntil = 0;
  bool lineStart = true, inSystem = false, forcedC = false;
  Dialect dialect = Dialect::C;
  struct Open {
    uint16_t type;
    bool initializer;
  };
  std::vector<Open> open;
  static constexpr size_t none = SIZE_MAX;
  size_t extensionDepth = none;  // brackets that are open around the `__extension__` in force
  size_t noRunBefore = 0;
  std::unordered_map<std::string, Mode> modes;
  // without parameters; only where the preprocessor left them
  std::unordered_map<std::string_view, std::string_view> macros;
  Mode *file = nullptr;
};

}  // namespace

void lex(const SourceManager &sm, const LangOptions &lang, DiagnosticEngine &diags, Tokens &out, bool onlyGrammar) {
  Source(sm, lang, diags, out, onlyGrammar).run();
}

}  // namespace cilkc::parsing
