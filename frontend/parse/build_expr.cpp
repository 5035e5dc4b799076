// build_expr.cpp - expressions: parse tree -> AST.
#include "frontend/parse/build.h"
#include "diag/parse.h"

namespace cilkc::parsing {

namespace {

using P = CilkParser;

// An operator of assignmentExpression. A higher precedence binds tighter.
struct Operator {
  uint8_t precedence;
  BinaryOp op;
};
constexpr uint8_t conditionalPrecedence = 2, assignPrecedence = 1;

Operator operatorOf(size_t type) {
  switch (type) {
    case P::Star: return {12, BinaryOp::Mul};
    case P::Slash: return {12, BinaryOp::Div};
    case P::Percent: return {12, BinaryOp::Rem};
    case P::Plus: return {11, BinaryOp::Add};
    case P::Minus: return {11, BinaryOp::Sub};
    case P::ShiftLeft: return {10, BinaryOp::Shl};
    case P::ShiftRight: return {10, BinaryOp::Shr};
    case P::Less: return {9, BinaryOp::Lt};
    case P::Greater: return {9, BinaryOp::Gt};
    case P::LessEqual: return {9, BinaryOp::Le};
    case P::GreaterEqual: return {9, BinaryOp::Ge};
    case P::Equal: return {8, BinaryOp::Eq};
    case P::NotEqual: return {8, BinaryOp::Ne};
    case P::And: return {7, BinaryOp::And};
    case P::Xor: return {6, BinaryOp::Xor};
    case P::Or: return {5, BinaryOp::Or};
    case P::AndAnd: return {4, BinaryOp::LogAnd};
    case P::OrOr: return {3, BinaryOp::LogOr};
    case P::Question: return {conditionalPrecedence, BinaryOp::Comma};
    case P::StarAssign: return {assignPrecedence, BinaryOp::Mul};
    case P::SlashAssign: return {assignPrecedence, BinaryOp::Div};
    case P::PercentAssign: return {assignPrecedence, BinaryOp::Rem};
    case P::PlusAssign: return {assignPrecedence, BinaryOp::Add};
    case P::MinusAssign: return {assignPrecedence, BinaryOp::Sub};
    case P::ShiftLeftAssign: return {assignPrecedence, BinaryOp::Shl};
    case P::ShiftRightAssign: return {assignPrecedence, BinaryOp::Shr};
    case P::AndAssign: return {assignPrecedence, BinaryOp::And};
    case P::XorAssign: return {assignPrecedence, BinaryOp::Xor};
    case P::OrAssign: return {assignPrecedence, BinaryOp::Or};
    default: return {assignPrecedence, BinaryOp::Comma};      // '='
  }
}

}  // namespace

Expr *Builder::expression(Rule *r) {
  switch (r->getRuleIndex()) {
    case P::RuleExpression: return comma(r);
    case P::RuleAssignmentExpression: return assignment(r);
    case P::RuleCastExpression: return cast(r);
    case P::RuleUnaryExpression: return unary(r);
    default: return primary(r);
  }
}

Expr *Builder::comma(Rule *r) {
  Expr *left = assignment(asRule(r->children[0]));
  for (size_t i = 2; i < r->children.size(); i += 2) {
    Binary *b = cx.make<Binary>();
    b->op = BinaryOp::Comma;
    b->opRange = rangeOf(r->children[i - 1]);
    b->lhs = left;
    b->rhs = assignment(asRule(r->children[i]));
    b->range = Range::join(left->range, b->rhs->range);
    left = b;
  }
  return left;
}

// Operator precedence with two stacks. Only assignments and ?: group from the right.
Expr *Builder::assignment(Rule *r) {
  if (r->children.size() == 1) return cast(asRule(r->children[0]));
  struct Waiting {
    Operator op;
    Token *token;
    Expr *middle;
  };
  std::vector<Expr *> operands{cast(asRule(r->children[0]))};
  std::vector<Waiting> waiting;
  auto reduce = [&] {
    Waiting w = waiting.back();
    waiting.pop_back();
    Expr *rhs = operands.back();
    operands.pop_back();
    Expr *lhs = operands.back();
    Expr *result;
    if (w.op.precedence == conditionalPrecedence) {
      Conditional *c = cx.make<Conditional>();
      c->cond = lhs;
      c->then = w.middle;
      c->otherwise = rhs;
      result = c;
    } else if (w.op.precedence == assignPrecedence) {
      Assign *a = cx.make<Assign>();
      a->compound = w.token->type != P::Assign;
      a->op = w.op.op;
      a->lhs = lhs;
      a->rhs = rhs;
      a->opRange = w.token->range();
      result = a;
    } else {
      Binary *b = cx.make<Binary>();
      b->op = w.op.op;
      b->lhs = lhs;
      b->rhs = rhs;
      b->opRange = w.token->range();
      result = b;
    }
    result->range = Range::join(lhs->range, rhs->range);
    operands.back() = result;
  };
  for (size_t i = 1; i < r->children.size(); i++) {
    Token &t = token(r->children[i]);
    Waiting w{operatorOf(t.type), &t, nullptr};
    if (t.type == P::Question) {
      if (rule(r->children[i + 1]) == P::RuleExpression) w.middle = comma(asRule(r->children[++i]));
      i++;                                         // ':'
    }
    while (!waiting.empty() &&
           (waiting.back().op.precedence > w.op.precedence ||
               (waiting.back().op.precedence == w.op.precedence && w.op.precedence > conditionalPrecedence)))
      reduce();
    waiting.push_back(w);
    operands.push_back(cast(asRule(r->children[++i])));
  }
  while (!waiting.empty()) reduce();
  return operands.back();
}

// The content of the parentheses that begin at child i, if it is not a type name; i moves past the ')'.
Expr *Builder::parenthesised(Rule *r, size_t &i) {
  Node *inner = r->children[i + 1];
  bool closed = i + 2 < r->children.size() && type(r->children[i + 2]) == P::RightParen;
  Range all = Range::join(rangeOf(r->children[i]), rangeOf(r->children[closed ? i + 2 : i + 1]));
  i += closed ? 3 : 2;
  if (rule(inner) == P::RuleCompoundStatement) {
    StmtExpr *e = at<StmtExpr>(all);
    e->body = compound(asRule(inner));
    return e;
  }
  ParenExpr *e = at<ParenExpr>(all);
  e->sub = comma(asRule(inner));
  return e;
}

Expr *Builder::cast(Rule *r) {
  if (r->getRuleIndex() == P::RuleUnaryExpression) return unary(r);
  if (!isLeaf(r->children[0])) return unary(asRule(r->children[0]));
  if (rule(r->children[1]) != P::RuleTypeName) {
    size_t i = 0;
    Expr *e = parenthesised(r, i);
    return postfixes(e, r, i);
  }
  TypeName *target = typeName(asRule(r->children[1]));
  size_t i = 2;
  if (i < r->children.size() && type(r->children[i]) == P::RightParen) i++;
  Rule *rest = asRule(r->children[i]);
  if (rest->getRuleIndex() == P::RuleBracedInitializer) {
    CompoundLit *e = cx.make<CompoundLit>();
    e->target = target;
    e->init = bracedInitializer(rest);
    e->range = Range::join(rangeOf(r->children[0]), e->init->range);
    return postfixes(e, r, i + 1);
  }
  Cast *e = cx.make<Cast>();
  e->target = target;
  e->sub = cast(rest);
  e->range = Range::join(rangeOf(r->children[0]), e->sub->range);
  return e;
}

Expr *Builder::unary(Rule *r) {
  Node *first = r->children[0];
  if (!isLeaf(first)) return postfixes(primary(asRule(first)), r, 1);
  Token &t = token(first);
  UnaryOp op{};
  switch (t.type) {
    case P::Sizeof:
    case P::Alignof:
    case P::GnuAlignof: return sizeofExpression(r);
    case P::AndAnd: {
      LabelAddr *e = at<LabelAddr>(range(r));
      e->name = name(token(r->children[1]));
      return e;
    }
    case P::Spawn:
    case P::CilkSpawn:
    case P::SpawnNext:
    case P::CallThread:
    case P::TailCall: {
      Spawn *e = cx.make<Spawn>();
      Expr *operand = cast(asRule(r->children[1]));
      cx.openCilkWords |= t.type == P::CilkSpawn;
      e->word = t.type == P::Spawn       ? SpawnWord::Spawn
                : t.type == P::CilkSpawn ? SpawnWord::CilkSpawn
                : t.type == P::SpawnNext ? SpawnWord::SpawnNext
                : t.type == P::TailCall  ? SpawnWord::TailCall
                                         : SpawnWord::Call;
      e->keyword = t.range();
      e->range = Range::join(t.range(), operand->range);
      if (operand->kind == ExprKind::Call) e->call = operand->as<Call>();
      else e->operand = operand;
      if (r->children.size() == 4) {
        e->placement = assignment(asRule(r->children[3]));
        e->range = Range::join(e->range, e->placement->range);
      }
      return e;
    }
    case P::Touch: {
      TouchExpr *e = cx.make<TouchExpr>();
      e->sub = cast(asRule(r->children[1]));
      e->range = Range::join(t.range(), e->sub->range);
      cx.touches = true;
      return e;
    }
    case P::SendArgument: {
      Spawn *e = at<Spawn>(range(r));
      e->word = SpawnWord::Send;
      e->keyword = t.range();
      e->call = at<Call>(e->range);
      Ident *callee = at<Ident>(t.range());
      callee->name = name(t);
      e->call->callee = callee;
      for (Node *c : r->children)
        if (!isLeaf(c)) e->call->args.push_back(assignment(asRule(c)));
      return e;
    }
    case P::PlusPlus: op = UnaryOp::PreInc; break;
    case P::MinusMinus: op = UnaryOp::PreDec; break;
    case P::And: op = UnaryOp::AddrOf; break;
    case P::Star: op = UnaryOp::Deref; break;
    case P::Plus: op = UnaryOp::Plus; break;
    case P::Minus: op = UnaryOp::Minus; break;
    case P::Tilde: op = UnaryOp::BitNot; break;
    case P::Not: op = UnaryOp::Not; break;
    case P::Real: op = UnaryOp::Real; break;
    default: op = UnaryOp::Imag; break;
  }
  Unary *e = cx.make<Unary>();
  e->op = op;
  e->sub = cast(asRule(r->children[1]));
  e->range = Range::join(t.range(), e->sub->range);
  return e;
}

// The operand of sizeof may be a type in parentheses, a compound literal, or any unary expression.
Expr *Builder::sizeofExpression(Rule *r) {
  Token &keyword = token(r->children[0]);
  bool align = keyword.type != P::Sizeof;
  Rule *operand = asRule(r->children[1]);
  Expr *sub;
  if (!isLeaf(operand->children[0])) {
    sub = unary(asRule(operand->children[0]));
  } else if (rule(operand->children[1]) == P::RuleTypeName) {
    TypeName *target = typeName(asRule(operand->children[1]));
    Rule *init = child(operand, P::RuleBracedInitializer);
    if (!init) {
      SizeofType *e = cx.make<SizeofType>(align);
      e->target = target;
      e->range = range(r);
      return e;
    }
    CompoundLit *literal = cx.make<CompoundLit>();
    literal->target = target;
    literal->init = bracedInitializer(init);
    literal->range = Range::join(rangeOf(operand->children[0]), literal->init->range);
    size_t i = 0;
    while (operand->children[i] != init) i++;
    sub = postfixes(literal, operand, i + 1);
  } else {
    size_t i = 0;
    sub = parenthesised(operand, i);
    sub = postfixes(sub, operand, i);
  }
  SizeofExpr *e = cx.make<SizeofExpr>(align);
  e->sub = sub;
  e->gnu = keyword.type == P::GnuAlignof;
  e->range = Range::join(keyword.range(), sub->range);
  return e;
}

Expr *Builder::postfixes(Expr *e, Rule *r, size_t from) {
  for (size_t i = from; i < r->children.size(); i++)
    if (rule(r->children[i]) == P::RulePostfix) e = postfix(e, asRule(r->children[i]));
  return e;
}

Expr *Builder::postfix(Expr *base, Rule *r) {
  Token &t = token(r->children[0]);
  Range all = Range::join(base->range, range(r));
  switch (t.type) {
    case P::LeftBracket: {
      Index *e = at<Index>(all);
      e->base = base;
      e->index = comma(asRule(r->children[1]));
      return e;
    }
    case P::LeftParen: {
      Call *e = at<Call>(all);
      e->callee = base;
      for (Node *c : r->children) {
        if (rule(c) == P::RuleHole) {
          Hole *h = at<Hole>(rangeOf(c));
          h->sub = cast(asRule(asRule(c)->children[1]));
          e->args.push_back(h);
        } else if (!isLeaf(c)) {
          e->args.push_back(assignment(asRule(c)));
        }
      }
      if (base->kind == ExprKind::Ident && e->args.size() == 3 && base->as<Ident>()->name == "__builtin_choose_expr") {
        ChooseExpr *choose = at<ChooseExpr>(all);
        choose->cond = e->args[0];
        choose->then = e->args[1];
        choose->otherwise = e->args[2];
        return choose;
      }
      return e;
    }
    case P::Dot:
    case P::Arrow: {
      Member *e = at<Member>(all);
      e->base = base;
      e->arrow = t.type == P::Arrow;
      Token &member = token(r->children[1]);
      e->name = name(member);
      e->nameRange = member.range();
      return e;
    }
    default: {
      Unary *e = at<Unary>(all);
      e->op = t.type == P::PlusPlus ? UnaryOp::PostInc : UnaryOp::PostDec;
      e->sub = base;
      return e;
    }
  }
}

Expr *Builder::primary(Rule *r) {
  Node *first = r->children[0];
  switch (rule(first)) {
    case P::RuleStringLiteral: return stringLiteral(asRule(first));
    case P::RuleGenericSelection: return generic(asRule(first));
    default: break;
  }
  Token &t = token(first);
  switch (t.type) {
    case P::Identifier: {
      Ident *e = at<Ident>(t.range());
      e->name = name(t);
      cx.pedigrees |= e->name == "__cilkrts_get_pedigree" || e->name == "__cilkrts_get_dprand" ||
                      e->name == "__cilkrts_bump_worker_rank";
      return e;
    }
    case P::Number: return literals.number(t);
    case P::CharacterConstant: return literals.character(t);
    case P::Synched: return at<Synched>(t.range());
    default: return primaryWord(r, t);
  }
}

// The constants of C2x, and the builtins whose arguments are types.
Expr *Builder::primaryWord(Rule *r, const Token &t) {
  Range all = range(r);
  auto types = [&] {
    std::vector<TypeName *> list;
    for (Node *c : r->children)
      if (rule(c) == P::RuleTypeName) list.push_back(typeName(asRule(c)));
    return list;
  };
  switch (t.type) {
    case P::True:
    case P::False:
    case P::Nullptr: {
      IntLit *value = at<IntLit>(all);
      value->value = t.type == P::True;
      Cast *e = at<Cast>(all);
      e->sub = value;
      e->target = at<TypeName>(all);
      e->target->specs = at<DeclSpecs>(all);
      e->target->specs->anyTypeSpec = true;
      e->target->specs->counts[static_cast<int>(t.type == P::Nullptr ? BasicSpec::Nullptr : BasicSpec::Bool)] = 1;
      return e;
    }
    case P::BuiltinVaArg: {
      VaArg *e = at<VaArg>(all);
      e->list = assignment(child(r, P::RuleAssignmentExpression));
      e->target = types()[0];
      return e;
    }
    case P::BuiltinOffsetof: {
      Offsetof *e = at<Offsetof>(all);
      e->target = types()[0];
      for (size_t i = 3; i < r->children.size(); i++) {
        Node *c = r->children[i];
        if (isName(type(c))) {
          e->steps.push_back({name(token(c)), nullptr, rangeOf(c)});
        } else if (rule(c) == P::RuleOffsetofDesignator) {
          Rule *d = asRule(c);
          OffsetofStep step;
          step.range = range(d);
          if (type(d->children[0]) == P::LeftBracket) {
            step.index = comma(asRule(d->children[1]));
          } else {
          // a->b is a[0].b
            if (type(d->children[0]) == P::Arrow) {
              IntLit *zero = at<IntLit>(step.range);
              e->steps.push_back({{}, zero, step.range});
            }
            step.member = name(token(d->children[1]));
          }
          e->steps.push_back(step);
        }
      }
      return e;
    }
    case P::BuiltinTypesCompatible: {
      TypesCompatible *e = at<TypesCompatible>(all);
      auto list = types();
      e->a = list[0];
      e->b = list[1];
      return e;
    }
    case P::BuiltinConvertvector: {
    // A call whose second argument is a type, in the shape of sizeof.
      Call *e = at<Call>(all);
      Ident *callee = at<Ident>(t.range());
      callee->name = name(t);
      e->callee = callee;
      e->args.push_back(assignment(child(r, P::RuleAssignmentExpression)));
      e->args.push_back(sizeofType(types()[0], all));
      return e;
    }
    default: {
      // __builtin_has_attribute. Most attributes leave a mark on what they are given to that could not be asked for by
      // name.
      diags.report(diag::no_has_attribute, t.range());
      return at<ErrorExpr>(all);
    }
  }
}

Expr *Builder::sizeofType(TypeName *target, Range where) {
  SizeofType *e = cx.make<SizeofType>();
  e->target = target;
  e->range = where;
  return e;
}

Expr *Builder::generic(Rule *r) {
  Generic *e = at<Generic>(range(r));
  for (size_t i = 2; i < r->children.size(); i++) {
    Node *c = r->children[i];
    switch (rule(c)) {
      case P::RuleTypeName:
        e->controlType = typeName(asRule(c));
        diags.report(diag::pedantic_syntax, range(asRule(c))) << "ISO C23 has no type as the operand of '_Generic'";
        break;
      case P::RuleAssignmentExpression: e->control = assignment(asRule(c)); break;
      case P::RuleGenericAssociation: {
        Rule *a = asRule(c);
        GenericAssoc assoc;
        assoc.range = range(a);
        if (!isLeaf(a->children[0])) assoc.type = typeName(asRule(a->children[0]));
        assoc.value = assignment(child(a, P::RuleAssignmentExpression));
        e->assocs.push_back(assoc);
        break;
      }
      default: break;
    }
  }
  return e;
}

std::vector<const Token *> Builder::stringTokens(Rule *r) {
  std::vector<const Token *> list;
  for (Node *c : r->children) list.push_back(&token(c));
  return list;
}

StringLit *Builder::stringLiteral(Rule *r) { return literals.string(stringTokens(r)); }
std::string Builder::plainString(Rule *r) { return literals.plainString(stringTokens(r)); }

}  // namespace cilkc::parsing
