// decisions.cpp - what a token is where later tokens decide it: the decisions 2 to 4 at the top of CilkLexer.g4.
//
// One pass over the list of all tokens, which gives some of them another type. The list ends with a token that has no
// type of the grammar.
#include "CilkLexer.h"
#include "frontend/parse/lex.h"
#include "frontend/source/future_words.h"

namespace cilkc::parsing {

namespace {

class Decisions {
public:
  explicit Decisions(std::vector<Token> &tokens) : list(tokens) {}

  void run() {
    std::vector<size_t> contextual;
    for (size_t i = 0; i + 2 < list.size(); i++) {
      switch (list[i].type) {
        case CilkLexer::Abort:
        case CilkLexer::Sync: {
          // The C library's functions: called, or (abort) handed on as a value.
          bool passed = i > 0 &&
                        (list[i - 1].type == CilkLexer::LeftParen || list[i - 1].type == CilkLexer::Comma ||
                            list[i - 1].type == CilkLexer::And) &&
                        (list[i + 1].type == CilkLexer::RightParen || list[i + 1].type == CilkLexer::Comma);
          if (list[i + 1].type == CilkLexer::LeftParen || passed) list[i].type = CilkLexer::Identifier;
          break;
        }
        case CilkLexer::CilkSpawn:
          if (beginsStatement(list[i + 1].type)) list[i].type = CilkLexer::CilkSpawnBlock;
          break;
        case CilkLexer::Future:
        case CilkLexer::Touch: contextual.push_back(i); break;
        case CilkLexer::Atomic:
          if (list[i + 1].type == CilkLexer::LeftParen) list[i].type = CilkLexer::AtomicSpecifier;
          break;
        case CilkLexer::Cont:
          if (list[i + 1].type == CilkLexer::LeftParen) list[i].type = CilkLexer::ContSpecifier;
          break;
        case CilkLexer::Attribute:
          if (list[i + 1].type == CilkLexer::LeftParen && list[i + 2].type == CilkLexer::LeftParen &&
              attributeNames(i + 3))
            list[i].type = CilkLexer::StatementAttribute;
          break;
        case CilkLexer::Declspec:
          if (list[i + 1].type == CilkLexer::LeftParen) attributeNames(i + 2);
          break;
        case CilkLexer::LeftBracket:
          if (list[i + 1].type == CilkLexer::LeftBracket)
            list[i].type = attributeNames(i + 2) || beforeStatement(i) ? CilkLexer::StatementAttributeBracket
                                                                       : CilkLexer::AttributeBracket;
          break;
        default: break;
      }
    }
    if (!contextual.empty()) futures(contextual);
  }

private:
  // `future` and `touch` are names where a name is possible (future_words.h). In included C text they always are.
  void futures(const std::vector<size_t> &words) {
    auto at = [&](size_t i) { return i < list.size() ? list[i].view() : std::string_view(); };
    bool touchNamed = false, futureNamed = false;
    for (size_t i = 0; i < list.size(); i++) {
      if (!list[i].symbol && list[i].type != CilkLexer::Future && list[i].type != CilkLexer::Touch) continue;
      std::string_view word = list[i].view();
      touchNamed |= word == "touch" && touchIsName(at, i);
      futureNamed |= word == "future" && futureIsName(at, i);
    }
    for (size_t i : words)
      if (!(list[i].type == CilkLexer::Touch ? touchIsWord(at, i, touchNamed) : futureIsWord(at, i, futureNamed)))
        list[i].type = CilkLexer::Identifier;
  }

  // Does a statement alone belong here, after `if (..)` and the like?
  bool isSubstatement(size_t i) const {
    if (list[i - 1].type == CilkLexer::Else || list[i - 1].type == CilkLexer::Do) return true;
    if (list[i - 1].type != CilkLexer::RightParen) return false;
    size_t opens = i - 2;
    while (opens > 0 && !(list[opens].type == CilkLexer::LeftParen && list[opens].depth == list[i - 1].depth)) opens--;
    if (opens == 0) return false;
    switch (list[opens - 1].type) {
      case CilkLexer::If:
      case CilkLexer::Switch:
      case CilkLexer::While:
      case CilkLexer::For:
      case CilkLexer::CilkFor: return true;
      default: return false;
    }
  }

  // Does a statement begin here? A name begins a declaration if one can follow it there. `plain`: the attribute before
  // has no name, as no declaration needs it; then a name before '(' is called.
  bool isStatement(size_t i, bool plain) const {
    size_t type = list[i].type, next = list[i + 1].type;
    switch (type) {
      case CilkLexer::Case:
      case CilkLexer::Default:
      case CilkLexer::Asm:
      case CilkLexer::LeftParen:
      case CilkLexer::Number:
      case CilkLexer::CharacterConstant:
      case CilkLexer::StringLiteral: return true;
      case CilkLexer::Semicolon: return list[i].depth > 0;
      case CilkLexer::Identifier:
        if (next == CilkLexer::LeftParen) return plain;
        if (next == CilkLexer::LeftBracket) return list[i + 2].type != CilkLexer::LeftBracket;
        return next >= CilkLexer::Comma && next <= CilkLexer::OrAssign && next != CilkLexer::Star;
      default: return beginsStatement(type) || (type >= CilkLexer::Plus && type <= CilkLexer::Not);
    }
  }

  // Is this '[[' at the beginning of a block item or in its place, and does a statement or a label follow the last
  // ']]'?
  bool beforeStatement(size_t i) {
    if (i < 2) return false;
    bool again = i == afterAttribute, alone = again ? afterAlone : isSubstatement(i);
    switch (list[i - 1].type) {
      case CilkLexer::Semicolon:
      case CilkLexer::LeftBrace:
      case CilkLexer::RightBrace:
      case CilkLexer::Colon: break;
      default:
        if (!again && !alone) return false;  // again: one more of the same statement
    }
    size_t end = i, first = 0;
    bool plain = true;
    while (end + 1 < list.size() && list[end].type == CilkLexer::LeftBracket &&
           list[end + 1].type == CilkLexer::LeftBracket) {
      plain &= end + 2 < list.size() && list[end + 2].type == CilkLexer::RightBracket;
      uint32_t depth = list[end++].depth;
      while (end + 1 < list.size() && !(list[end].type == CilkLexer::RightBracket && list[end].depth == depth)) end++;
      end++;
      if (!first) first = end;
    }
    if (end + 1 >= list.size() || !(alone || isStatement(end, plain))) return false;
    afterAttribute = first;
    afterAlone = alone;
    return true;
  }

  // Decision 3. From the first name of an attribute list on: true if the first attribute is one of statements.
  bool attributeNames(size_t i) {
    std::string_view first = list[i].view();
    int depth = 0;
    bool named = false;
    for (; i < list.size(); i++) {
      Token &t = list[i];
      if (t.type == CilkLexer::LeftParen) depth++;
      else if (t.type == CilkLexer::RightParen || t.type == CilkLexer::RightBracket) {
        if (--depth < 0) break;
      } else if (t.type == UINT16_MAX || t.type == CilkLexer::Semicolon || t.type == CilkLexer::LeftBrace) break;
      else if (depth == 0 && t.symbol && !named) {
        t.type = CilkLexer::Identifier;
        named = true;
        continue;
      }
      if (depth == 0 && (t.type == CilkLexer::Comma || t.type == CilkLexer::Colon)) named = false;
    }
    for (std::string_view s :
        {"fallthrough", "__fallthrough__", "assume", "__assume__", "musttail", "likely", "unlikely"})
      if (first == s) return true;
    return false;
  }

  // A token that begins a statement, and no expression.
  static bool beginsStatement(size_t type) {
    switch (type) {
      case CilkLexer::LeftBrace:
      case CilkLexer::If:
      case CilkLexer::Switch:
      case CilkLexer::While:
      case CilkLexer::Do:
      case CilkLexer::For:
      case CilkLexer::CilkFor:
      case CilkLexer::CilkScope:
      case CilkLexer::Goto:
      case CilkLexer::Continue:
      case CilkLexer::Break:
      case CilkLexer::Return: return true;
      default: return false;
    }
  }

  std::vector<Token> &list;
  size_t afterAttribute = 0;  // index after the last '[[..]]' of a statement
  bool afterAlone = false;  // ... where a statement alone belongs
};

}  // namespace

void decideByContext(std::vector<Token> &tokens) { Decisions(tokens).run(); }

}  // namespace cilkc::parsing
