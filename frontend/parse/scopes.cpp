// scopes.cpp - which names are types: scopes and declarations, following the rules of the grammar (C17 6.2.1).
//
//  * The scope of a name begins after its full declarator, before its initialiser: `T T = 1;` declares and then hides.
//  * The parameters of the function being defined come into scope again for its body. They are those of the first
//    parameter list that closes inside the full declarator: of `int (*f(int T))(int)` that is (int T).
//  * Struct members, labels and tags have name spaces of their own and are not entered; enumerators are.
//  * Every declaration has its own record, so that a struct inside a typedef does not make its members types.
#include "frontend/parse/parser.h"

namespace cilkc::parsing {

void Parser::enterScope(Rule *context, size_t rule) {
  switch (rule) {
    case RuleCompoundStatement:
    case RuleForStatement:
    case RuleIfStatement:
    case RuleSwitchStatement:
    case RuleWhileStatement:
    case RuleDoStatement:
    case RuleParameterList: names.open(); break;
    case RuleImplicitIntDeclaration:
      if (context->parent && static_cast<Rule *>(context->parent)->getRuleIndex() == RuleDeclaration) break;
      declarings.emplace_back();
      break;
    case RuleDeclaration:
    case RuleParameter:
    case RuleTypeName:
    case RuleOldStyleParameters: declarings.emplace_back(); break;
    case RuleStructMember: declarings.emplace_back().isMember = true; break;
    case RuleDeclarator:
      switch (static_cast<Rule *>(context->parent)->getRuleIndex()) {
        case RuleDeclarators:
        case RuleInitDeclarator:
        case RuleStructDeclarator: declarators.emplace_back(); break;
        default: break;
      }
      break;
    case RuleLooseDeclarator:
      if (static_cast<Rule *>(context->parent)->getRuleIndex() != RuleLooseParentheses) declarators.emplace_back();
      break;
    case RuleImplicitIntDeclarator:
    case RuleImplicitLooseDeclarator: declarators.emplace_back(); break;
    case RuleFunctionBody:
      names.open();
      for (auto [symbol, meaning] : declarings.back().parameters) names.declare(symbol, meaning);
      break;
    default: break;
  }
}

void Parser::leaveScope(Rule *context, size_t rule) {
  switch (rule) {
    case RuleCompoundStatement:
    case RuleForStatement:
    case RuleIfStatement:
    case RuleSwitchStatement:
    case RuleWhileStatement:
    case RuleDoStatement:
    case RuleFunctionBody: names.close(); break;
    case RuleParameterList:
      if (!declarators.empty() && !declarators.back().haveParameters) {
        Declarator &d = declarators.back();
        d.haveParameters = true;
        names.eachInnermost([&](Symbol s, Names::Meaning m) { d.parameters.emplace_back(s, m); });
      }
      names.close();
      break;
    case RuleIdentifierList:
      if (!declarators.empty() && !declarators.back().haveParameters) {
        declarators.back().haveParameters = true;
        for (Node *child : context->children)
          if (leaves.contains(child))
            if (Symbol s = static_cast<Leaf *>(child)->token->symbol)
              declarators.back().parameters.emplace_back(s, Names::Ordinary);
      }
      break;
    case RuleImplicitIntDeclaration:
      if (context->parent && static_cast<Rule *>(context->parent)->getRuleIndex() == RuleDeclaration) break;
      declarings.pop_back();
      break;
    case RuleDeclaration:
    case RuleParameter:
    case RuleTypeName:
    case RuleOldStyleParameters:
    case RuleStructMember: declarings.pop_back(); break;
    case RuleDirectDeclarator:
    case RuleLooseDirectDeclarator:
    case RuleImplicitIntDeclarator:
    case RuleImplicitLooseDeclarator: {
      Token *t = static_cast<Token *>(context->start);
      if (!declarators.empty() && (t->type == Identifier || t->type == TypedefName)) declarators.back().name = t;
      if (rule == RuleImplicitIntDeclarator || rule == RuleImplicitLooseDeclarator) leaveDeclarator(context);
      break;
    }
    case RuleDeclarator:
      switch (static_cast<Rule *>(context->parent)->getRuleIndex()) {
        case RuleDeclarators:
        case RuleInitDeclarator:
        case RuleStructDeclarator: leaveDeclarator(context); break;
        default: break;
      }
      break;
    case RuleLooseDeclarator:
      if (static_cast<Rule *>(context->parent)->getRuleIndex() != RuleLooseParentheses) leaveDeclarator(context);
      break;
    case RuleEnumerator: {
      Token *t = static_cast<Token *>(context->start);
      if (t->symbol) names.declare(t->symbol, Names::Ordinary);
      break;
    }
    default: break;
  }
}

void Parser::leaveDeclarator(Rule *context) {
  Declarator d = std::move(declarators.back());
  declarators.pop_back();
  if (declarings.empty()) return;
  Declaring &declaring = declarings.back();
  declaring.declarator = context;
  declaring.parameters = std::move(d.parameters);
  if (!d.name || declaring.isMember) return;
  lastNew = names[d.name->symbol] == Names::Unknown ? d.name->index : SIZE_MAX;
  names.declare(d.name->symbol, declaring.isTypedef ? Names::Type : Names::Ordinary);
}

namespace {

// The parameter list of the function that a declarator declares; null if it declares something else. What is
// nearest to the name decides: inside the innermost parentheses a suffix, then a pointer; then the same one level out.
CilkParser::FunctionSuffixContext *functionOf(Rule *declarator) {
  struct Level {
    Rule *first = nullptr;
    bool pointer = false;
  };
  std::vector<Level> levels;
  for (Rule *r = declarator; r;) {
    Level &level = levels.emplace_back();
    Rule *next = nullptr, *direct = nullptr;
    auto look = [&](Rule *at) {
      for (Node *child : at->children) {
        if (auto *d = dynamic_cast<CilkParser::DirectDeclaratorContext *>(child)) direct = d;
        else if (auto *d = dynamic_cast<CilkParser::DeclaratorContext *>(child)) next = d;
        else if (dynamic_cast<CilkParser::PointerContext *>(child)) level.pointer = true;
        else if (dynamic_cast<CilkParser::ArraySuffixContext *>(child) ||
                 dynamic_cast<CilkParser::FunctionSuffixContext *>(child)) {
          if (!level.first) level.first = static_cast<Rule *>(child);
        }
      }
    };
    look(r);
    if (direct) look(direct);
    r = next;
  }
  for (size_t i = levels.size(); i-- > 0;) {
    if (levels[i].first) return dynamic_cast<CilkParser::FunctionSuffixContext *>(levels[i].first);
    if (levels[i].pointer) return nullptr;
  }
  return nullptr;
}

}  // namespace

// At what looks like the body of a function, or at the declarations of its K&R parameters. If there is no such function
// then a ';' is missing: `int x int y;`, or `int f(int a) int b;`.
void Parser::enterBody() {
  Token &t = stream.current();
  CilkParser::FunctionSuffixContext *f = declarings.empty() ? nullptr : functionOf(declarings.back().declarator);
  if (f && (t.type == LeftBrace || f->identifierList())) return;
  expectedType = Semicolon;
  _errHandler->recoverInline(this);
}

}  // namespace cilkc::parsing
