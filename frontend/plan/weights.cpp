// weights.cpp - the weight of an expression: one walk over what is evaluated, stopping where control may pass by.
#include <string>
#include <unordered_map>
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/plan/weights.h"

namespace cilkc {
namespace {

using Names = std::unordered_map<std::string_view, uint64_t>;

void add(Names &all, std::string_view names, uint64_t value) {
  while (!names.empty()) {
    size_t end = std::min(names.find(' '), names.size());
    all[names.substr(0, end)] = value;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
}

uint64_t libraryUnits(std::string_view name) {
  static const Names table = [] {
    Names all;
#define LIBRARY(names, units) add(all, names, units);
#include "frontend/plan/weights.def"
    return all;
  }();
  auto it = table.find(name);
  return it == table.end() ? 0 : it->second;
}

class Weigher {
public:
  explicit Weigher(const AstContext &a) : ast(a) {}
  Weight total;

  void expression(const Expr *root) {
    eachExpr(root, Walk::Evaluated, [&](const Expr *e) { return node(e); });
  }
  // Each 8 bytes of a structure or array; whatever fits a register is one.
  void access(Operation o, QualType q, uint64_t times = 1) {
    uint64_t size = q && (q->isRecord() || q->isArray()) && isComplete(q.type) && !hasVariableSize(q.type)
                        ? sizeOf(q.type, ast.target)
                        : 8;
    add(o, (size + 7) / 8 * times);
    if (q.isAtomic()) add(Operation::Atomic);
  }
  // x++, x op= y: of an atomic object one operation.
  void update(const Expr *lhs) {
    read(lhs);
    if (!isRegister(lhs)) access(Operation::Store, lhs->type.unqual());
  }
  void add(Operation o, uint64_t times = 1) { total.own += unitsOf(o) * times; }
  // A local scalar whose address is not taken: no memory is accessed.
  static bool isRegister(const Expr *lvalue) {
    bool whole = false;
    const VarDecl *v = baseVariable(lvalue, &whole);
    return v && !v->addressTaken && !v->type.isVolatile() && !v->type.isAtomic() && !v->type->isArray() &&
           !v->type->isRecord();
  }

private:
  const AstContext &ast;

  void write(const Expr *lhs) {
    if (!isRegister(lhs)) access(Operation::Store, lhs->type);
  }
  void read(const Expr *lhs) {
    if (!isRegister(lhs)) access(Operation::Load, lhs->type);
  }
  void operation(BinaryOp op, const Type *type) {
    if (op == BinaryOp::Comma) return;
    bool complex = type && type->isComplex();
    if (type && type->isPointer() && (op == BinaryOp::Add || op == BinaryOp::Sub)) add(Operation::Address);
    else add(op == BinaryOp::Div || op == BinaryOp::Rem ? Operation::Division : Operation::Arithmetic, complex ? 4 : 1);
  }
  void conversion(CastKind kind, const Expr *sub) {
    switch (kind) {
      case CastKind::LvalueToRvalue: read(sub); break;
      case CastKind::IntToFloat:
      case CastKind::FloatToInt:
      case CastKind::FloatToFloat: add(Operation::Conversion); break;
      default: break;
    }
  }
  void arguments(const Call *c) {
    add(Operation::Argument, c->args.size());
    for (const Expr *a : c->args)
      if (a->type && a->type->isRecord()) access(Operation::Store, a->type);
  }
  void atomic(std::string_view name) {
    auto has = [&](std::string_view part) { return name.find(part) != name.npos; };
    if (has("lock_free")) return;
    add(Operation::Atomic);
    bool fence = has("fence") || has("synchronize"), stores = has("store") || has("clear") || has("release");
    if (!fence && !stores) add(Operation::Load);
    if (!fence && !has("load")) add(Operation::Store);
  }
  void call(const Call *c) {
    const FunctionDecl *callee = directCallee(c);
    std::string_view name = callee ? callee->name : std::string_view();
    bool hidden = name.starts_with("__builtin_");
    if (hidden) name.remove_prefix(10);
    if (uint64_t library = libraryUnits(name)) {
      add(Operation::Call);
      arguments(c);
      total.library += library;
    } else if (name.starts_with("atomic_") || name.starts_with("__atomic_") || name.starts_with("__sync_")) {
      atomic(name);
    } else if (hidden) {
      if (name != "expect" && name != "expect_with_probability" && name != "unreachable" && name != "assume" &&
          name != "constant_p")
        add(Operation::Builtin);
    } else {
      add(Operation::Call);
      arguments(c);
    }
  }

  // Are the nodes below evaluated whenever e is?
  bool node(const Expr *e) {
    switch (e->kind) {
      case ExprKind::Unary: {
        auto *u = e->as<Unary>();
        if (isIncDec(u->op)) {
          update(u->sub);
          add(u->sub->type && u->sub->type->isPointer() ? Operation::Address : Operation::Arithmetic);
        } else if (u->op == UnaryOp::Minus || u->op == UnaryOp::BitNot || u->op == UnaryOp::Not)
          add(Operation::Arithmetic);
        return true;
      }
      case ExprKind::Binary: {
        auto *b = e->as<Binary>();
        if (isLogical(b->op)) {
          add(Operation::Branch);
          expression(b->lhs);
          return false;
        }
        operation(b->op, b->lhs->type && b->lhs->type->isInteger() && b->rhs->type && b->rhs->type->isPointer()
                             ? b->rhs->type.type
                             : b->lhs->type.type);
        return true;
      }
      case ExprKind::Assign: {
        auto *a = e->as<Assign>();
        if (a->compound) {
          update(a->lhs);
          operation(a->op, a->computeType ? a->computeType.type : a->lhs->type.type);
        } else write(a->lhs);
        return true;
      }
      case ExprKind::Conditional:
        add(Operation::Branch);
        expression(e->as<Conditional>()->cond);
        return false;
      case ExprKind::Cast: conversion(e->as<Cast>()->castKind, e->as<Cast>()->sub); return true;
      case ExprKind::ImplicitCast: conversion(e->as<ImplicitCast>()->castKind, e->as<ImplicitCast>()->sub); return true;
      case ExprKind::Index:
        if (!e->as<Index>()->base->type->isVector()) add(Operation::Address);
        return true;
      case ExprKind::CompoundLit: {
        auto *c = e->as<CompoundLit>();
        if (c->init && c->init->plan) plan(*c->init->plan);
        return false;
      }
      case ExprKind::Call: call(e->as<Call>()); return true;
      case ExprKind::VaArg: add(Operation::Load, 2); return true;
      case ExprKind::StmtExpr: return false;                     // its statements weigh themselves
      default: return otherKinds<34>(true);
    }
  }

public:
  void spawn(const SpawnStmt &s) {
    add(Operation::Delivery);
    if (s.inlet) add(Operation::Delivery);
    add(Operation::Argument, s.arguments.size());
    // the store, the operation, the conversions
    expression(s.delivery ? static_cast<const Expr *>(s.delivery) : s.value);
    for (const Expr *a : s.arguments) expression(a);
    expression(s.call);
  }
  void plan(const InitPlan &p) {
    uint64_t stored = 0;
    for (auto &s : p.stores) {
      // as its elements one by one
      if (const auto *row = s.value->kind == ExprKind::Data ? s.value->as<Data>() : nullptr) {
        access(Operation::Store, row->type->as<ArrayType>()->elem, s.repeat * row->count);
        stored += s.repeat * row->count * 8;
        continue;
      }
      expression(s.value);
      access(Operation::Store, s.type, s.repeat);
      stored += s.repeat * 8;
    }
    if (p.size > stored) add(Operation::Store, (p.size - stored + 7) / 8);   // the rest is zero
  }
};

}  // namespace

int lengthArgument(const FunctionDecl *f) {
  static const Names table = [] {
    Names all;
#define LENGTH(names, argument) add(all, names, argument);
#include "frontend/plan/weights.def"
    return all;
  }();
  std::string_view name = f ? f->name : std::string_view();
  if (name.starts_with("__builtin_")) name.remove_prefix(10);
  auto it = table.find(name);
  return it == table.end() ? -1 : static_cast<int>(it->second);
}

Weight weightOf(const Expr *e, const AstContext &ast) {
  Weigher w(ast);
  if (e) w.expression(e);
  return w.total;
}

Weight weightOf(const SpawnStmt *s, const AstContext &ast) {
  Weigher w(ast);
  w.spawn(*s);
  return w.total;
}

Weight weightOf(const Initializer *init, const AstContext &ast) {
  Weigher w(ast);
  if (init && init->list && init->list->plan) w.plan(*init->list->plan);
  else if (init && init->expr) {
    w.expression(init->expr);
    if (init->expr->type && (init->expr->type->isRecord() || init->expr->type->isArray()))
      w.access(Operation::Store, init->expr->type);
  }
  return w.total;
}

}  // namespace cilkc
