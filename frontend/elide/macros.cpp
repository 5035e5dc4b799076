// macros.cpp - see macros.h.
//
// The elision edits the user's text before the preprocessor runs. So `#x` of an edited argument gives another string
// than in the Cilk program. Also, `a##b` may give a Cilk word that the text does not show. Each invocation of a macro
// of the user's is expanded on raw tokens, as far as these two operators ask: parameters get the tokens of their
// arguments, macros that the body names are expanded in turn.
#include "frontend/elide/macros.h"
#include "diag/main.h"
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace cilkc {

namespace {

struct Token {
  const EditedText *text;
  size_t at;
  std::string_view spelling() const { return text->spelling(at); }
  bool edited() const {
    return text->tokens()[at].kind == RawKind::Identifier && text->replaced(text->tokens()[at].begin);
  }
};
using Tokens = std::vector<Token>;

struct Macro {
  bool takesArguments = false;
  std::vector<std::string_view> parameters;   // the last is __VA_ARGS__ of `...`
  Tokens body;
};

struct Fault {
  bool pasted;
  std::string word;
};

const std::unordered_set<std::string_view> words = {"spawn", "sync", "cilk", "inlet", "SYNCHED", "cilk_spawn",
    "cilk_sync", "cilk_scope", "cilk_for"};
constexpr int Deepest = 24;

class Macros {
public:
  void define(const EditedText &t, size_t first, size_t end) {
    size_t i = first + 3;
    Macro m;
    if (i < end && t.is(i, "(") && t.tokens()[i].begin == t.tokens()[i - 1].end) {
      m.takesArguments = true;
      for (++i; i < end && !t.is(i, ")"); ++i) {
        if (t.tokens()[i].kind == RawKind::Identifier) m.parameters.push_back(t.spelling(i));
        if (t.is(i, "...") && (i == first + 4 || t.is(i - 1, ","))) m.parameters.push_back("__VA_ARGS__");
      }
      ++i;
    }
    for (; i < end; ++i) m.body.push_back({&t, i});
    macros[t.spelling(first + 2)] = std::move(m);
  }

  // tokens[i] is a name. What is wrong with its expansion, and the index after the invocation.
  std::optional<Fault> invocation(const Tokens &tokens, size_t i, size_t &behind, int depth) const {
    behind = i + 1;
    auto it = macros.find(tokens[i].spelling());
    if (it == macros.end() || depth > Deepest) return {};
    const Macro &m = it->second;
    std::unordered_map<std::string_view, Tokens> values;
    if (m.takesArguments && !arguments(m, tokens, behind, values)) return {};
    return expansion(m, values, depth);
  }

private:
  std::unordered_map<std::string_view, Macro> macros;

  // The arguments from tokens[at] on, an opening parenthesis; false: there is none, or it is not closed.
  static bool arguments(const Macro &m, const Tokens &tokens, size_t &at,
      std::unordered_map<std::string_view, Tokens> &values) {
    size_t i = at, depth = 0, number = 0;
    if (i >= tokens.size() || tokens[i].spelling() != "(") return false;
    for (; i < tokens.size(); ++i) {
      std::string_view s = tokens[i].spelling();
      if ((s == "(" || s == "[" || s == "{") && depth++ == 0) continue;
      if ((s == ")" || s == "]" || s == "}") && --depth == 0) return at = i + 1, true;
      bool rest = number + 1 == m.parameters.size() && !m.parameters.empty() && m.parameters.back() == "__VA_ARGS__";
      if (s == "," && depth == 1 && !rest) ++number;
      else if (number < m.parameters.size()) values[m.parameters[number]].push_back(tokens[i]);
    }
    return false;
  }

  std::optional<Fault> expansion(const Macro &m, const std::unordered_map<std::string_view, Tokens> &values,
      int depth) const {
    Tokens out;                               // the body with its arguments, for what it invokes in turn
    const Tokens &b = m.body;
    auto argument = [&](size_t k) -> const Tokens * {
      auto it = k < b.size() ? values.find(b[k].spelling()) : values.end();
      return it == values.end() ? nullptr : &it->second;
    };
    for (size_t k = 0; k < b.size(); ++k) {
      if (m.takesArguments && b[k].spelling() == "#" && argument(k + 1)) {
        for (const Token &t : *argument(k + 1))
          if (t.edited()) return Fault{false, std::string(t.spelling())};
        ++k;
        continue;
      }
      if (k + 2 < b.size() && b[k + 1].spelling() == "##") {
        std::string made = end(argument(k), b[k], false);
        for (; k + 2 < b.size() && b[k + 1].spelling() == "##"; k += 2) made += end(argument(k + 2), b[k + 2], true);
        if (words.count(made)) return Fault{true, made};
        continue;
      }
      if (const Tokens *a = argument(k)) insert(out, *a, depth);
      else out.push_back(b[k]);
    }
    for (size_t i = 0, behind = 0; i < out.size(); i = behind)
      if (std::optional<Fault> f = invocation(out, i, behind, depth + 1)) return f;
    return {};
  }

  // An argument takes its place with its own macros expanded: those without arguments here, the others when the body is
  // read again.
  void insert(Tokens &out, const Tokens &argument, int depth) const {
    for (const Token &t : argument) {
      auto it = macros.find(t.spelling());
      if (it == macros.end() || it->second.takesArguments || depth > Deepest) out.push_back(t);
      else insert(out, it->second.body, depth + 1);
    }
  }

  // What an operand of ## brings: a token, or the last (or first) one of an argument.
  static std::string end(const Tokens *argument, const Token &written, bool first) {
    if (!argument) return std::string(written.spelling());
    return argument->empty() ? std::string() : std::string((first ? argument->front() : argument->back()).spelling());
  }
};

// A place in the preprocessed text that was made of this line of a file. Invalid: there is none, as in a branch of #if
// that is not taken.
Range placeOf(const SourceManager &sm, const SourceFile *file, uint32_t line, uint32_t column) {
  std::string_view text = sm.text();
  Range found;
  for (size_t at = 0; at < text.size();
      at = text.find('\n', at) == std::string_view::npos ? text.size() : text.find('\n', at) + 1) {
    if (text[at] == '#' || text[at] == '\n') continue;
    Presumed p = sm.presumed(Loc::at(at));
    if (p.file != file || p.line != line) continue;
    RawLexer lx(text, at, text.find('\n', at));
    for (RawToken t = lx.next(); t.kind != RawKind::End; t = lx.next()) {
      Range here{Loc::at(t.begin), Loc::at(t.end)};
      if (!found.valid()) found = here;
      if (sm.resolve(here.begin).column == column) return here;
    }
  }
  return found;
}

}  // namespace

void checkMacros(const std::vector<EditedFile> &files, const SourceManager &sm, DiagnosticEngine &diags) {
  Macros macros;
  auto directives = [&](const EditedText &t, auto directive, auto other) {
    for (size_t i = 0; i < t.tokens().size();) {
      if (!t.tokens()[i].lineStart || !t.is(i, "#")) {
        i = other(i);
        continue;
      }
      size_t end = i + 1;
      while (end < t.tokens().size() && !t.tokens()[end].lineStart) ++end;
      directive(i, end);
      i = end;
    }
  };
  for (const EditedFile &f : files)
    directives(
        *f.text,
        [&](size_t i, size_t end) {
          if (i + 2 < end && f.text->is(i + 1, "define")) macros.define(*f.text, i, end);
        },
        [](size_t i) { return i + 1; });
  for (const EditedFile &f : files) {
    const EditedText &t = *f.text;
    Tokens all;
    for (size_t i = 0; i < t.tokens().size(); ++i) all.push_back({&t, i});
    directives(
        t, [](size_t, size_t) {},
        [&](size_t i) {
          size_t behind = i + 1;
          if (t.tokens()[i].kind != RawKind::Identifier) return behind;
          std::optional<Fault> fault = macros.invocation(all, i, behind, 0);
          if (!fault) return behind;
          uint32_t begin = t.tokens()[i].begin, line = 1, column = begin + 1;
          for (uint32_t k = 0; k < begin; ++k)
            if (t.text()[k] == '\n') ++line, column = begin - k;
          Range where = placeOf(sm, f.source, line, column);
          if (where.valid())
            diags.report(fault->pasted ? diag::elide_paste : diag::elide_string, where) << t.spelling(i) << fault->word;
          return behind;
        });
  }
}

}  // namespace cilkc
