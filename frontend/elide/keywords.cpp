// keywords.cpp - `cilk`, `inlet`, `spawn`, `future`, `touch`, `shared` and `private` go; `sync` and `abort` leave their
// semicolon; SYNCHED becomes 1. Of OpenCilk's words `cilk_spawn` and `cilk_scope` go, and `cilk_reducer(..)` with its
// functions; `cilk_for` becomes `for`. Directives are left alone but for the bodies of macros; `#pragma lang` and
// `#pragma cilk` go. A `cilk` that stood for the type, too (`cilk main()`), becomes `int`; a procedure main that
// returns nothing becomes an int function, as C wants it.
#include "frontend/elide/keywords.h"
#include "frontend/source/future_words.h"
#include <unordered_set>

namespace cilkc {

namespace {

const std::unordered_set<std::string_view> specifiers = {"static", "extern", "inline", "__inline", "__inline__",
    "register", "auto", "const", "volatile", "__const", "__volatile__", "typedef", "cilk", "inlet", "shared", "private",
    "_Noreturn", "_Thread_local"};
const std::unordered_set<std::string_view> typeWords = {"void", "char", "short", "int", "long", "float", "double",
    "signed", "unsigned", "struct", "union", "enum", "_Bool", "_Complex", "typeof", "__typeof__", "__typeof",
    "__int128", "__signed__", "_BitInt", "_Atomic", "typeof_unqual", "__typeof_unqual__"};

class Keywords {
public:
  Keywords(EditedText &t, const KeywordOptions &o) : text(t), options(o) { setMode(o.dialect); }

  KeywordResult run() {
    const auto &tokens = text.tokens();
    for (size_t i = 0; i < tokens.size();) {
      if (tokens[i].lineStart && text.spelling(i) == "#") {
        size_t end = i + 1;
        while (end < tokens.size() && !tokens[end].lineStart) ++end;
        directive(i, end);
        i = end;
      } else {
        if ((cilk || options.openCilk) && !options.onlyIncludes && tokens[i].kind == RawKind::Identifier)
          word(i, tokens.size());
        ++i;
      }
    }
    return std::move(result);
  }

private:
  EditedText &text;
  const KeywordOptions &options;
  Dialect mode = Dialect::C;  // of the text at hand, which has the words of the dialects up to it
  bool cilk = false;
  KeywordResult result;

  void setMode(Dialect d) {
    mode = d;
    cilk = isCilk(d);
  }

  void directive(size_t first, size_t end) {
    const auto &tokens = text.tokens();
    if (first + 1 >= end) return;
    std::string_view name = text.spelling(first + 1);
    if (options.onlyIncludes &&
        (name == "define" || (name == "pragma" && first + 2 < end && text.is(first + 2, "lang"))))
      return;
    if (name == "define" && first + 2 < end) {
      size_t i = first + 3;
      if (i < end && text.is(i, "(") && tokens[i].begin == tokens[i - 1].end) {  // the parameters
        while (i < end && !text.is(i, ")")) ++i;
        ++i;
      }
      for (; i < end; ++i)
        if (tokens[i].kind == RawKind::Identifier) word(i, end, true);
    } else if (name == "include" || name == "include_next" || name == "import") {
      include(first, end);
    } else if (name == "pragma" && first + 2 < end) {
      std::string_view what = text.spelling(first + 2);
      if (what == "lang") {
        std::string mode;
        for (size_t i = first + 3; i < end; ++i) mode += text.spelling(i);
        std::optional<Dialect> d = mode.empty() ? std::nullopt : dialectNamed(std::string_view(mode).substr(1));
        Dialect own = isCilk(options.dialect) ? options.dialect : Dialect::Cilk5;
        // as the lexer has it
        if (d) setMode(mode[0] == '+' ? (*d == Dialect::Cilk5 ? own : *d) : *d == Dialect::C ? own : before(*d));
        text.replace(tokens[first].begin, tokens[end - 1].end, "");
      } else if (what == "once" || (what == "GCC" && first + 3 < end && text.is(first + 3, "system_header"))) {
        result.onces.emplace_back(tokens[first].begin, tokens[end - 1].end);
      } else if (what == "cilk" && !options.onlyIncludes) {  // of a loop: `#pragma cilk grainsize 10`
        text.replace(tokens[first].begin, tokens[end - 1].end, "");
      }
    }
  }

  void include(size_t first, size_t end) {
    const auto &tokens = text.tokens();
    if (first + 2 >= end) return;
    IncludeLine line;
    line.begin = tokens[first].begin;
    line.end = tokens[end - 1].end;
    std::string_view rest = text.text().substr(tokens[first + 2].begin, line.end - tokens[first + 2].begin);
    if (rest.size() < 2 || (rest[0] != '"' && rest[0] != '<')) return;
    line.quoted = rest[0] == '"';
    size_t close = rest.find(line.quoted ? '"' : '>', 1);
    if (close == std::string_view::npos) return;
    line.name = std::string(rest.substr(1, close - 1));
    line.end = tokens[first + 2].begin + static_cast<uint32_t>(close) + 1;
    result.includes.push_back(std::move(line));
  }

  // inMacro: in a macro's body, where the text around the word is not known, and where C mode hides the common words
  // only. The token before i ends a statement, or a statement follows it.
  bool beginsStatement(size_t i) const {
    if (i == 0) return false;
    for (std::string_view before : {";", "{", "}", "else", "do", ":"})
      if (text.is(i - 1, before)) return true;
    if (!text.is(i - 1, ")")) return false;
    size_t depth = 0, k = i;
    do {
      --k;
      depth += text.is(k, ")");
      depth -= text.is(k, "(");
    } while (depth && k > 0);
    return k > 0 &&
           (text.is(k - 1, "if") || text.is(k - 1, "while") || text.is(k - 1, "for") || text.is(k - 1, "switch"));
  }

  // `sync;` and its like: a semicolon is left.
  void emptyStatement(size_t i, size_t end, bool inMacro) {
    const RawToken &t = text.tokens()[i];
    if (inMacro && !text.is(i - 1, "{") && !text.is(i - 1, ";")) {
      // perhaps the only statement of an if: the semicolon may be elsewhere
      text.replace(t.begin, t.end, "(void)0");
    } else if (i + 1 < end && text.is(i + 1, ";") && i > 0 &&
               (text.is(i - 1, ")") || text.is(i - 1, "else") || text.is(i - 1, "do"))) {
      // The only statement of an if, an else or a loop: a lone semicolon there gets a warning.
      const RawToken &semicolon = text.tokens()[i + 1];
      text.replace(t.begin, t.end, "{");
      text.replace(semicolon.begin, semicolon.end, semicolon.begin == t.end ? " }" : "}");
    } else {
      text.erase(i);
    }
  }

  // A word of OpenCilk?
  bool openCilkWord(size_t i, size_t end, bool inMacro) {
    std::string_view w = text.spelling(i);
    const RawToken &t = text.tokens()[i];
    if (w == "_Pragma" && i + 3 < end && text.is(i + 1, "(") && text.spelling(i + 2).starts_with("\"cilk ")) {
      text.replace(t.begin, text.tokens()[i + 3].end, "");
      return result.usedCilkWords = true;
    }
    // of a reducer; gcc has it in C++ only
    if (w == "__builtin_addressof") return text.replace(t.begin, t.end, "&"), true;
    if (w == "_Hyperobject") w = "cilk_reducer";
    else if (w.starts_with("_Cilk_")) w.remove_prefix(1);
    else if (!w.starts_with("cilk_")) return false;
    w.remove_prefix(5);
    if (w == "reducer" && i + 1 < end && text.is(i + 1, "(")) {
      size_t close = text.closing(i + 1);
      if (close < end) text.replace(t.begin, text.tokens()[close].end, "");
    } else if (w == "sync") emptyStatement(i, end, inMacro);
    else if (w == "for") text.replace(t.begin, t.end, "for");
    else if (w == "spawn" || w == "scope") text.erase(i);
    else return false;
    return result.usedCilkWords = true;
  }

  void word(size_t i, size_t end, bool inMacro = false) {
    std::string_view w = text.spelling(i);
    const RawToken &t = text.tokens()[i];
    if (options.openCilk && !text.replaced(t.begin) && openCilkWord(i, end, inMacro)) return;
    if (options.renameMain && w == "cilk_main") return text.replace(t.begin, t.end, "main");
    if (mode >= Dialect::Cilk1 && w == "cont") return continuation(i, end);
    auto at = [&](size_t k) { return k < end ? text.spelling(k) : std::string_view(); };
    if ((options.future && w == "future" && futureIsWord(at, i, false)) ||
        (options.touch && w == "touch" && touchIsWord(at, i, false))) {
      if (text.replaced(t.begin)) return;
      // a statement that is a value gets a warning
      if (w == "touch" && beginsStatement(i)) text.replace(t.begin, t.end, "(void)");
      else text.erase(i);
      result.usedCilkWords = true;
      return;
    }
    bool everywhere = w == "spawn" || w == "cilk" || w == "inlet" || w == "SYNCHED";
    if (!everywhere && (!cilk || (w != "sync" && w != "abort" && w != "shared" && w != "private"))) return;
    if (!cilk && !inMacro) return;
    if (text.replaced(t.begin)) return;
    if (w == "SYNCHED") {
      text.replace(t.begin, t.end, "1");
    } else if (w == "sync" || w == "abort") {
      bool called = i + 1 < end && text.is(i + 1, "(");
      bool passed = i > 0 && i + 1 < end && (text.is(i - 1, "(") || text.is(i - 1, ",") || text.is(i - 1, "&")) &&
                    (text.is(i + 1, ")") || text.is(i + 1, ","));
      if (called || passed) return;
      emptyStatement(i, end, inMacro);
    } else if (w == "cilk" && implicitInt(i, end)) {
      text.replace(t.begin, t.end, "int");
    } else {
      if (w == "cilk") voidMain(i);
      text.erase(i);
    }
    result.usedCilkWords = true;
  }

  // `cont T`: all continuations are of one type in C.
  void continuation(size_t i, size_t end) {
    const auto &tokens = text.tokens();
    if (text.replaced(tokens[i].begin)) return;
    size_t k = i + 1;
    auto group = [&] { return k < end && text.is(k, "(") ? text.closing(k) + 1 : k; };
    if (k < end && text.is(k, "(")) k = group();
    else {
      bool type = false;
      for (; k < end && tokens[k].kind == RawKind::Identifier; ++k) {
        std::string_view w = text.spelling(k);
        bool tagged = w == "struct" || w == "union" || w == "enum";
        if (!tagged && !specifiers.count(w) && !typeWords.count(w)) {
          if (type) break;  // the name that is declared
          type = true;  // a typedef name
          continue;
        }
        type = type || typeWords.count(w);
        if (tagged) k += text.is(k + 1, "{") ? 0 : 1;
        if (tagged && text.is(k + 1, "{")) k = text.closing(k + 1);
        if (w.find("typeof") != std::string_view::npos && text.is(k + 1, "(")) k = text.closing(k + 1);
      }
    }
    if (k > end) return;
    text.replace(tokens[i].begin, tokens[k - 1].end, "cilk_cont");
    result.usedCilkWords = true;
  }

  // `cilk f(…)`: no type among the specifiers around the word.
  bool implicitInt(size_t i, size_t end) const {
    for (size_t k = i; k-- > 0;) {
      if (text.tokens()[k + 1].lineStart && directiveAt(k)) break;
      std::string_view w = text.spelling(k);
      if (specifiers.count(w)) {
        if (w == "cilk") return false;  // said twice: the first one counts
        continue;
      }
      if (w == "}") {  // of a struct, union or enum: a type
        size_t open = k, depth = 0;
        for (;; --open) {
          if (text.is(open, "}")) ++depth;
          if (text.is(open, "{") && --depth == 0) break;
          if (open == 0) return true;
        }
        for (size_t b = 1; b <= 2 && b <= open; ++b)
          if (text.is(open - b, "struct") || text.is(open - b, "union") || text.is(open - b, "enum")) return false;
      }
      // after a type, or a qualifier of a pointer
      if (w == "*" || text.tokens()[k].kind == RawKind::Identifier) return false;
      break;
    }
    size_t k = i + 1;
    while (k < end && specifiers.count(text.spelling(k))) ++k;
    if (k + 1 >= end) return false;
    std::string_view w = text.spelling(k);
    if (w == "*") return true;
    if (text.tokens()[k].kind != RawKind::Identifier || typeWords.count(w) || w == "__attribute__" ||
        w == "__extension__")
      return false;
    return text.is(k + 1, "(") && !text.is(k + 2, "*");
  }

  // Does the token belong to a directive?
  bool directiveAt(size_t k) const {
    while (k > 0 && !text.tokens()[k].lineStart) --k;
    return text.is(k, "#");
  }

  // `cilk void main(…) { … }`: C's main returns int.
  void voidMain(size_t i) {
    size_t k = i + 1, type = EditedText::npos;
    while (k < text.tokens().size() && (specifiers.count(text.spelling(k)) || text.is(k, "void"))) {
      if (text.is(k, "void")) type = k;
      ++k;
    }
    for (size_t b = i;
        b-- > 0 && type == EditedText::npos && (specifiers.count(text.spelling(b)) || text.is(b, "void"));)
      if (text.is(b, "void")) type = b;
    if (type == EditedText::npos || !(text.is(k, "main") || text.is(k, "cilk_main")) || !text.is(k + 1, "(")) return;
    size_t close = text.closing(k + 1);
    if (close == EditedText::npos) return;
    const RawToken &v = text.tokens()[type];
    text.replace(v.begin, v.end, "int");
    size_t open = close + 1;
    // declarations of parameters may come between
    while (open < text.tokens().size() && !text.is(open, "{") && !text.is(open, ";")) ++open;
    while (open < text.tokens().size() && text.is(open, ";")) {
      ++open;
      if (!text.is(open, "{")) return;
    }
    if (!text.is(open, "{")) return;
    size_t last = text.closing(open);
    for (size_t r = open; last != EditedText::npos && r + 1 < last; ++r)
      if (text.is(r, "return") && text.is(r + 1, ";")) text.insert(text.tokens()[r].end, " 0");
  }
};

}  // namespace

KeywordResult elideKeywords(EditedText &text, const KeywordOptions &options) { return Keywords(text, options).run(); }

}  // namespace cilkc
