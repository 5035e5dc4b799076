// thread_errors.cpp - syntax errors in the words of Cilk-1: idioms of the paper that are not the language.
//
// The tokens around the one at which the parser stopped are compared with what was likely meant. The table has the
// spellings in more words than one; the rest is about '?' and 'cont', which come first.
#include "CilkParser.h"
#include "frontend/parse/parser.h"
#include "diag/cilk1.h"

namespace cilkc::parsing {

namespace {

struct Mistake {
  std::string_view written[3];     // the last may be empty
  std::string_view meant;
};
constexpr Mistake spellings[] = {
    {{"spawn", "next"}, "spawn_next"},
    {{"spawn", "-", "next"}, "spawn_next"},
    {{"tail", "call"}, "tail_call"},
    {{"tail", "-", "call"}, "tail_call"},
    {{"tail", "spawn"}, "tail_call"},
    {{"send", "argument"}, "send_argument"},
};

// Does an expression go on after this token, so that a '?' there begins an operand?
bool wantsOperand(const Token &t) {
  switch (t.type) {
    case CilkParser::LeftParen:
    case CilkParser::Comma:
    case CilkParser::Assign:
    case CilkParser::LeftBrace:
    case CilkParser::Semicolon:
    case CilkParser::Return: return true;
    default: return false;
  }
}

bool isNameToken(const Token &t) { return t.type == CilkParser::Identifier || t.type == CilkParser::TypedefName; }

}  // namespace

bool Parser::threadSpelling(Token &offending) {
  size_t i = offending.index;
  auto before = [&](size_t back) -> Token & { return stream[i >= back ? i - back : 0]; };
  for (size_t from = i >= 3 ? i - 3 : 0; from <= i; from++)
    for (const Mistake &s : spellings) {
      size_t n = 0;
      while (n < 3 && !s.written[n].empty() && stream[from + n].view() == s.written[n]) n++;
      if ((n < 3 && !s.written[n].empty()) || from + n < i) continue;
      Range where{stream[from].range().begin, stream[from + n - 1].range().end};
      diags.report(diag::thread_spelling, where).fixit(where, std::string(s.meant)) << "'" + std::string(s.meant) + "'";
      return true;
    }
  Token &last = before(1);
  if (offending.type == Question && wantsOperand(last)) {
    diags.report(diag::hole_outside, offending.range())
        .note(offending.range(),
            "`spawn_next T(.., ?k, ..);` makes k the continuation for an argument of T that comes later");
  } else if (last.type == Question && (offending.type == Comma || offending.type == RightParen)) {
    if (isNameToken(before(2)) && wantsOperand(before(3)))
      diags.report(diag::thread_spelling, Range::join(before(2).range(), last.range()))
          << "'?" + std::string(before(2).view()) + "': the '?' comes first";
    else
      diags.report(diag::hole_not_lvalue, last.range())
          .note(last.range(), "declare `cont int x;` with the type of the argument, and write `?x`");
  } else if (offending.type == Cont && isNameToken(last)) {
    diags.report(diag::thread_spelling, offending.range())
        << "'cont int " + std::string(last.view()) + "': 'cont' precedes the type";
  } else if (last.type == Cont ||
             (isNameToken(last) && before(2).type == Cont && offending.type != Semicolon && offending.type != Comma &&
                 offending.type != Assign && offending.type != RightParen && offending.type != LeftBracket &&
                 offending.type != RightBracket && offending.type >= Auto)) {
    diags.report(diag::cont_without_type, before(last.type == Cont ? 1 : 2).range());
  } else if (last.type == SendArgument) {
    diags.report(diag::thread_spelling, Range::join(last.range(), offending.range()))
        << "`send_argument(k, value);`, with parentheses";
  } else return false;
  return true;
}

}  // namespace cilkc::parsing
