// words.cpp - the table of words, and which words are keywords.
//
// The dictionary itself is mode WORDS of grammar/CilkLexer.g4: the literal names of the lexer's vocabulary are the
// plain spellings. Here are GNU's other spellings, and the conditions under which a word counts.
#include <algorithm>
#include <iterator>
#include "CilkLexer.h"
#include "frontend/parse/lex.h"

namespace cilkc::parsing {

namespace {

// One 32-bit step per eight bytes would do, too; words are short.
uint32_t hashOf(std::string_view s) {
  uint32_t h = 2166136261u;
  for (unsigned char c : s) h = (h ^ c) * 16777619u;
  return h ^ (h >> 15);
}

struct Spelling {
  const char *text;
  uint16_t type;
};

constexpr Spelling gnuSpellings[] = {
    {"__const", CilkLexer::Const},
    {"__const__", CilkLexer::Const},
    {"__volatile", CilkLexer::Volatile},
    {"__volatile__", CilkLexer::Volatile},
    {"__restrict", CilkLexer::Restrict},
    {"__restrict__", CilkLexer::Restrict},
    {"__signed", CilkLexer::Signed},
    {"__signed__", CilkLexer::Signed},
    {"__inline", CilkLexer::Inline},
    {"__inline__", CilkLexer::Inline},
    {"__asm", CilkLexer::Asm},
    {"__asm__", CilkLexer::Asm},
    {"__typeof", CilkLexer::Typeof},
    {"__typeof__", CilkLexer::Typeof},
    {"__typeof_unqual", CilkLexer::TypeofUnqual},
    {"__typeof_unqual__", CilkLexer::TypeofUnqual},
    {"__attribute", CilkLexer::Attribute},
    {"__alignof", CilkLexer::GnuAlignof},
    {"__complex", CilkLexer::Complex},
    {"__complex__", CilkLexer::Complex},
    {"__real", CilkLexer::Real},
    {"__imag", CilkLexer::Imag},
    {"__extension__", extensionWord},
    {"_Cilk_for", CilkLexer::CilkFor},
    {"_Cilk_scope", CilkLexer::CilkScope},
    {"_Cilk_spawn", CilkLexer::CilkSpawn},
    {"_Cilk_sync", CilkLexer::CilkSync},
    {"_Hyperobject", CilkLexer::CilkReducer},
    // Marks in the headers of Cilk-5's runtime; they say nothing to us.
    {"__nooutput__", dropWord},
    {"__cilkonly__", dropWord},
    {"__cilksafe__", dropWord},
};

// The modes of the grammar whose words are keywords in one dialect's text, and in that of those after it.
struct Mode {
  size_t mode;
  Dialect dialect;
};
constexpr Mode modes[] = {{CilkLexer::CILK5, Dialect::Cilk5}, {CilkLexer::OPENCILK, Dialect::Cilk5},
    {CilkLexer::CILK1, Dialect::Cilk1}};

constexpr Spelling c2xSpellings[] = {
    {"alignas", CilkLexer::Alignas},
    {"alignof", CilkLexer::Alignof},
    {"bool", CilkLexer::Bool},
    {"static_assert", CilkLexer::StaticAssert},
    {"thread_local", CilkLexer::ThreadLocal},
};

bool counts(size_t type, const LangOptions &lang) {
  switch (type) {
    case CilkLexer::Inline: return lang.gnu || lang.std >= LangOptions::C99;
    case CilkLexer::Restrict: return lang.std >= LangOptions::C99;
    case CilkLexer::Asm: return lang.gnu;
    case CilkLexer::Typeof: return lang.gnu || lang.std >= LangOptions::C2x;
    case CilkLexer::TypeofUnqual:
    case CilkLexer::Constexpr:
    case CilkLexer::False:
    case CilkLexer::True:
    case CilkLexer::Nullptr: return lang.std >= LangOptions::C2x;
    default: return true;
  }
}

}  // namespace

Words::Words() : entries(1), table(4096) { entries.reserve(2048); }

Symbol Words::number(std::string_view s) {
  uint32_t h = hashOf(s);
  size_t mask = table.size() - 1;
  for (size_t i = h & mask;; i = (i + 1) & mask) {
    Symbol n = table[i];
    if (!n) {
      n = static_cast<Symbol>(entries.size());
      entries.push_back({s, h, 0, Dialect::C});
      table[i] = n;
      if (entries.size() * 2 > table.size()) grow();
      return n;
    }
    if (entries[n].hash == h && entries[n].text == s) return n;
  }
}

void Words::grow() {
  std::vector<Symbol> bigger(table.size() * 4);
  size_t mask = bigger.size() - 1;
  for (Symbol n = 1; n < entries.size(); n++) {
    size_t i = entries[n].hash & mask;
    while (bigger[i]) i = (i + 1) & mask;
    bigger[i] = n;
  }
  table.swap(bigger);
}

// The plain spellings, by token type, taken out of their quotes once.
static const std::vector<std::string> &plainSpellings() {
  static const std::vector<std::string> spellings = [] {
    CilkLexer lexer(nullptr);
    const antlr4::dfa::Vocabulary &vocabulary = lexer.getVocabulary();
    std::vector<std::string> list(vocabulary.getMaxTokenType() + 1);
    for (size_t type = CilkLexer::Auto; type < list.size(); type++) {
      std::string literal = vocabulary.getLiteralName(type);
      if (literal.size() > 2) list[type] = literal.substr(1, literal.size() - 2);
    }
    return list;
  }();
  return spellings;
}

// The mode of the grammar that has the word, by token type.
static size_t modeOfWord(size_t type) {
  static const std::vector<size_t> found = [] {
    CilkLexer lexer(nullptr);
    const antlr4::atn::ATN &atn = lexer.getATN();
    std::vector<size_t> list(lexer.getVocabulary().getMaxTokenType() + 1);
    for (size_t mode = 0; mode < atn.modeToStartState.size(); mode++)
      for (const auto &rule : atn.modeToStartState[mode]->transitions)
        list[atn.ruleToTokenType[rule->target->ruleIndex]] = mode;
    return list;
  }();
  return type < found.size() ? found[type] : 0;
}

Dialect dialectOfWord(size_t type) {
  for (auto [mode, dialect] : modes)
    if (mode == modeOfWord(type)) return dialect;
  return Dialect::C;
}

std::vector<std::string_view> wordsOf(Dialect dialect) {
  std::vector<std::string_view> list;
  const std::vector<std::string> &spellings = plainSpellings();
  for (size_t type = 0; type < spellings.size(); type++)
    if (!spellings[type].empty() && dialectOfWord(type) == dialect) list.emplace_back(spellings[type]);
  return list;
}

bool isKeywordOfC23(std::string_view word) {
  for (const Spelling &s : c2xSpellings)
    if (word == s.text) return true;
  for (std::string_view plain : {"constexpr", "false", "nullptr", "true", "typeof_unqual"})
    if (word == plain) return true;
  return false;
}

void enterKeywords(Words &words, const LangOptions &lang) {
  auto enter = [&](std::string_view text, uint16_t type, Dialect since) {
    Words::Entry &e = words.entry(words.number(text));
    e.keyword = type;
    e.since = since;
  };
  const std::vector<std::string> &spellings = plainSpellings();
  auto since = [&](uint16_t type) {
    return lang.openCilk && modeOfWord(type) == CilkLexer::OPENCILK ? Dialect::C : dialectOfWord(type);
  };
  for (uint16_t type = CilkLexer::Auto; type < spellings.size(); type++)
    if (!spellings[type].empty() && counts(type, lang)) enter(spellings[type], type, since(type));
  for (auto [text, type] : gnuSpellings) enter(text, type, since(type));
  if (lang.std >= LangOptions::C2x)
    for (auto [text, type] : c2xSpellings) enter(text, type, Dialect::C);
}

}  // namespace cilkc::parsing
