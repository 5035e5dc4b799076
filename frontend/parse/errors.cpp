// errors.cpp - syntax errors in C's words, and recovery from them.
//
// One mistake, one error. So a missing ';' or ')' that is plain from what follows is taken as written; a name
// where only a type is possible is declared to be a type, and the construct is read again; anything else ends the
// statement, member or external declaration it is in, and its tokens are skipped by bracket depth (Token::depth), not
// by guessing.
#include <string>
#include "frontend/source/dialects.h"
#include "frontend/source/headers.h"
#include "frontend/parse/error_strategy.h"
#include "frontend/parse/lex.h"
#include "diag/cilk.h"
#include "diag/parse.h"

namespace cilkc::parsing {

namespace {

using P = CilkParser;

std::string quoted(const Token &t) {
  if (t.type == UINT16_MAX) return "end of input";
  if (t.type == P::StringLiteral) return "string literal";
  std::string_view s = t.view();
  if (s.size() > 40) return "'" + std::string(s.substr(0, 37)) + "...'";
  return "'" + std::string(s) + "'";
}

// What the rule was about to read, as one would say it.
const char *wanted(size_t rule) {
  switch (rule) {
    case P::RuleTranslationUnit:
    case P::RuleExternalDeclaration: return "declaration";
    case P::RuleDeclaration:
    case P::RuleDeclarators:
    case P::RuleInitDeclarator:
    case P::RuleDeclarator:
    case P::RuleDirectDeclarator:
    case P::RuleImplicitIntDeclaration:
    case P::RuleImplicitIntDeclarator:
    case P::RuleImplicitLooseDeclarator:
    case P::RuleLooseDeclarator:
    case P::RuleLooseDirectDeclarator:
    case P::RuleLooseParentheses:
    case P::RuleStructDeclarator:
    case P::RuleOldStyleParameters: return "identifier or '('";
    case P::RuleDeclaratorsRest: return "'=', ',', ';' or a function body";
    case P::RuleTypeSpecifiers:
    case P::RuleTypeSpecifier:
    case P::RuleTypeName:
    case P::RuleUnderlyingType: return "type name";
    case P::RuleStructSpecifier:
    case P::RuleEnumSpecifier: return "identifier or '{'";
    case P::RuleStructBody:
    case P::RuleStructMember: return "member declaration";
    case P::RuleEnumBody:
    case P::RuleEnumerator:
    case P::RuleIdentifierList:
    case P::RuleLocalLabels: return "identifier";
    case P::RuleParameter:
    case P::RuleParameterList:
    case P::RuleFunctionSuffix: return "parameter declaration";
    case P::RuleAttributeList:
    case P::RuleAttributeItem: return "attribute name";
    case P::RuleDesignator: return "member name";
    case P::RuleBlockItem:
    case P::RuleStatement:
    case P::RuleUnlabelledStatement:
    case P::RuleCompoundStatement:
    case P::RuleLabel: return "statement";
    case P::RuleJumpStatement:
    case P::RuleAsmLabels: return "label name";
    case P::RulePostfix:
    case P::RuleOffsetofDesignator: return "member name";
    case P::RuleGenericAssociation: return "type name or 'default'";
    case P::RuleStringLiteral:
    case P::RuleAsmOperand:
    case P::RuleAsmOperands:
    case P::RuleAsmClobbers:
    case P::RuleAsmStatement: return "string literal";
    default: return "expression";
  }
}

// What a missing ';' would have ended.
std::string ended(size_t rule, const Token &first) {
  switch (rule) {
    case P::RuleExpressionStatement: return "expression";
    case P::RuleStructMember: return "member declaration";
    case P::RuleDoStatement: return "do-while statement";
    case P::RuleAsmStatement:
    case P::RuleAsmDeclaration: return "asm";
    case P::RuleStaticAssert: return "static assertion";
    case P::RuleForStatement: return "part of 'for'";
    case P::RuleJumpStatement:
    case P::RuleCilkStatement:
      return quoted(first) + (first.type == P::Return || first.type == P::Goto ? " statement" : "");
    default: return "declaration";
  }
}

const antlr4::misc::IntervalSet &firstOf(size_t rule) {
  const antlr4::atn::ATN &atn = CilkParser(nullptr).getATN();
  return atn.nextTokens(atn.ruleToStartState[rule]);
}

// A keyword that only a statement begins with, or a word of Cilk that it may begin with.
bool beginsStatement(size_t type) {
  static const antlr4::misc::IntervalSet statement = firstOf(P::RuleStatement), expression = firstOf(P::RuleExpression);
  return type >= P::Auto && type != UINT16_MAX && statement.contains(type) &&
         (!expression.contains(type) || dialectOfWord(type) != Dialect::C);
}

bool beginsDeclaration(size_t type) {
  switch (type) {
    case P::Typedef:
    case P::Extern:
    case P::Static:
    case P::Struct:
    case P::Union:
    case P::Enum:
    case P::Void:
    case P::Char:
    case P::Short:
    case P::Int:
    case P::Long:
    case P::Float:
    case P::Double:
    case P::Unsigned:
    case P::Signed:
    case P::Const:
    case P::Cilk:
    case P::CilkThread:
    case P::Cont:
    case P::Inlet:
    case P::Inline:
    case P::Bool: return true;
    default: return false;
  }
}

bool isName(const Token &t) { return t.type == P::Identifier || t.type == P::TypedefName; }

std::string_view cilkWordLike(const Token &name) {
  for (auto &dialect : kDialects)
    if (isCilk(dialect.dialect) && dialect.dialect <= name.dialect)
      for (std::string_view word : wordsOf(dialect.dialect))
        if (misspells(name.view(), word)) return word;
  return {};
}

// fib.c -> fib.cilk, tree.h -> tree.cilkh
std::string asCilkFile(std::string name) {
  bool header = name.ends_with(".h");
  if (size_t slash = name.rfind('/'); slash != name.npos) name.erase(0, slash + 1);
  if (size_t dot = name.rfind('.'); dot != name.npos && dot) name.erase(dot);
  return name + (header ? ".cilkh" : ".cilk");
}

}  // namespace

bool misspells(std::string_view name, std::string_view word) {
  if (name.size() > word.size() + 1 || word.size() > name.size() + 1 || name == word) return false;
  size_t i = 0;
  while (i < name.size() && i < word.size() && name[i] == word[i]) i++;
  std::string_view a = name.substr(i), b = word.substr(i);
  if (a.size() == b.size())
    return a.substr(1) == b.substr(1) || (a.size() > 1 && a[0] == b[1] && a[1] == b[0] && a.substr(2) == b.substr(2));
  return a.size() > b.size() ? a.substr(1) == b : a == b.substr(1);
}
// ---- messages -----------------------------------------------------------------------------------------------------

// A word that C23 made a keyword is named as such, also where the preprocessor replaced it.
std::string Parser::shown(const Token &t) const {
  std::string word = c23 ? diags.sources().asWritten(t.range(), 16) : std::string();
  return isKeywordOfC23(word) ? "'" + word + "', which is a keyword in C23" : quoted(t);
}

void Parser::report(Rule *context, Token &offending) {
  if (offending.index == lastError) return;
  lastError = offending.index;
  if (offending.index && stream[offending.index - 1].cutOff) return;
  size_t rule = context->getRuleIndex();
  if (offending.dialect == Dialect::Cilk1 && threadSpelling(offending)) return;
  if (reducerMacro(offending)) return;
  if (strangeWord(offending) || keywordMisspelt(offending) || foreignSyntax(context, offending) ||
      bodyCutOff(offending))
    return;
  // of another Cilk: cilk return x;
  if (offending.depth && offending.index && stream[offending.index - 1].type == Cilk &&
      beginsStatement(offending.type)) {
    Range word = stream[offending.index - 1].range();
    diags.report(diag::cilk_before_statement, word).fixit(word, "");
    return;
  }
  if (unknownTypeName(context, offending)) return;
  if (expectedType) {
    reportExpected(context, expectedType);
    return;
  }
  Token &here = stream.current();
  std::string_view want = wanted(rule);
  bool wantsName = want.find("name") != std::string_view::npos || want.find("identifier") != std::string_view::npos;
  if (offending.type == Else) {
    diags.report(diag::else_without_if, offending.range());
  } else if (dialectOfWord(offending.type) != Dialect::C &&
             (wantsName || (want == "expression" && !beginsStatement(offending.type)))) {
    diags.report(diag::cilk_word_as_name, offending.range()) << offending.view();
  } else if (offending.type == LeftBrace && offending.index && stream[offending.index - 1].type == Spawn) {
    diags.report(diag::spawn_block, offending.range())
        .note(stream[offending.index - 1].range(), "make the block a cilk procedure, and spawn that: `spawn f(..);`");
  } else if (rule == RuleDeclaratorsRest && offending.depth &&
             (offending.lineStart || beginsStatement(offending.type))) {
    // int r <newline> r = ..: in a block there are no function bodies, and a line that begins like this is a statement.
    Token &before = stream[offending.index - 1];
    Loc end = Loc::at(before.start + before.length);
    diags.report(diag::expected_after, Range{end, end}).fixit(Range{end, end}, ";") << "';'" << "declaration";
  } else if (rule == RuleDeclaratorsRest && offending.depth) {
    diags.report(diag::syntax_expected, offending.range()) << "'=', ',' or ';'" << quoted(offending);
  } else if (offending.type == RightBrace && (rule == RuleExternalDeclaration || rule == RuleTranslationUnit)) {
    diags.report(diag::extraneous_brace, offending.range());
  } else if (here.type == TypedefName && (want == "expression" || rule == RuleBlockItem || rule == RuleStatement ||
                                             rule == RuleUnlabelledStatement)) {
    diags.report(diag::type_as_expression, here.range()) << here.view();
  } else {
    diags.report(diag::syntax_expected, offending.range()) << want << shown(offending);
  }
}

// Words that explain the error: of Cilk in C text, of other Cilks, misspelt ones. They are where the parser stopped,
// or just before.
bool Parser::strangeWord(Token &offending) {
  // int cilk_reducer(zero, plus) x
  if (offending.index && stream[offending.index - 1].type == RightParen)
    if (size_t at = before(offending.index - 1); at != SIZE_MAX && stream[at].type == Identifier)
      if (auto advice = adviceForWord(stream[at].view()); !advice.empty()) {
        otherCilk(stream[at], advice);
        return true;
      }
  for (size_t back = 0; back < 3 && back <= offending.index; back++) {
    Token &t = stream[offending.index - back];
    if (back && (t.type == Semicolon || t.type == RightBrace || t.type == LeftBrace)) break;
    if (t.type != Identifier || t.system) continue;
    std::string_view word = t.view();
    if (!isCilk(t.dialect) && (word == "cilk" || word == "inlet" || word == "spawn") &&
        (names[t.symbol] == Names::Unknown || t.index == lastNew)) {
      Presumed at = diags.sources().presumed(t.range().begin);
      diags.report(diag::cilk_word_in_c, t.range())
              .note(t.range(), "name the file " + asCilkFile(at.file ? at.file->name : diags.sources().mainName()) +
                                   ", or give -x cilk")
          << word;
      throw Stop{};  // everything in such a file would be an error
    }
    if (auto advice = adviceForWord(word); !advice.empty()) {
      otherCilk(t, advice);
      return true;
    }
    if (back < 2 && foreignWord(t)) return true;
    if (back < 2 && isCilk(t.dialect) && (names[t.symbol] == Names::Unknown || t.index == lastNew))
      if (auto meant = cilkWordLike(t); !meant.empty()) {
        diags.report(diag::misspelt_word, t.range()).fixit(t.range(), std::string(meant)) << word << meant;
        return true;
      }
  }
  return false;
}

void Parser::otherCilk(Token &t, std::string_view advice) {
  damaged.insert(t.symbol);
  auto report = diags.report(diag::opencilk_word, t.range());
  report << t.view() << advice;
  if (!reportedOtherCilk)
    report.note(t.range(),
        "this is the language of OpenCilk and Cilk Plus; `cilkc explain opencilk-word` compares it with Cilk-5");
  reportedOtherCilk = true;
}

void Parser::reportExpected(Rule *context, size_t expected) {
  Token &offending = stream.current();
  Token &before = stream.previous();
  size_t rule = context->getRuleIndex();
  if (expected == LeftParen && before.type == CilkReducer) {
    diags.report(diag::cilk_reducer_callback, before.range())
        << "a reducer names two functions, one that makes a view and one that adds a view to another: "
           "`int cilk_reducer(identity, reduce) x`";
    return;
  }
  if (expected == Semicolon) {
    bool apart = offending.lineStart || offending.type == UINT16_MAX;
    Loc end = Loc::at(before.start + before.length);
    if (rule == RuleStructMember && offending.type == RightBrace) {
      diags.report(diag::missing_member_semicolon, Range{end, end}).fixit(Range{end, end}, ";");
      return;
    }
    diags.report(diag::expected_after, apart ? Range{end, end} : offending.range())
        << "';'" << ended(rule, *static_cast<Token *>(context->start));
    return;
  }
  if (offending.type == Else && expected == RightBrace) {
    diags.report(diag::else_without_if, offending.range());
    return;
  }
  std::string literal = getVocabulary().getLiteralName(expected);
  if (expected == RightBrace && rule == RuleCompoundStatement && offending.type != UINT16_MAX) literal = "statement";
  if (expected == RightBrace && rule == RuleStructBody && offending.type != UINT16_MAX) literal = "member declaration";
  if (expected == RightBrace && (rule == RuleBracedInitializer || rule == RuleEnumBody)) literal = "',' or '}'";
  if (expected == Identifier) literal = wanted(rule);
  if (literal.empty()) literal = wanted(rule);
  size_t opener = expected == RightParen     ? LeftParen
                  : expected == RightBracket ? LeftBracket
                  : expected == RightBrace   ? LeftBrace
                                             : 0;
  DiagBuilder report = diags.report(diag::syntax_expected, offending.range());
  report << literal << shown(offending);
  if (!opener || literal[0] != '\'') return;
  if (expected == RightBrace && offending.type == UINT16_MAX) {
    if (Token *t = openBrace(offending.index)) {
      report.note(t->range(), "the '}' of this '{' seems to be missing: the one that closes it is indented less");
      return;
    }
    if (Token *t = functionInside(offending.index))
      report.note(t->range(), "this function begins inside of another one: is a '}' missing before it?");
  }
  for (size_t i = context->children.size(); i-- > 0;) {
    if (!leaves.contains(context->children[i])) continue;
    Token *t = static_cast<Leaf *>(context->children[i])->token;
    if (t->type != opener) continue;
    report.note(t->range(), std::string("to match this ") + getVocabulary().getLiteralName(opener));
    return;
  }
}

// `foo x`, `foo *x`, `(foo *) e`, `(foo) e`: where foo is not declared and can only have been meant as a type.
bool Parser::unknownTypeName(Rule *context, Token &offending) {
  size_t i = offending.index, rule = context->getRuleIndex();
  // In `foo x` at file scope the foo has just been declared itself, as an int.
  auto unknown = [&](size_t at) {
    return stream[at].type == Identifier && (names[stream[at].symbol] == Names::Unknown || at == lastNew);
  };
  auto type = [&](size_t back) { return i >= back ? stream[i - back].type : UINT16_MAX; };
  Token *found = nullptr;
  // Where specifiers begin: in `int x y` the y is not a type.
  auto begins = [&] {
    switch (type(1)) {
      case Semicolon:
      case LeftBrace:
      case RightBrace:
      case LeftParen:
      case Comma:
      case Const:
      case Volatile:
      case Restrict:
      case Register:
      case UINT16_MAX: return true;
      default: return false;
    }
  };
  if (unknown(i) && begins() &&
      (rule == RuleParameter || rule == RuleParameterList || rule == RuleStructMember || rule == RuleStructBody ||
          rule == RuleTypeName)) {
    found = &offending;
  } else if (i && unknown(i - 1) && (isName(offending) || offending.type == Star)) {
    switch (type(2)) {
      case Semicolon:
      case LeftBrace:
      case RightBrace:
      case Colon:
      case UINT16_MAX:
      case Typedef:
      case Extern:
      case Static:
      case Register:
      case Const:
      case Volatile:
      case Inline:
      case Cilk:
      case CilkThread:
      case Cont:
      case Inlet:
      case Shared:
      case Private:
      case Auto:
      case ThreadLocal:
      case Thread:
      case Noreturn: found = &stream[i - 1]; break;
      case RightParen:
        if (rule == RuleExpressionStatement || rule == RuleDeclaratorsRest) found = &stream[i - 1];
        break;
      case LeftParen:
      case Comma:
        if (rule == RuleFunctionSuffix || rule == RuleIdentifierList || rule == RuleParameterList ||
            rule == RuleParameter || rule == RuleForStatement ||
            (rule == RuleLooseParentheses && offending.type != Star))
          found = &stream[i - 1];
        break;
      default: break;
    }
  } else if (offending.type == RightParen && i >= 3 && type(1) == Star) {
    size_t at = i - 1;
    while (at && stream[at].type == Star) at--;
    if (at && unknown(at) && stream[at - 1].type == LeftParen) found = &stream[at];
  } else if (i >= 3 && type(1) == RightParen && unknown(i - 2) && type(3) == LeftParen &&
             (isName(offending) || offending.type == Number || offending.type == StringLiteral) &&
             !offending.lineStart) {
    found = &stream[i - 2];
  }
  if (!found || unknownTypes.count(found->symbol)) return false;
  unknownType(*found);
  return true;
}

// `struct`, if the tag of a struct above has this name.
const char *Parser::tagOf(const Token &name) {
  for (size_t i = name.index; i-- > 1;)
    if (stream[i].symbol == name.symbol && isName(stream[i])) switch (stream[i - 1].type) {
        case Struct: return "struct";
        case Union: return "union";
        case Enum: return "enum";
        default: break;
      }
  return nullptr;
}

void Parser::unknownType(Token &name) {
  // What was left out may have been its definition.
  if (!damaged.count(name.symbol)) {
    if (auto advice = adviceForWord(name.view()); !advice.empty()) {
      otherCilk(name, advice);
    } else if (auto meant = isCilk(name.dialect) ? cilkWordLike(name) : std::string_view(); !meant.empty()) {
      diags.report(diag::misspelt_word, name.range()).fixit(name.range(), std::string(meant)) << name.view() << meant;
    } else if (foreignWord(name)) {
      // reported
    } else {
      DiagBuilder report = diags.report(diag::unknown_type, name.range());
      report << name.view();
      if (const char *tag = tagOf(name))
        report.note(name.range(), std::string("write `") + tag + " " + std::string(name.view()) + "`")
            .fixit(name.range(), std::string(tag) + " " + std::string(name.view()));
      else if (const char *header = headerFor(name.view()))
        report.note(name.range(),
            "include <" + std::string(header) + "> to declare '" + std::string(name.view()) + "'");
    }
  }
  unknownTypes.insert(name.symbol);
  names.declareForGood(name.symbol, Names::Type);
  rewind = true;
}

// `foo *x;` with an undeclared foo is not a product.
void Parser::enterExpressionStatement() {
  size_t i = stream.index();
  Token &name = stream.current();
  if (name.type != Identifier || stream[i + 1].type != Star || names[name.symbol] != Names::Unknown) return;
  for (i++; stream[i].type == Star;) i++;
  if (!isName(stream[i])) return;
  switch (stream[i + 1].type) {
    case Semicolon:
    case Assign:
    case Comma: break;
    default: return;
  }
  if (unknownTypes.count(name.symbol)) return;
  unknownType(name);
  pending = true;
  countError();
  throw antlr4::InputMismatchException(this);
}

void Parser::countError() {
  unsigned limit = diags.options().maxErrors;
  if (++errors >= (limit ? limit : 1000)) throw Stop{};
}

// Is it plain that just this token is missing here?
bool Parser::insertable(size_t expected) {
  Token &t = stream.current();
  switch (expected) {
    case Semicolon:
      return _ctx->getRuleIndex() != RuleForStatement &&
             (t.type == RightBrace || (t.lineStart && t.type != UINT16_MAX) || beginsStatement(t.type));
    case RightParen:
      return t.type == LeftBrace || t.type == Semicolon || (t.lineStart && (beginsStatement(t.type) || isName(t)));
    case RightBracket: return t.type == Semicolon || t.type == Assign || t.type == RightParen;
    case Colon: return _ctx->getRuleIndex() == RuleLabel && t.lineStart;
    default: return false;
  }
}

// ---- recovery -----------------------------------------------------------------------------------------------------

void Parser::recover(Rule *context) {
  pending = false;
  again = rewind;
  size_t rule = context->getRuleIndex();
  Token &start = *static_cast<Token *>(context->start);
  if (rewind) {
    rewind = false;
    expectedType = 0;
    lastError = SIZE_MAX;
    stream.seek(start.index);
    return;
  }
  bool inBlock = rule == RuleBlockItem || rule == RuleStatement;
  size_t from = stream.index();
  // A ';' was missing before what looks like the next construct: nothing to skip.
  bool atNext = from > start.index && expectedType == Semicolon && stream.current().lineStart &&
                stream.current().depth == start.depth &&
                (beginsDeclaration(stream.current().type) || (inBlock && beginsStatement(stream.current().type)));
  expectedType = 0;
  if (!atNext) {
    bool hasBlock = inBlock && beginsStatement(start.type);
    for (size_t i = from;; i++) {
      Token &t = stream[i];
      stream.seek(i);
      if (t.type == UINT16_MAX || t.depth < start.depth) break;
      if (t.depth == start.depth) {
        if (t.type == Semicolon) {
          stream.seek(i + 1);
          break;
        }
        if (t.type == LeftBrace && hasBlock && i > start.index) break;
        if (t.type == RightBrace && (rule != RuleExternalDeclaration || t.depth == 0)) {
          // it closes the block that the statement is in, or the statement is missing before it
          if (inBlock && ((start.depth && t.depth + 1 == start.depth) || i == start.index)) break;
          size_t next = stream[i + 1].type;
          if (next != Semicolon && next != Comma && next != RightParen && next != Assign) {
            stream.seek(i + 1);
            break;
          }
        }
        if (i > from && t.lineStart && (inBlock ? beginsStatement(t.type) : beginsDeclaration(t.type))) break;
      }
    }
    if (stream.index() == start.index && stream.current().type != UINT16_MAX && stream.current().type != RightBrace)
      stream.consume();
  }
  if (rule == RuleBlockItem || rule == RuleStructMember)
    skipTo(getATN().nextTokens(getATN().ruleToStartState[rule]), true);
  if (rule == RuleExternalDeclaration) skipTo(getATN().nextTokens(getATN().ruleToStartState[rule]), false);
  leaveOut(start.index, stream.index());
}

// Takes down the names among these tokens, which belong to nothing in the tree.
void Parser::leaveOut(size_t from, size_t to) {
  left = true;
  for (size_t i = from; i < to; i++)
    if (isName(stream[i])) damaged.insert(stream[i].symbol);
}

// Passes over what cannot begin the next construct: in braces, up to the '}' that closes them; else, to the end of the
// line.
void Parser::skipTo(const antlr4::misc::IntervalSet &first, bool inBraces) {
  while (stream.current().type != UINT16_MAX && !first.contains(stream.current().getType()) &&
         !(inBraces ? stream.current().type == RightBrace : stream.current().lineStart))
    stream.consume();
}

antlr4::Token *ErrorStrategy::recoverInline(antlr4::Parser *parser) {
  Parser &p = static_cast<Parser &>(*parser);
  Rule *context = p._ctx;
  size_t expected = p.expectedType, rule = context->getRuleIndex();
  Token &offending = p.stream.current();
  if (expected && p.insertable(expected)) {
    if (p.lastError != offending.index && !p.stream.previous().cutOff) {
      p.lastError = offending.index;
      if (p.strangeWord(offending) || p.keywordMisspelt(offending) || p.foreignSyntax(context, offending) ||
          p.unknownTypeName(context, offending)) {
        p.expectedType = 0;
        p.pending = true;
        throw antlr4::InputMismatchException(parser);
      }
      p.reportExpected(context, expected);
    }
    p.expectedType = 0;
    return &offending;
  }
  bool members = rule == CilkParser::RuleStructBody;
  if (expected == CilkParser::RightBrace && (members || rule == CilkParser::RuleCompoundStatement) &&
      offending.type != UINT16_MAX) {
    // Something that can begin no item: report it, pass over it, and go on with the items.
    p.report(context, offending);
    p.expectedType = 0;
    if (p.rewind) p.rewind = false;
    else p.stream.consume();
    size_t itemRule = members ? CilkParser::RuleStructMember : CilkParser::RuleBlockItem;
    const auto &first = p.getATN().nextTokens(p.getATN().ruleToStartState[itemRule]);
    for (;;) {
      size_t from = p.stream.index();
      p.skipTo(first, true);
      p.leaveOut(from ? from - 1 : from, p.stream.index());
      Token &t = p.stream.current();
      if (t.type == CilkParser::RightBrace) return p.consume();
      if (t.type == UINT16_MAX) break;
      size_t at = p.stream.index();
      if (members) p.structMember();
      else p.blockItem();
      if (p.stream.index() == at) p.stream.consume();
    }
    p.expectedType = CilkParser::RightBrace;
  }
  throw antlr4::InputMismatchException(parser);
}

void ErrorStrategy::reportError(antlr4::Parser *parser, const antlr4::RecognitionException &e) {
  Parser &p = static_cast<Parser &>(*parser);
  if (p.pending) return;
  p.pending = true;
  Token *offending = static_cast<Token *>(e.getOffendingToken());
  p.report(p._ctx, offending && !p.expectedType ? *offending : p.stream.current());
  p.countError();
}

void ErrorStrategy::recover(antlr4::Parser *parser, std::exception_ptr error) {
  Parser &p = static_cast<Parser &>(*parser);
  switch (p._ctx->getRuleIndex()) {
    case CilkParser::RuleStatement:
      if (p.rewind) break;
      [[fallthrough]];
    case CilkParser::RuleExternalDeclaration:
    case CilkParser::RuleBlockItem:
    case CilkParser::RuleStructMember: p.recover(p._ctx); return;
    default: break;
  }
  std::rethrow_exception(error);
}

}  // namespace cilkc::parsing
