// parser.cpp - the functions that the generated parser calls for every token and every rule.
#include "frontend/parse/parser.h"
#include <pthread.h>
#include "frontend/parse/error_strategy.h"
#include "diag/parse.h"

namespace cilkc::parsing {

namespace {

// The stack that a rule of the generated parser takes at most, with room for what it calls, and what is left to the
// caller. The compiler runs the front end on a big stack; a test or another program may not.
constexpr size_t bytesPerRule = 1400, reserve = 256 << 10, maxRules = 110000;

size_t rulesThatFit() {
  pthread_attr_t attr;
  if (pthread_getattr_np(pthread_self(), &attr)) return 2000;
  void *base;
  size_t size;
  pthread_attr_getstack(&attr, &base, &size);
  pthread_attr_destroy(&attr);
  char here;
  size_t left = static_cast<size_t>(&here - static_cast<char *>(base));
  return left < 2 * reserve ? 100 : std::min(maxRules, (left - reserve) / bytesPerRule);
}

// Rule exits are announced only to a parser with a listener.
class Nothing final : public antlr4::tree::ParseTreeListener {
  void visitTerminal(antlr4::tree::TerminalNode *) override {}
  void visitErrorNode(antlr4::tree::ErrorNode *) override {}
  void enterEveryRule(Rule *) override {}
  void exitEveryRule(Rule *) override {}
};
Nothing nothing;                   // has no state

// Most rules have few children. Room for three is what the allocator gives for one, and saves it a second and third
// time.
void addChild(Rule *to, Node *child) {
  if (to->children.capacity() == 0) to->children.reserve(3);
  to->children.push_back(child);
}

}  // namespace

Parser::Parser(TokenStream &s, Names &n, Leaves &l, DiagnosticEngine &d, bool c23)
    : CilkParser(&s), stream(s), names(n), leaves(l), diags(d), c23(c23), maxDepth(rulesThatFit()) {
  removeErrorListeners();
  addParseListener(&nothing);
  setErrorHandler(std::make_shared<ErrorStrategy>());
  getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(antlr4::atn::PredictionMode::SLL);
}

antlr4::Token *Parser::match(size_t type) {
  Token &t = stream.current();
  if (t.getType() == type) {
    if (t.type == UINT16_MAX) _matchedEOF = true;
    return consume();
  }
  expectedType = type;
  return _errHandler->recoverInline(this);
}

antlr4::Token *Parser::consume() {
  Token &t = stream.current();
  if (t.type == Typedef && !declarings.empty()) declarings.back().isTypedef = true;
  if (t.type != UINT16_MAX) stream.consume();
  Leaf *leaf = leaves.of(t);
  leaf->parent = _ctx;
  addChild(_ctx, leaf);
  return &t;
}

void Parser::addContextToParseTree() {
  if (_ctx->parent) addChild(static_cast<Rule *>(_ctx->parent), _ctx);
}

void Parser::enterRule(Rule *context, size_t state, size_t rule) {
  if (depth >= maxDepth) {
    diags.report(diag::nested_too_deeply, stream.current().range());
    throw Stop{};
  }
  if (rule == RuleFunctionBody) enterBody();
  else if (rule == RuleExpressionStatement) enterExpressionStatement();
  depth++;
  setState(state);
  _ctx = context;
  context->start = &stream.current();
  addContextToParseTree();
  enterScope(context, rule);
}

void Parser::triggerExitRuleEvent() {
  depth--;
  leaveScope(_ctx, _ctx->getRuleIndex());
}

}  // namespace cilkc::parsing
