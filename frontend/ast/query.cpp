// query.cpp - see query.h.
#include "frontend/ast/query.h"
#include <algorithm>

namespace cilkc {

// The operand that a _Generic or __builtin_choose_expr has the value of; null for other expressions, and where sema has
// chosen none.
static const Expr *chosenOperand(const Expr *e) {
  if (e->kind == ExprKind::Generic) return e->as<Generic>()->chosen;
  return e->kind == ExprKind::ChooseExpr ? e->as<ChooseExpr>()->chosen : nullptr;
}

const Expr *ignoreParens(const Expr *e) {
  while (e) {
    const Expr *sub = e->kind == ExprKind::Paren ? e->as<ParenExpr>()->sub : chosenOperand(e);
    if (!sub) return e;
    e = sub;
  }
  return e;
}

const Expr *ignoreParensAndImplicit(const Expr *e) {
  for (;;) {
    e = ignoreParens(e);
    if (!e || e->kind != ExprKind::ImplicitCast) return e;
    e = e->as<ImplicitCast>()->sub;
  }
}

const Expr *ignoreCasts(const Expr *e) {
  for (;;) {
    e = ignoreParensAndImplicit(e);
    if (!e || e->kind != ExprKind::Cast) return e;
    e = e->as<Cast>()->sub;
  }
}

static bool betweenPointers(CastKind k) { return k == CastKind::NoOp || k == CastKind::PointerToPointer; }

const Expr *ignorePointerCasts(const Expr *e) {
  for (;;) {
    e = ignoreParens(e);
    if (e->kind == ExprKind::ImplicitCast && betweenPointers(e->as<ImplicitCast>()->castKind))
      e = e->as<ImplicitCast>()->sub;
    else if (e->kind == ExprKind::Cast && betweenPointers(e->as<Cast>()->castKind)) e = e->as<Cast>()->sub;
    else return e;
  }
}

Stmt *valueStatement(const StmtExpr *e) {
  Stmt *last = e->body->body.empty() ? nullptr : e->body->body.back();
  while (last && last->kind == StmtKind::Label && last->as<LabelStmt>()->sub) last = last->as<LabelStmt>()->sub;
  return last;
}

const Decl *namedDecl(const Expr *e) {
  e = ignoreParensAndImplicit(e);
  return e && e->kind == ExprKind::Ident ? e->as<Ident>()->decl : nullptr;
}

const VarDecl *namedVariable(const Expr *e) {
  const Decl *d = namedDecl(e);
  return d && d->kind == DeclKind::Var ? d->as<VarDecl>() : nullptr;
}

const FunctionDecl *directCallee(const Call *c) {
  const Decl *d = c ? namedDecl(c->callee) : nullptr;
  return d && d->kind == DeclKind::Function ? d->as<FunctionDecl>() : nullptr;
}

const FunctionDecl *directCallee(const SpawnStmt *s) { return s ? directCallee(s->call) : nullptr; }

VarDecl *baseVariable(const Expr *e, bool *whole) {
  bool all = true;
  for (;;) {
    e = ignoreParens(e);
    if (!e) return nullptr;
    if (whole) *whole = all;
    switch (e->kind) {
      case ExprKind::Ident: {
        Decl *d = e->as<Ident>()->decl;
        return d && d->kind == DeclKind::Var && d->as<VarDecl>()->isLocal ? d->as<VarDecl>() : nullptr;
      }
      case ExprKind::CompoundLit: return e->as<CompoundLit>()->object;
      case ExprKind::Member:
        if (e->as<Member>()->arrow) return nullptr;
        e = e->as<Member>()->base;
        break;
      // an array has decayed, that is a pointer; a vector has not
      case ExprKind::Index: {
        const Expr *base = e->as<Index>()->base;
        if (!base || !base->type || !base->type->isVector()) return nullptr;
        e = base;
        break;
      }
      case ExprKind::Unary:
        if (e->as<Unary>()->op != UnaryOp::Real && e->as<Unary>()->op != UnaryOp::Imag) return nullptr;
        e = e->as<Unary>()->sub;
        break;
      // any other expression designates through a pointer, or is not an lvalue
      default: return otherKinds<34>(nullptr);
    }
    all = false;
  }
}

const char *spelling(UnaryOp o) {
  static const char *const text[] = {"+", "-", "~", "!", "*", "&", "++", "--", "++", "--", "__real__", "__imag__"};
  return text[static_cast<int>(o)];
}

const char *spelling(BinaryOp o) {
  static const char *const text[] = {"*", "/", "%", "+", "-", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "^",
      "|", "&&", "||", ","};
  return text[static_cast<int>(o)];
}

const char *name(UnaryOp o) {
  switch (o) {
    case UnaryOp::PreInc: return "++x";
    case UnaryOp::PreDec: return "--x";
    case UnaryOp::PostInc: return "x++";
    case UnaryOp::PostDec: return "x--";
    default: return spelling(o);
  }
}

const char *name(CastKind k) {
  static const char *const text[] = {"NoOp", "LvalueToRvalue", "ArrayToPointer", "FunctionToPointer", "IntToInt",
      "IntToFloat", "FloatToInt", "FloatToFloat", "ToBool", "PointerToInt", "IntToPointer", "PointerToPointer",
      "NullToPointer", "RealToComplex", "ComplexToReal", "ComplexToComplex", "VectorBitcast", "ScalarToVector",
      "ToVoid", "ToUnion", "Dependent"};
  return text[static_cast<int>(k)];
}

namespace {

struct CountedFacts {
  uint8_t weight, traits;
};
constexpr CountedFacts countedFacts[] = {
#define T(trait) | static_cast<uint8_t>(Trait::trait)
#define STMT(kind, cls, children, facts, weight, traits) {weight, 0 traits},
#include "frontend/ast/nodes.def"
#undef T
};

}  // namespace

bool has(StmtKind k, Trait t) { return (countedFacts[static_cast<size_t>(k)].traits & static_cast<uint8_t>(t)) != 0; }
size_t weight(StmtKind k) { return countedFacts[static_cast<size_t>(k)].weight; }

std::string decimal(unsigned __int128 v) {
  std::string digits;
  do digits += static_cast<char>('0' + static_cast<int>(v % 10));
  while (v /= 10);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::string decimal(__int128 v) {
  return v < 0 ? "-" + decimal(-static_cast<unsigned __int128>(v)) : decimal(static_cast<unsigned __int128>(v));
}

}  // namespace cilkc
