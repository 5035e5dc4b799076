// library.cpp - cuts a header into parts. Conditions on what is known about an elision are decided; any other
// conditional group is a part as a whole.
#include "frontend/elide/library.h"
#include <algorithm>
#include "frontend/source/rawlex.h"

namespace cilkc {

Library::Library(std::string_view text) {
  std::vector<RawToken> tokens;
  RawLexer lx(text);
  for (RawToken t = lx.next(); t.kind != RawKind::End; t = lx.next()) tokens.push_back(t);
  auto word = [&](size_t i) {
    return i < tokens.size() ? text.substr(tokens[i].begin, tokens[i].end - tokens[i].begin) : std::string_view();
  };
  auto lineEnd = [&](size_t i) {
    for (++i; i < tokens.size() && !tokens[i].lineStart; ++i) {}
    return i;
  };
  auto add = [&](size_t first, size_t end, std::vector<std::string> names) {
    Part p;
    p.text = std::string(text.substr(tokens[first].begin, tokens[end - 1].end - tokens[first].begin));
    p.names = std::move(names);
    for (size_t i = first; i < end; ++i)
      if (tokens[i].kind == RawKind::Identifier) p.uses.emplace_back(word(i));
    for (const std::string &n : p.names) byName[n].push_back(parts.size());
    parts.push_back(std::move(p));
  };
  // 1 true, 0 false, -1 unknown
  auto condition = [&](size_t i, size_t end) {
    std::string s;
    for (size_t k = i + 1; k < end; ++k) s += std::string(word(k)) + " ";
    if (s == "ifdef __CILK__ " || s == "ifdef __cplusplus " || s == "ifdef CILK_RACE ") return 0;
    if (s == "ifndef __CILK__ " || s == "ifndef __cplusplus " || s == "ifdef __GNUC__ " || s == "ifdef CILK_ELISION ")
      return 1;
    if (s.find("CILK_ELISION") != std::string::npos) return s.compare(0, 11, "if defined ") == 0 ? 1 : 0;
    if (s == "ifndef CILK_H ") return 1;
    return -1;
  };
  auto macroNames = [&](size_t first, size_t end) {
    std::vector<std::string> names;
    for (size_t k = first; k + 2 < end; ++k)
      if (word(k) == "#" && tokens[k].lineStart && word(k + 1) == "define") names.emplace_back(word(k + 2));
    return names;
  };
  std::vector<bool> groups;                       // of the decided conditions: is the present group taken?
  auto active = [&] { return std::all_of(groups.begin(), groups.end(), [](bool b) { return b; }); };
  for (size_t i = 0; i < tokens.size();) {
    if (word(i) == "#" && tokens[i].lineStart) {
      size_t end = lineEnd(i);
      std::string_view d = word(i + 1);
      if (d == "if" || d == "ifdef" || d == "ifndef") {
        int c = condition(i, end);
        if (c < 0) {
          size_t depth = 1, k = end;
          for (; k < tokens.size() && depth;
              k = k < tokens.size() && word(k) == "#" && tokens[k].lineStart ? lineEnd(k) : k + 1) {
            if (word(k) != "#" || !tokens[k].lineStart) continue;
            std::string_view n = word(k + 1);
            if (n == "if" || n == "ifdef" || n == "ifndef") ++depth;
            if (n == "endif") --depth;
          }
          if (active()) add(i, k, macroNames(i, k));
          i = k;
          continue;
        }
        groups.push_back(c == 1);
      } else if (d == "else" && !groups.empty()) {
        groups.back() = !groups.back();
      } else if (d == "endif" && !groups.empty()) {
        groups.pop_back();
      } else if (d == "define" && active() && word(i + 2) != "CILK_H") {
        add(i, end, {std::string(word(i + 2))});
      }
      i = end;
      continue;
    }
    if (!active()) {
      ++i;
      continue;
    }
    // A declaration: to its semicolon, or to the closing brace of a function.
    size_t first = i, depth = 0;
    std::vector<std::string> names;
    bool named = false, function = false;
    for (; i < tokens.size(); ++i) {
      std::string_view w = word(i);
      if (depth == 0 && (w == "(" || w == ";" || w == "[" || w == "=") && !named && i > first && word(i - 1) != "}")
        names.emplace_back(word(i - 1)), named = true;
      if (depth == 0 && (w == "struct" || w == "union" || w == "enum") && word(i + 2) == "{")
        names.emplace_back(word(i + 1)), named = true;
      if (depth == 0 && w == "{" && i > first && word(i - 1) == ")") function = true;
      if (w == "(" || w == "{" || w == "[") ++depth;
      if (w == ")" || w == "}" || w == "]") --depth;
      if (depth == 0 && (w == ";" || (w == "}" && function))) {
        ++i;
        break;
      }
    }
    add(first, i, std::move(names));
  }
}

std::string Library::needed(const std::unordered_set<std::string> &words) const {
  std::vector<bool> want(parts.size(), false);
  std::vector<size_t> work;
  auto take = [&](const std::string &w) {
    auto it = byName.find(w);
    if (it == byName.end()) return;
    for (size_t p : it->second)
      if (!want[p]) want[p] = true, work.push_back(p);
  };
  for (const std::string &w : words) take(w);
  while (!work.empty()) {
    size_t p = work.back();
    work.pop_back();
    for (const std::string &w : parts[p].uses) take(w);
  }
  std::string out;
  for (size_t p = 0; p < parts.size(); ++p)
    if (want[p]) out += parts[p].text + "\n";
  return out;
}

}  // namespace cilkc
