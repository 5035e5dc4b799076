// text.cpp - see text.h.
#include "frontend/elide/text.h"
#include <algorithm>

namespace cilkc {

EditedText::EditedText(std::string_view t) : whole(t) {
  RawLexer lx(whole);
  for (RawToken k = lx.next(); k.kind != RawKind::End; k = lx.next()) raw.push_back(k);
}

size_t EditedText::tokenAt(uint32_t offset) const {
  auto it = std::lower_bound(raw.begin(), raw.end(), offset, [](const RawToken &t, uint32_t o) { return t.begin < o; });
  return it != raw.end() && it->begin == offset ? static_cast<size_t>(it - raw.begin()) : npos;
}

size_t EditedText::closing(size_t i) const {
  size_t depth = 0;
  for (size_t k = i; k < raw.size(); ++k) {
    if (raw[k].end - raw[k].begin != 1) continue;
    char c = whole[raw[k].begin];
    if (c == '(' || c == '{' || c == '[') ++depth;
    if (c == ')' || c == '}' || c == ']')
      if (--depth == 0) return k;
  }
  return npos;
}

void EditedText::replace(uint32_t begin, uint32_t end, std::string with) {
  auto next = replacements.lower_bound(begin);
  if (next != replacements.end() && next->first < std::max(end, begin + 1)) return;
  if (next != replacements.begin() && std::prev(next)->second.end > begin) return;
  replacements.emplace(begin, Replacement{end, std::move(with)});
}

bool EditedText::replaced(uint32_t begin) const {
  auto next = replacements.upper_bound(begin);
  return next != replacements.begin() && (std::prev(next)->first == begin || std::prev(next)->second.end > begin);
}

void EditedText::override(uint32_t begin, uint32_t end, std::string with) {
  auto before = replacements.lower_bound(begin);
  if (before != replacements.begin() && std::prev(before)->second.end > begin) std::prev(before)->second.end = begin;
  replacements.erase(before, replacements.lower_bound(end));
  insertions.erase(insertions.lower_bound(begin), insertions.lower_bound(end));
  replacements.emplace(begin, Replacement{end, std::move(with)});
}

void EditedText::insert(uint32_t at, std::string text) { insertions.emplace(at, std::move(text)); }
void EditedText::moveAway(uint32_t begin, uint32_t end) { moved[begin] = end; }

void EditedText::erase(size_t i) {
  uint32_t b = raw[i].begin, e = raw[i].end;
  auto blank = [&](uint32_t at) { return whole[at] == ' ' || whole[at] == '\t'; };
  while (e < whole.size() && blank(e)) ++e;
  if (e >= whole.size() || whole[e] == '\n' || whole[e] == '\r') {
    // At the end of its line: the blanks before it go as well, but not the indentation of a line that is now empty but
    // for a continuation.
    while (b > 0 && blank(b - 1)) --b;
  }
  replace(b, e, "");
}

std::string EditedText::render(uint32_t begin, uint32_t end) const {
  std::string out;
  uint32_t at = begin;
  auto r = replacements.lower_bound(begin);
  auto i = insertions.lower_bound(begin);
  auto m = moved.lower_bound(begin);
  if (m != moved.end() && m->first == begin && m->second == end) ++m;  // it is the moved text itself that is wanted
  while (at < end) {
    uint32_t next = end;
    if (r != replacements.end()) next = std::min(next, r->first);
    if (i != insertions.end()) next = std::min(next, i->first);
    if (m != moved.end()) next = std::min(next, m->first);
    if (next > at) out.append(whole.substr(at, next - at)), at = next;
    if (at >= end) break;
    if (i != insertions.end() && i->first == at) {  // before what is moved away from here
      out += i->second;
      ++i;
    } else if (m != moved.end() && m->first == at) {
      at = std::max(at, m->second);
      while (r != replacements.end() && r->first < at) ++r;
      while (i != insertions.end() && i->first < at) ++i;
      ++m;
      while (m != moved.end() && m->first < at) ++m;
    } else if (r != replacements.end() && r->first == at) {
      out += r->second.text;
      at = std::max(at, r->second.end);
      ++r;
      while (i != insertions.end() && i->first < at) ++i;
      while (m != moved.end() && m->first < at) ++m;
    }
  }
  return out;
}

}  // namespace cilkc
