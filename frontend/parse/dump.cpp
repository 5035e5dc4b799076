// dump.cpp - prints tokens and parse trees, for people.
#include <ostream>
#include "frontend/parse/parse.h"
#include "frontend/parse/session.h"

namespace cilkc {

using namespace parsing;

namespace {

// Text on one line, long literals cut.
std::string shown(const Token &t) {
  std::string_view s = t.view();
  std::string r(s.substr(0, 200));
  for (char &c : r)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  if (s.size() > 200) r += "...";
  return r;
}

void print(Node *root, const Leaves &leaves, const CilkParser &parser, std::ostream &out) {
  // A stack instead of recursion: trees are as deep as the program nests.
  std::vector<std::pair<Node *, unsigned>> stack{{root, 0}};
  const auto &rules = parser.getRuleNames();
  while (!stack.empty()) {
    auto [n, depth] = stack.back();
    stack.pop_back();
    for (unsigned i = 0; i < depth && i < 100; i++) out << "  ";
    if (leaves.contains(n)) {
      out << '\'' << shown(*static_cast<Leaf *>(n)->token) << "'\n";
      continue;
    }
    Rule *r = static_cast<Rule *>(n);
    out << rules[r->getRuleIndex()] << (r->exception ? "  <error>" : "") << '\n';
    for (size_t i = r->children.size(); i-- > 0;) stack.emplace_back(r->children[i], depth + 1);
  }
}

}  // namespace

void dumpTokens(const SourceManager &sm, AstContext &cx, DiagnosticEngine &diags, std::ostream &out) {
  Session session(sm, cx.lang, diags);
  const antlr4::dfa::Vocabulary &vocabulary = session.parser.getVocabulary();
  for (Token &t : session.tokens.list) {
    Presumed p = sm.presumed(t.range().begin);
    out << (p.file ? p.file->name : sm.mainName()) << ':' << p.line << ':' << p.column << '\t';
    if (t.type == UINT16_MAX) {
      out << "end\n";
      break;
    }
    out << vocabulary.getSymbolicName(t.type) << (isCilk(t.dialect) ? "\tcilk\t" : "\tc\t") << shown(t) << '\n';
  }
}

void dumpTree(const SourceManager &sm, AstContext &cx, DiagnosticEngine &diags, std::ostream &out) {
  Session session(sm, cx.lang, diags);
  out << "translationUnit\n";
  session.run(
      [&](CilkParser::ExternalDeclarationContext *context) { print(context, session.leaves, session.parser, out); });
}

}  // namespace cilkc
