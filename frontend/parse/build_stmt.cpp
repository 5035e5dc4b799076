// build_stmt.cpp - statements: parse tree -> AST.
#include <set>
#include "frontend/parse/build.h"
#include "diag/parse.h"
#include "diag/sema_expr.h"

namespace cilkc::parsing {

using P = CilkParser;

// Labels are items of a block by themselves; each gets what follows as its statement, through `hole`. So are
// attributes.
CompoundStmt *Builder::compound(Rule *r) {
  CompoundStmt *block = at<CompoundStmt>(range(r));
  Stmt **hole = nullptr;
  Attrs attrs;
  auto place = [&](Stmt *s) {
    s->attrs.insert(s->attrs.begin(), attrs.begin(), attrs.end());
    attrs.clear();
    if (hole) *hole = s;
    else block->body.push_back(s);
    hole = nullptr;
  };
  auto pragmas = [&](Range before) {
    while (pragmaIndex < tokens.pragmas.size() && tokens.pragmas[pragmaIndex].range.begin < before.begin) {
      PragmaDecl *p = nextPragma();
      if (!p) continue;
      PragmaStmt *s = at<PragmaStmt>(p->range);
      s->pragma = p;
      place(s);
    }
  };
  for (Node *c : r->children) {
    if (isLeaf(c)) {
      if (type(c) != P::RightBrace) continue;
      pragmas(rangeOf(c));
      block->closing = rangeOf(c);
      break;
    }
    Rule *item = asRule(c);
    pragmas(range(item));
    if (item->exception || item->children.empty()) {
      place(at<ErrorStmt>(range(item)));
      continue;
    }
    Rule *inner = asRule(item->children[0]);
    switch (inner->getRuleIndex()) {
      case P::RuleDeclaration: place(declarationStatement(inner)); break;
      case P::RuleStatementAttribute: attribute(inner, attrs); break;
      case P::RuleLabel: {
        Stmt **next = nullptr;
        Stmt *l = label(inner, next);
        place(l);
        hole = next;
        break;
      }
      case P::RuleLocalLabels: {
        LocalLabelStmt *s = at<LocalLabelStmt>(range(inner));
        diags.report(diag::pedantic_syntax, s->range) << "ISO C has no local labels";
        for (Node *n : inner->children)
          if (isName(type(n))) s->names.emplace_back(name(token(n)), rangeOf(n));
        place(s);
        break;
      }
      default: place(unlabelled(inner)); break;
    }
  }
  if (!block->closing.valid()) block->closing = Range{block->range.end, block->range.end};
  if (hole) *hole = nothing(block->closing);
  return block;
}

Stmt *Builder::nothing(Range where) {
  NullStmt *s = at<NullStmt>(where);
  s->missing = true;
  return s;
}

Stmt *Builder::declarationStatement(Rule *r) {
  Declared d = declaration(r);
  if (d.function) {
    FunctionStmt *s = at<FunctionStmt>(d.function->range);
    s->def = d.function;
    return s;
  }
  DeclStmt *s = at<DeclStmt>(range(r));
  s->decl = d.decl;
  s->sassert = d.sassert;
  return s;
}

Stmt *Builder::label(Rule *r, Stmt **&hole) {
  Token &t = token(r->children[0]);
  if (t.type == P::Default) {
    DefaultStmt *s = at<DefaultStmt>(range(r));
    hole = &s->sub;
    return s;
  }
  if (t.type == P::Case) {
    CaseStmt *s = at<CaseStmt>(range(r));
    for (Node *c : r->children)
      if (!isLeaf(c)) (s->low ? s->high : s->low) = assignment(asRule(c));
    hole = &s->sub;
    return s;
  }
  LabelStmt *s = at<LabelStmt>(range(r));
  s->name = name(t);
  s->nameRange = t.range();
  for (Node *c : r->children)
    if (rule(c) == P::RuleAttribute) attribute(asRule(c), s->attrs);
  hole = &s->sub;
  return s;
}

Stmt *Builder::statement(Rule *r) {
  if (r->exception || r->children.empty()) return at<ErrorStmt>(range(r));
  // if (c) #pragma.. S: what the pragma is about is S.
  while (pragmaIndex < tokens.pragmas.size() && tokens.pragmas[pragmaIndex].range.begin < range(r).begin)
    if (PragmaDecl *p = nextPragma()) {
      auto *pragma = at<PragmaStmt>(p->range);
      pragma->pragma = p;
      auto *block = at<CompoundStmt>(range(r));
      block->closing = Range{block->range.end, block->range.end};
      block->body = {pragma, statement(r)};
      return block;
    }
  Stmt *first = nullptr;
  Stmt **hole = &first;
  Attrs attrs;
  for (Node *c : r->children) {
    Rule *item = asRule(c);
    if (item->getRuleIndex() == P::RuleStatementAttribute) {
      attribute(item, attrs);
      continue;
    }
    Stmt **next = nullptr;
    Stmt *s = item->getRuleIndex() == P::RuleLabel ? label(item, next) : unlabelled(item);
    s->attrs.insert(s->attrs.begin(), attrs.begin(), attrs.end());
    attrs.clear();
    *hole = s;
    hole = next;
    if (!hole) break;
  }
  if (hole) *hole = nothing(range(r));
  return first;
}

Stmt *Builder::unlabelled(Rule *r) {
  Node *first = r->children[0];
  if (isLeaf(first)) return at<NullStmt>(rangeOf(first));
  Rule *s = asRule(first);
  Range all = range(s);
  // The parts of loops and switches: one expression and one statement.
  auto cond = [&] { return comma(child(s, P::RuleExpression)); };
  auto body = [&] { return statement(child(s, P::RuleStatement)); };
  switch (s->getRuleIndex()) {
    case P::RuleCompoundStatement: return compound(s);
    case P::RuleExpressionStatement: {
      ExprStmt *e = at<ExprStmt>(all);
      e->expr = comma(asRule(s->children[0]));
      return e;
    }
    case P::RuleIfStatement: return ifStatement(s);
    case P::RuleSwitchStatement: {
      SwitchStmt *n = at<SwitchStmt>(all);
      n->cond = cond();
      n->body = body();
      return n;
    }
    case P::RuleWhileStatement: {
      WhileStmt *n = at<WhileStmt>(all);
      n->cond = cond();
      n->body = body();
      return n;
    }
    case P::RuleDoStatement: {
      DoStmt *n = at<DoStmt>(all);
      n->body = body();
      n->cond = cond();
      return n;
    }
    case P::RuleForStatement: return forStatement(s);
    case P::RuleJumpStatement: return jump(s);
    case P::RuleAsmStatement: return asmStatement(s);
    case P::RuleScopeStatement: {
      CompoundStmt *n = at<CompoundStmt>(all);
      n->isScope = true;
      cx.openCilkWords |= n->isScope;
      n->closing = Range{all.end, all.end};
      n->body.push_back(body());
      return n;
    }
    case P::RuleSpawnedBlock: {
      Stmt *spawned = body();
      CompoundStmt *block = spawned->kind == StmtKind::Compound ? spawned->as<CompoundStmt>() : nullptr;
      if (!block) {  // cilk_spawn for (..) ..
        block = at<CompoundStmt>(spawned->range);
        block->closing = Range{all.end, all.end};
        block->body.push_back(spawned);
      }
      cx.openCilkWords = true;
      Spawn *spawn = at<Spawn>(all);
      spawn->word = SpawnWord::CilkSpawn;
      spawn->keyword = rangeOf(s->children[0]);
      spawn->block = block;
      ExprStmt *n = at<ExprStmt>(all);
      n->expr = spawn;
      return n;
    }
    default:                                          // cilkStatement
      if (type(s->children[0]) != P::Abort) {
        auto *sync = at<SyncStmt>(all);
        sync->isWritten = true;
        return sync;
      }
      return at<AbortStmt>(all);
  }
}

// A chain of else-ifs is a loop here.
Stmt *Builder::ifStatement(Rule *r) {
  Stmt *first = nullptr;
  Stmt **hole = &first;
  while (r) {
    IfStmt *s = at<IfStmt>(range(r));
    *hole = s;
    s->cond = comma(child(r, P::RuleExpression));
    Rule *otherwise = nullptr;
    for (Node *c : r->children) {
      if (type(c) == P::Else) s->elseWord = rangeOf(c);
      if (rule(c) != P::RuleStatement) continue;
      if (!s->then) s->then = statement(asRule(c));
      else otherwise = asRule(c);
    }
    if (!otherwise) break;
    Rule *next = nullptr;
    if (!otherwise->exception && otherwise->children.size() == 1 &&
        rule(otherwise->children[0]) == P::RuleUnlabelledStatement) {
      Rule *u = asRule(otherwise->children[0]);
      if (rule(u->children[0]) == P::RuleIfStatement) next = asRule(u->children[0]);
    }
    if (next) hole = &s->otherwise;
    else s->otherwise = statement(otherwise);
    r = next;
  }
  return first;
}

// for ( declaration-or-expression; condition; step ) body. The ';' of the first part is the declaration's own, if it is
// one.
Stmt *Builder::forStatement(Rule *r) {
  ForStmt *s = at<ForStmt>(range(r));
  s->isParallel = type(r->children[0]) == P::CilkFor;
  cx.openCilkWords |= s->isParallel;
  int part = 0;
  for (Node *c : r->children) {
    switch (rule(c)) {
      case P::RuleDeclaration: {
        Stmt *init = declarationStatement(asRule(c));
        if (init->kind == StmtKind::Function) diags.report(diag::body_in_declaration, init->range);
        else s->init = init;
        part = 1;
        break;
      }
      case P::RuleExpression: {
        Expr *e = comma(asRule(c));
        if (part == 0) {
          ExprStmt *init = at<ExprStmt>(e->range);
          init->expr = e;
          s->init = init;
        } else {
          (part == 1 ? s->cond : s->step) = e;
        }
        break;
      }
      case P::RuleStatement: s->body = statement(asRule(c)); break;
      default:
        if (type(c) == P::Semicolon) part++;
        break;
    }
  }
  return s;
}

Stmt *Builder::jump(Rule *r) {
  Range all = range(r);
  switch (token(r->children[0]).type) {
    case P::Continue: return at<ContinueStmt>(all);
    case P::Break: return at<BreakStmt>(all);
    case P::Return: {
      ReturnStmt *s = at<ReturnStmt>(all);
      if (Rule *e = child(r, P::RuleExpression)) s->value = comma(e);
      return s;
    }
    default:
      if (Rule *e = child(r, P::RuleExpression)) {
        GotoExprStmt *s = at<GotoExprStmt>(all);
        s->target = comma(e);
        return s;
      }
      GotoStmt *s = at<GotoStmt>(all);
      Token &t = token(r->children[1]);
      s->name = name(t);
      s->nameRange = t.range();
      return s;
  }
}

Stmt *Builder::asmStatement(Rule *r) {
  AsmStmt *s = at<AsmStmt>(range(r));
  int section = 0;  // counts the colons
  std::set<size_t> qualifiers;
  for (Node *c : r->children) {
    switch (rule(c)) {
      case P::RuleAsmQualifier: {
        Token &q = token(asRule(c)->children[0]);
        if (!qualifiers.insert(q.type).second)
          diags.report(diag::asm_operand, q.range()) << "the qualifier '" + std::string(q.view()) + "', again,";
        if (q.type == P::Volatile) s->isVolatile = true;
        if (q.type == P::Goto) s->isGoto = true;
        break;
      }
      case P::RuleStringLiteral: s->text = plainString(asRule(c)); break;
      case P::RuleAsmOperands: asmOperands(asRule(c), section == 1 ? s->outputs : s->inputs); break;
      case P::RuleAsmClobbers:
        for (Node *n : asRule(c)->children)
          if (!isLeaf(n)) s->clobbers.push_back(plainString(asRule(n)));
        break;
      case P::RuleAsmLabels:
        for (Node *n : asRule(c)->children)
          if (isName(type(n))) {
            s->gotoLabels.emplace_back(name(token(n)), nullptr);
            s->gotoRanges.push_back(rangeOf(n));
          }
        break;
      default:
        if (type(c) == P::Colon) section++;
        break;
    }
  }
  s->basic = section == 0;
  if (s->basic || s->outputs.empty() || s->isGoto) s->isVolatile = true;
  return s;
}

void Builder::asmOperands(Rule *r, std::vector<AsmOperand> &out) {
  for (Node *c : r->children) {
    if (isLeaf(c)) continue;
    Rule *o = asRule(c);
    AsmOperand operand;
    operand.range = range(o);
    for (Node *n : o->children) {
      if (isName(type(n))) operand.name = name(token(n));
      else if (rule(n) == P::RuleStringLiteral) operand.constraint = plainString(asRule(n));
      else if (rule(n) == P::RuleExpression) operand.expr = comma(asRule(n));
    }
    out.push_back(std::move(operand));
  }
}

}  // namespace cilkc::parsing
