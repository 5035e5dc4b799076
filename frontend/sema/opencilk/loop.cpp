// loop.cpp - cilk_for.
//
// A parallel loop becomes: its end, stride and number of iterations, each evaluated once; then a call of a procedure
// that runs the iterations lo..hi. While there are more than a grain of them it spawns itself for each half, else it
// runs them one after the other:
//
//     loop(lo, hi, grain, captures..):
//       if (hi - lo > grain) { mid = lo + (hi - lo) / 2;  spawn loop(lo, mid, ..);  spawn loop(mid, hi, ..);  sync }
//       else for (k = lo; k != hi; k++) { T i = i0 + k * stride;  body;  sync if the body spawns }
//
// A grain whose body spawns nothing counts in T, too, so that LLVM knows as much of i as in the serial loop:
//
//       for (k = lo, j = i0 + lo * stride; j < i0 + hi * stride; k++, j += stride) { T i = j;  body }
//
// The condition is `k != hi` where j could wrap before it ends the loop.
//
// Within a grain a view is one object. Where the body calls nothing, scalar views are kept in local variables
// (reduce.cpp), so that they are in registers.
//
// Where the body spawns, the procedure calls itself for a grain after the other while no thief asks (division). Where
// it spawns nothing, what is left is halved only when it is asked for, or before it has begun:
//
//       if (hi - lo <= grain || !wanted) run iterations until hi, or until more than a grain is left and wanted: lo = k
//       if (lo != hi) { mid = lo + (hi - lo) / 2; .. as above }
//
// In fast clones that push nothing, `wanted` is the release flag. Elsewhere each range is halved before it begins, and
// none later. The flag is read before each iteration; before each piece of several where the body's cost is known
// (cost.cpp) to be small, so that a piece vectorises. Tools see each range halved (LangOptions::everyIteration).
//
// Fast clones have all that comes before the division in line (frontend/plan/prefix.cpp), or where the cost is small
// the case of one piece. So a loop that no thief interrupts is one in its function, with all that LLVM knows there.
//
// All numbers are computed in unsigned 64 bits (128 for such a variable), where nothing overflows that the serial loop
// would not compute. The grain follows from the number of iterations and the text of the body, so where a range may be
// divided is the same for every number of workers.
#include <bit>
#include "frontend/ast/query.h"
#include "frontend/ast/visit.h"
#include "frontend/parse/parse.h"
#include "frontend/sema/opencilk/outline.h"
#include "diag/cilk.h"
#include "diag/parse.h"

namespace cilkc {

namespace {

// The grain: a piece of so many, but not above the limit. Where that makes more than a large loop's number of pieces,
// larger pieces cost fewer spawns and share the work as evenly.
enum : unsigned long long { Pieces = 512, GrainLimit = 2048, LargePieces = 2048, LargeLimit = 8192 };
// A piece is at least so many instructions, where that can be told: fewer are not worth a steal, and would cost more to
// divide than to run. While no thief asks a piece begins with so many of these, and grows to so many.
enum : unsigned long long { PieceCost = 2048, PieceStart = 4, PieceGrowth = 16 };

struct Header {
  VarDecl *i = nullptr;
  BinaryOp op{};  // i op end
  Expr *end = nullptr;  // untyped
  Expr *stride = nullptr;  // untyped; null: 1
  bool down = false;  // i -= stride
};

bool names(const Expr *e, const VarDecl *v) {
  e = e ? ignoreParens(e) : nullptr;
  return e && e->kind == ExprKind::Ident && e->as<Ident>()->name == v->name;
}

BinaryOp mirrored(BinaryOp op) {
  switch (op) {
    case BinaryOp::Lt: return BinaryOp::Gt;
    case BinaryOp::Gt: return BinaryOp::Lt;
    case BinaryOp::Le: return BinaryOp::Ge;
    case BinaryOp::Ge: return BinaryOp::Le;
    default: return op;
  }
}

struct LoopMaker {
  CilkSema &sema;
  ForStmt *f;
  AstContext &cx = sema.cx;
  Build b{sema, f->range};
  Header h{};
  std::vector<Stmt *> first{};  // before the call
  Assign *outer = nullptr;  // i = .., where the variable is declared before the loop (-fcilkplus)
  bool wide = false;  // a variable of 128 bits
  unsigned long long least = 1;  // iterations of a piece, if no grain is asked for

  bool bad(Range where, const std::string &text, const std::string &note) const {
    sema.diags.report(diag::cilk_for_form, where.valid() ? where : f->range)
            .note(where.valid() ? where : f->range, note)
        << text;
    return false;
  }

  // cilk_for (i = 0; ..)  with i declared before: the variable, or null.
  VarDecl *assigned() const {
    const Expr *e = f->init && f->init->kind == StmtKind::Expr ? ignoreParens(f->init->as<ExprStmt>()->expr) : nullptr;
    const Expr *name =
        e && e->kind == ExprKind::Assign && !e->as<Assign>()->compound ? ignoreParens(e->as<Assign>()->lhs) : nullptr;
    Decl *d = name && name->kind == ExprKind::Ident ? sema.scopes.lookup(name->as<Ident>()->name) : nullptr;
    return d && d->kind == DeclKind::Var && d->type ? d->as<VarDecl>() : nullptr;
  }

  bool noDeclaration(const VarDecl *v) const {
    if (!v)
      return bad(f->init ? f->init->range : f->range, "cilk_for declares its loop variable",
          "write `cilk_for (int i = 0; i < n; i++)`");
    const bool plus = cx.lang.cilkPlus;
    const char *also = plus ? "" : "; -fcilkplus takes a variable of the function, as Cilk Plus did in C";
    sema.diags.report(diag::cilk_for_form, f->init->range)
            .note(f->init->range, "write `cilk_for (" + declToString(v->type.unqual(), v->name) + " = ..`" + also)
            .fixit(Range{f->init->range.begin, f->init->range.begin}, declToString(v->type.unqual(), "") + " ")
        << (plus ? "the loop variable of cilk_for is an automatic one of the function, and not volatile"
                 : "cilk_for declares its loop variable: each iteration has one of its own");
    return false;
  }

  // Cilk Plus took a variable of the function in C. Each iteration has its own copy nevertheless. Once the loop is done
  // the variable has the value that the serial loop leaves in it (`last`); before, nothing is stored in it.
  bool readAssignment() {
    VarDecl *v = assigned();
    if (!v || !cx.lang.cilkPlus || !v->isLocal || v->type.isVolatile() || v->type.isAtomic()) return noDeclaration(v);
    Expr *e = ignoreParensAndImplicit(sema.exprs.rvalue(f->init->as<ExprStmt>()->expr));
    if (e->kind != ExprKind::Assign || e->type->isError()) return false;
    outer = e->as<Assign>();
    h.i = b.local(v->type.unqual(), "start");
    h.i->name = v->name;
    v->used = true;
    f->init = b.assign(h.i, outer->rhs);
    return true;
  }

  Stmt *last(VarDecl *n, VarDecl *kept, const std::optional<__int128> &known) const {
    auto *a = b.make<Assign>();
    a->lhs = outer->lhs;
    a->rhs = iterationOf(n, kept, known);
    a->opRange = outer->opRange;
    a->type = outer->type;
    auto *s = b.make<ExprStmt>();
    s->expr = sema.conv.discard(a);
    return s;
  }

  bool readVariable() {
    if (!f->init || f->init->kind != StmtKind::Decl || !f->init->as<DeclStmt>()->decl ||
        f->init->as<DeclStmt>()->decl->declarators.empty()) {
      if (!readAssignment()) return false;
    } else {
      sema.fs->inside.forHeader = true;
      f->init = sema.stmts.stmt(f->init);
      sema.fs->inside.forHeader = false;
      const InitDeclarator &d = f->init->as<DeclStmt>()->decl->declarators[0];
      if (!d.decl || d.decl->kind != DeclKind::Var || !d.decl->type || d.decl->type->isError()) return false;
      h.i = d.decl->as<VarDecl>();
      if (h.i->storage == StorageClass::Static || h.i->storage == StorageClass::Extern) return false;  // reported
      if (!h.i->init && !d.init)
        return bad(h.i->range, "the loop variable of cilk_for has no initial value",
            "write `cilk_for (int i = 0; ..)`");
    }
    QualType t = h.i->type;
    if (t.isConst() || t.isVolatile())
      return bad(h.i->range, std::string("the loop variable of cilk_for is ") + (t.isConst() ? "const" : "volatile"),
          t.isConst() ? "the increment changes it: leave out `const`"
                      : "each iteration has its own copy, which is in no memory that others see: leave out `volatile`");
    wide = t->kind == TypeKind::Int128 || t->kind == TypeKind::UInt128;
    bool integer = t->isInteger() && !t->isBool() && (wide || sizeOf(t.type, cx.target) <= 8) && !t.isAtomic();
    bool pointer =
        t->isPointer() && !t->as<PointerType>()->pointee->isFunction() && !t->as<PointerType>()->pointee->isVoid();
    if (!integer && !pointer)
      return bad(h.i->range,
          "the loop variable of cilk_for is an integer or a pointer to objects, not '" + toString(t) + "'",
          "count with an integer, and compute the rest from it");
    if (pointer && !sema.types.requireComplete(t->as<PointerType>()->pointee, h.i->range, "pointer arithmetic"))
      return false;
    return true;
  }

  bool readCondition() {
    const char *allowed = "allowed are `i < e`, `<=`, `>`, `>=` and `!=`, with the loop variable alone on one side";
    Expr *c = f->cond ? ignoreParens(f->cond) : nullptr;
    if (!c) return bad(f->range, "cilk_for has no condition", allowed);
    if (c->kind != ExprKind::Binary)
      return bad(c->range, "the condition of cilk_for is not a comparison of the loop variable", allowed);
    auto *n = c->as<Binary>();
    if (n->op != BinaryOp::Lt && n->op != BinaryOp::Gt && n->op != BinaryOp::Le && n->op != BinaryOp::Ge &&
        n->op != BinaryOp::Ne)
      return bad(n->opRange.valid() ? n->opRange : c->range, "the condition of cilk_for has another operator", allowed);
    if (names(n->lhs, h.i)) h.op = n->op, h.end = n->rhs;
    else if (names(n->rhs, h.i)) h.op = mirrored(n->op), h.end = n->lhs;
    else
      return bad(c->range,
          "the condition of cilk_for does not compare the loop variable '" + std::string(h.i->name) + "' itself",
          allowed);
    return true;
  }

  bool readStep() {
    const char *allowed =
        "allowed are `++i`, `i++`, `--i`, `i--`, `i += s`, `i -= s`, `i = i + s`, `i = s + i` and `i = i - s`";
    Expr *s = f->step ? ignoreParens(f->step) : nullptr;
    if (!s) return bad(f->range, "cilk_for has no increment", allowed);
    if (s->kind == ExprKind::Unary && isIncDec(s->as<Unary>()->op) && names(s->as<Unary>()->sub, h.i)) {
      h.down = s->as<Unary>()->op == UnaryOp::PreDec || s->as<Unary>()->op == UnaryOp::PostDec;
      return true;
    }
    if (s->kind == ExprKind::Assign && names(s->as<Assign>()->lhs, h.i)) {
      auto *a = s->as<Assign>();
      if (a->compound && (a->op == BinaryOp::Add || a->op == BinaryOp::Sub)) {
        h.stride = a->rhs;
        h.down = a->op == BinaryOp::Sub;
        return true;
      }
      Expr *r = ignoreParens(a->rhs);
      if (!a->compound && r->kind == ExprKind::Binary) {
        auto *n = r->as<Binary>();
        if ((n->op == BinaryOp::Add || n->op == BinaryOp::Sub) && names(n->lhs, h.i)) {
          h.stride = n->rhs;
          h.down = n->op == BinaryOp::Sub;
          return true;
        }
        if (n->op == BinaryOp::Add && names(n->rhs, h.i)) {
          h.stride = n->lhs;
          return true;
        }
      }
    }
    return bad(s->range, "cilk_for increments its loop variable '" + std::string(h.i->name) + "' in another way",
        allowed);
  }

  bool upwards() const { return h.op == BinaryOp::Lt || h.op == BinaryOp::Le; }

  bool checked(__int128 stride, Range where) const {
    if (stride == 0) return bad(where, "the stride of cilk_for is 0", "the loop would not end");
    if (h.op != BinaryOp::Ne && (upwards() ? stride < 0 : stride > 0))
      return bad(where, "the stride of cilk_for leads away from its end", "the loop would not end");
    return true;
  }

  // The bits of the unsigned arithmetic of variable and stride, in which `i -= -2u` adds 2; 0: it is signed.
  unsigned wrapsAt(Expr *s) const {
    Expr *i = b.value(h.i);
    if (!i->type->isInteger() || wide) return 0;
    QualType common = sema.conv.usualArithmetic(i, s);
    return isSigned(common.type, cx.target) ? 0 : static_cast<unsigned>(sizeOf(common.type, cx.target) * 8);
  }

  // The same stride with the other sign, modulo 2^bits, where the written one leads away from the end, or is longer.
  __int128 turned(__int128 s, unsigned bits) const {
    const __int128 all = static_cast<__int128>(1) << bits;
    const bool away = h.op == BinaryOp::Ne ? s > all / 2 || s < -all / 2 : upwards() ? s < 0 : s > 0;
    const __int128 other = s < 0 ? s + all : s - all;
    return bits && away && other <= all / 2 && other >= -all / 2 ? other : s;
  }

  // The stride as an unsigned 64-bit number, modulo 2^64; what is not constant is evaluated once.
  Expr *stride(VarDecl *&kept, std::optional<__int128> &known) {
    if (!h.stride) {
      known = h.down ? -1 : 1;
      return checked(*known, f->step->range) ? nullptr : sema.conv.error(f->step->range);
    }
    Expr *s = sema.exprs.rvalue(h.stride);
    if (s->type->isError()) return s;
    if (!s->type->isInteger()) {
      bad(s->range, "the stride of cilk_for is an integer, not '" + toString(s->type) + "'",
          "count with an integer, and compute the rest from it");
      return sema.conv.error(s->range);
    }
    const unsigned bits = wrapsAt(s);
    if (auto v = sema.conv.knownInteger(s)) {
      known = turned(h.down ? -*v : *v, bits);
      return checked(*known, s->range) ? nullptr : sema.conv.error(s->range);
    }
    kept = b.local(word(), "stride");
    Expr *value = b.convert(s, word());
    auto negative = [&](Expr *e) { return b.binary(BinaryOp::Sub, number(0), e); };
    auto low = [&](TypeKind half) { value = b.convert(b.convert(value, cx.basic(half)), word()); };
    if (h.down) value = negative(value);
    if (bits == 32 && h.op == BinaryOp::Ne) low(TypeKind::Int);
    else if (bits == 32 && upwards()) low(TypeKind::UInt);
    else if (bits == 32) value = negative(value), low(TypeKind::UInt), value = negative(value);
    first.push_back(b.assign(kept, value));
    return nullptr;
  }

  // What the loop's numbers are computed in, but for the numbers of iterations.
  QualType word() const { return wide ? cx.basic(TypeKind::UInt128) : b.word(); }
  Expr *number(__int128 n) const {
    return sema.conv.intConstant(wide ? n : static_cast<uint64_t>(n), word(), f->range);
  }

  // The value of a variable of the function around the loop, there or in the loop's procedure.
  Expr *valueOf(VarDecl *v) const {
    Ident *id = b.ref(v);
    Expr *e = sema.openCilk.capture(id, v);
    return sema.conv.load(e ? e : id);
  }

  // i0 + number * stride
  Expr *iterationOf(VarDecl *k, VarDecl *kept, const std::optional<__int128> &known) const {
    Expr *start = valueOf(h.i), *times = b.convert(b.value(k), word());
    if (!known || *known != 1) times = b.binary(BinaryOp::Mul, times, known ? number(*known) : valueOf(kept));
    if (h.i->type->isPointer()) return b.binary(BinaryOp::Add, start, b.convert(times, cx.basic(TypeKind::Long)));
    return b.convert(b.binary(BinaryOp::Add, b.convert(start, word()), times), h.i->type.unqual());
  }

  // (|end - i| - 1) / |stride| + 1, or |end - i| / |stride| + 1 for inclusive ends; 0 if the condition fails at once.
  VarDecl *count(VarDecl *end, VarDecl *kept, const std::optional<__int128> &known) {
    VarDecl *n = b.local(b.word(), "iterations");
    auto variable = [&] { return b.convert(b.value(h.i), end->type.unqual()); };
    auto distance = [&](bool up) {
      if (end->type->isPointer()) {
        Expr *d =
            up ? b.binary(BinaryOp::Sub, b.value(end), variable()) : b.binary(BinaryOp::Sub, variable(), b.value(end));
        return b.convert(d, b.word());
      }
      // Only a loop that ends with `!=` may wrap on its way, in the type of its variable.
      const uint64_t size = sizeOf(h.op == BinaryOp::Ne ? h.i->type.type : end->type.type, cx.target);
      QualType u = cx.basic(wide        ? TypeKind::UInt128
                            : size > 4  ? TypeKind::ULong
                            : size == 4 ? TypeKind::UInt
                            : size == 2 ? TypeKind::UShort
                                        : TypeKind::UChar);
      Expr *x = b.convert(b.value(end), u), *y = b.convert(variable(), u);
      return b.convert(b.convert(up ? b.binary(BinaryOp::Sub, x, y) : b.binary(BinaryOp::Sub, y, x), u), word());
    };
    const bool inclusive = h.op == BinaryOp::Le || h.op == BinaryOp::Ge;
    auto iterations = [&](bool up, Expr *size) {
      Expr *d = distance(up);
      if (!inclusive) d = b.binary(BinaryOp::Sub, d, number(1));
      if (size) d = b.binary(BinaryOp::Div, d, size);
      return b.binary(BinaryOp::Add, d, number(1));
    };
    Stmt *some;
    auto absolute = [&](bool negative) -> Expr * {
      if (known) {
        const __int128 size = *known < 0 ? -*known : *known;
        return size == 1 ? nullptr : number(size);
      }
      return negative ? b.binary(BinaryOp::Sub, number(0), b.value(kept)) : b.value(kept);
    };
    if (h.op == BinaryOp::Ne && !known) {
      QualType sign = cx.basic(wide ? TypeKind::Int128 : TypeKind::Long);
      Expr *negative = b.binary(BinaryOp::Lt, b.convert(b.value(kept), sign), b.convert(number(0), sign));
      some = b.branch(negative, b.assign(n, iterations(false, absolute(true))),
          b.assign(n, iterations(true, absolute(false))));
    } else {
      bool up = h.op == BinaryOp::Ne ? *known > 0 : upwards();
      some = b.assign(n, iterations(up, absolute(!up)));
    }
    first.push_back(b.branch(b.binary(h.op, variable(), b.value(end)), some, b.assign(n, b.number(0))));
    return n;
  }

  VarDecl *grain(Expr *wanted, VarDecl *n) {
    VarDecl *g = b.local(b.word(), "grain");
    if (wanted) {
      VarDecl *asked = b.local(cx.basic(TypeKind::Long), "grainsize");
      first.push_back(b.assign(asked, wanted));
      Expr *one = b.convert(b.number(1), cx.basic(TypeKind::Long));
      first.push_back(b.branch(b.binary(BinaryOp::Lt, b.value(asked), one), b.assign(g, b.number(1)),
          b.assign(g, b.convert(b.value(asked), b.word()))));
      return g;
    }
    auto upTo = [&](unsigned long long iterations) { return b.binary(BinaryOp::Le, b.value(n), b.number(iterations)); };
    auto is = [&](Expr *value) { return b.assign(g, value); };
    Expr *small = b.binary(BinaryOp::Div, b.binary(BinaryOp::Add, b.value(n), b.number(Pieces - 1)), b.number(Pieces));
    Expr *large = b.binary(BinaryOp::Div, b.value(n), b.number(LargePieces));
    first.push_back(b.branch(likely(upTo(least * Pieces)), is(b.number(least)),
        b.branch(upTo(GrainLimit * Pieces), is(small),
            b.branch(upTo(GrainLimit * LargePieces), is(b.number(GrainLimit)),
                b.branch(upTo(LargeLimit * LargePieces), is(large), is(b.number(LargeLimit)))))));
    return g;
  }

  Expr *likely(Expr *test) const {
    QualType t = cx.basic(TypeKind::Long);
    return b.builtin("__builtin_expect", BuiltinId::expect,
        {b.convert(test, t), sema.conv.intConstant(1, t, f->range)});
  }

  // i <= 255 of an unsigned char
  void warnIfEndless(const Expr *bound, QualType common) const {
    auto c = sema.conv.knownInteger(bound);
    if (!c || !h.i->type->isInteger() || wide) return;
    auto outcome = sema.warn.outcomeForAll(h.op, h.i->type.type, common.type, *c);
    if (outcome && *outcome) sema.diags.report(diag::cilk_for_endless, f->cond->range);
  }

  // cilk_for (int i = 0; i <= 5; i++) a[i] with int a[5]
  void warnOfElements(const Stmt *body, const VarDecl *i, const std::optional<__int128> &stride) const {
    if (!h.i->init || !h.i->init->expr) return;
    auto start = sema.conv.knownInteger(h.i->init->expr), end = sema.conv.knownInteger(h.end);
    if (!start || !end || !stride || (*stride != 1 && *stride != -1)) return;
    const bool inclusive = h.op == BinaryOp::Le;
    if (*stride == 1 && (upwards() || h.op == BinaryOp::Ne) && *start <= *end - !inclusive)
      sema.warn.checkIndexUpTo(i, *end - !inclusive, body, f->cond->range, inclusive);
    else if (*stride == -1 && (h.op == BinaryOp::Ge ? *start >= *end : *start > *end))
      sema.warn.checkIndexUpTo(i, *start, body, f->cond->range, false);
  }

  // The serial loop goes on from what its body makes of the variable.
  void warnOfChanges(const Stmt *body, const VarDecl *i) const {
    eachNode(body, Walk::Evaluated, [&](const auto *n) {
      if constexpr (std::is_base_of_v<Expr, std::remove_cvref_t<decltype(*n)>>) {
        const Expr *to = n->kind == ExprKind::Assign ? n->template as<Assign>()->lhs
                         : n->kind == ExprKind::Unary && isIncDec(n->template as<Unary>()->op)
                             ? n->template as<Unary>()->sub
                             : nullptr;
        if (to && n->range.valid() && namedDecl(to) == i)
          sema.diags.report(diag::cilk_for_variable, n->range).note(i->range, "use another variable in the body")
              << i->name;
      }
    });
  }

  unsigned long long leastOf(const Stmt *body) const {
    const unsigned long long cost = costOf(body, cx);
    return cost ? std::bit_ceil((PieceCost + cost - 1) / cost) : 1;  // whole vectors
  }

  // Is no thief waiting for a part of it?
  Expr *unasked(bool begun) const {
    QualType t = cx.basic(TypeKind::Int);
    Expr *wanted =
        b.builtin("__builtin_cilk_wanted", BuiltinId::cilk_wanted, {sema.conv.intConstant(begun, t, f->range)});
    return b.binary(BinaryOp::Eq, wanted, sema.conv.intConstant(0, t, f->range));
  }

  // do { end = lo + length, or hi if no more than a grain is left then;  piece;  lo = end } while (unasked && lo != hi)
  Stmt *inPieces(Stmt *piece, VarDecl *lo, VarDecl *hi, VarDecl *end, VarDecl *grain, bool asked) const {
    auto rest = [&] { return b.binary(BinaryOp::Sub, b.value(hi), b.value(lo)); };
    VarDecl *length = b.local(b.word(), "length");
    Stmt *further = b.assign(end, b.binary(BinaryOp::Add, b.value(lo), b.value(length)));
    Stmt *grow = b.branch(b.binary(BinaryOp::Lt, b.value(length), b.number(least * PieceGrowth)),
        b.assign(length, b.binary(BinaryOp::Mul, b.value(length), b.number(2))), nullptr);
    auto *loop = b.make<DoStmt>();
    Expr *whole = b.binary(BinaryOp::LogOr, b.binary(BinaryOp::Le, rest(), b.value(grain)),
        b.binary(BinaryOp::Le, b.binary(BinaryOp::Sub, rest(), b.value(grain)), b.value(length)));
    loop->body = b.block(
        {b.branch(whole, b.assign(end, b.value(hi)), b.block({further, grow})), piece, b.assign(lo, b.value(end))});
    loop->cond = b.binary(BinaryOp::LogAnd, unasked(true), b.binary(BinaryOp::Ne, b.value(lo), b.value(hi)));
    Expr *start = asked ? b.value(grain) : b.binary(BinaryOp::Mul, b.value(grain), b.number(PieceStart));
    return b.block({b.assign(length, start), loop});
  }

  // Spawns of the procedure itself for what is left, and a sync. A half each, or first a grain each (`grains`) until a
  // thief asks, which is found out between two of them:
  //
  //     while (hi - lo > grain && !wanted) { mid = lo;  lo = lo + grain;  spawn loop(mid, lo, ..) }
  //     if (hi - lo <= grain) spawn loop(lo, hi, ..) else { mid = lo + (hi - lo) / 2;  .. }
  //     sync
  Stmt *division(Outline &o, VarDecl *lo, VarDecl *hi, VarDecl *g, bool grains) const {
    VarDecl *mid = b.local(b.word(), "mid");
    // Its type is complete only with its captures.
    FunctionType type = *o.fn->type->as<FunctionType>();
    type.params.clear();
    for (VarDecl *p : o.fn->params) type.params.push_back(p->type.unqual());
    const QualType bare = o.fn->type;
    o.fn->type = cx.functionType(type);
    auto run = [&](VarDecl *from, VarDecl *to) {
      std::vector<Expr *> arguments{b.value(from), b.value(to), b.value(g)};
      for (Expr *e : o.passedOn(b)) arguments.push_back(e);
      SpawnStmt *s = spawnOf(b, o.fn, arguments);
      s->called = true;
      return s;
    };
    auto rest = [&] { return b.binary(BinaryOp::Sub, b.value(hi), b.value(lo)); };
    std::vector<Stmt *> all;
    if (grains) {
      auto *each = b.make<ForStmt>();
      each->cond = b.binary(BinaryOp::LogAnd, b.binary(BinaryOp::Gt, rest(), b.value(g)), unasked(false));
      Stmt *from = b.assign(mid, b.value(lo)), *to = b.assign(lo, b.binary(BinaryOp::Add, b.value(lo), b.value(g)));
      each->body = b.block({from, to, run(mid, lo)});
      all.push_back(each);
    }
    Stmt *middle = b.assign(mid, b.binary(BinaryOp::Add, b.value(lo), b.binary(BinaryOp::Div, rest(), b.number(2))));
    Stmt *last = grains ? run(lo, hi) : nullptr;
    Stmt *halves = b.block({middle, run(lo, mid), run(mid, hi)});
    all.push_back(last ? b.branch(b.binary(BinaryOp::Le, rest(), b.value(g)), last, halves) : halves);
    all.push_back(b.make<SyncStmt>());
    o.fn->type = bare;
    return b.block(all);
  }

  // The procedure; its captures are known once the body has been analysed.
  FunctionDecl *procedure(Outline &o, VarDecl *kept, const std::optional<__int128> &known, bool asked) {
    VarDecl *lo = o.parameter(b.word(), "lo"), *hi = o.parameter(b.word(), "hi"), *g = o.parameter(b.word(), "grain");
    namesWritten(f->body, o.own);
    o.own.written.erase(h.i->name);  // its own copy is another variable
    VarDecl *k = b.local(b.word(), "k");
    sema.scopes.pushScope(Scope::Block);
    // T i = i0 + k * stride
    auto *i = cx.make<VarDecl>();
    i->name = h.i->name;
    i->type = sema.openCilk.retype(h.i->type, h.i->range).unqual();
    i->range = h.i->range;
    i->isLocal = i->isDefinition = i->used = i->assigned = true;
    i->fn = o.fn;
    o.fn->locals.push_back(i);
    Stmt *set = b.assign(i, iterationOf(k, kept, known));
    sema.scopes.bind(i);
    sema.fs->inside.loops = 1;  // `continue` ends the iteration
    size_t spawns = o.fn->spawns.size();
    Stmt *body = sema.stmts.substatement(f->body);
    sema.fs->inside.loops = 0;
    sema.scopes.popScope();
    warnOfChanges(body, i);
    warnOfElements(body, i, known);
    std::vector<Stmt *> iteration{set, body};
    auto *serial = b.make<ForStmt>();
    serial->iteration = k;
    o.fn->isLoop = true;
    // Inlined into itself it has several copies of the loop, whose numbers of rounds are too complicated for LLVM to
    // unroll them all.
    o.fn->attrs.noinline = true;
    auto *start0 = b.make<ExprStmt>();
    start0->expr = static_cast<ExprStmt *>(b.assign(k, b.value(lo)))->expr;
    serial->init = start0;
    const bool leaf = o.fn->spawns.size() == spawns, until = leaf && !cx.lang.everyIteration;
    const unsigned long long several = until ? leastOf(body) : 1;
    o.fn->inPieces = several > 1;
    VarDecl *end = several > 1 ? b.local(b.word(), "end") : hi;
    if (!asked) least = several;
    auto rest = [&](VarDecl *from) { return b.binary(BinaryOp::Sub, b.value(hi), b.value(from)); };
    // lo < end: the number of rounds is their difference
    serial->cond = b.binary(BinaryOp::Ne, b.value(k), b.value(end));
    serial->step = static_cast<ExprStmt *>(b.assign(k, b.binary(BinaryOp::Add, b.value(k), b.number(1))))->expr;
    Stmt *grain = serial;
    std::vector<Stmt *> all, around, store;
    if (leaf) {
      std::vector<Stmt *> load;
      if (known && i->type->isInteger()) {
        VarDecl *j = b.local(i->type, "counter");
        load.push_back(b.assign(j, iterationOf(lo, kept, known)));
        iteration[0] = b.assign(i, b.value(j));
        Expr *s = b.convert(number(*known), i->type);
        Stmt *next = b.assign(j, b.binary(BinaryOp::Add, b.value(j), s));
        serial->step = b.binary(BinaryOp::Comma, serial->step, static_cast<ExprStmt *>(next)->expr);
        if ((h.op == BinaryOp::Lt && *known == 1) || (h.op == BinaryOp::Gt && *known == -1)) {
          VarDecl *limit = b.local(i->type, "limit");
          load.push_back(b.assign(limit, iterationOf(end, kept, known)));
          serial->cond = b.binary(h.op, b.value(j), b.value(limit));
        }
      }
      serial->body = b.block(iteration);
      if (until && several == 1)
        serial->cond = b.binary(BinaryOp::LogAnd, serial->cond,
            b.binary(BinaryOp::LogOr, unasked(true), b.binary(BinaryOp::Le, rest(k), b.value(g))));
      load.push_back(serial);
      if (until && several == 1) load.push_back(b.assign(lo, b.value(k)));
      grain = several > 1 ? inPieces(b.block(load), lo, hi, end, g, asked) : b.block(load);
      sema.openCilk.keepViews(o.own, body, b, around, store);
      around.push_back(grain);
      around.insert(around.end(), store.begin(), store.end());
      grain = b.block(around);
    } else {  // `continue` must come to the sync
      auto *once = b.make<DoStmt>();
      once->body = b.block(iteration);
      once->cond = sema.conv.intConstant(0, cx.basic(TypeKind::Int), f->range);
      serial->body = b.block({once, b.make<SyncStmt>()});
    }
    Stmt *divide = division(o, lo, hi, g, !leaf && !cx.lang.everyIteration);
    auto *back = b.make<ReturnStmt>();
    back->value = b.number(0);
    if (until) {
      all.push_back(b.branch(b.binary(BinaryOp::LogOr, b.binary(BinaryOp::Le, rest(lo), b.value(g)), unasked(false)),
          grain, nullptr));
      all.push_back(b.branch(b.binary(BinaryOp::Ne, b.value(lo), b.value(hi)), divide, nullptr));
    } else all.push_back(b.branch(b.binary(BinaryOp::Gt, rest(lo), b.value(g)), divide, grain));
    all.push_back(back);
    return o.finish(std::move(all));
  }

  Stmt *make(Expr *grainsize) {
    if (f->body && f->body->kind == StmtKind::Null) sema.diags.report(diag::cilk_for_empty, f->body->range);
    if (!readVariable() || !readCondition() || !readStep()) return nullptr;
    VarDecl *kept = nullptr;
    std::optional<__int128> known;
    Expr *wanted = nullptr;
    if (grainsize) {
      wanted = sema.exprs.rvalue(grainsize);
      if (wanted->type->isError()) return nullptr;
      if (!wanted->type->isInteger())
        return bad(wanted->range, "the grain size is an integer, not '" + toString(wanted->type) + "'",
                   "write `#pragma cilk grainsize 64`"),
               nullptr;
    }
    if (stride(kept, known)) return nullptr;
    // i op end, both converted as the comparison does.
    Expr *l = b.value(h.i), *r = sema.exprs.rvalue(h.end);
    if (r->type->isError()) return nullptr;
    QualType common;
    if (l->type->isPointer()) {
      if (!r->type->isPointer())
        return bad(r->range, "cilk_for compares a pointer with '" + toString(r->type) + "'",
                   "write `p < end` with a pointer `end`"),
               nullptr;
      common = r->type.unqual();
    } else {
      if (!r->type->isInteger())
        return bad(r->range, "cilk_for compares its loop variable with '" + toString(r->type) + "'",
                   "convert the end to an integer first"),
               nullptr;
      common = sema.conv.usualArithmetic(l, r);
      if (!wide && sizeOf(common.type, cx.target) > 8)
        return bad(r->range, "the end of cilk_for has more than 64 bits", "convert it to `long` first"), nullptr;
    }
    warnIfEndless(r, common);
    VarDecl *end = b.local(common.unqual(), "end");
    first.push_back(b.assign(end, r));
    VarDecl *n = count(end, kept, known);
    Outline o(sema, "for", b.word(), f->range);
    FunctionDecl *p;
    {
      Saved quiet(sema.os.awaits, false);
      p = procedure(o, kept, known, wanted != nullptr);
    }
    VarDecl *g = grain(wanted, n);
    std::vector<Expr *> arguments{b.number(0), b.value(n), b.value(g)};
    for (Expr *e : o.captured(b)) arguments.push_back(e);
    Awaited call = await(b, p, std::move(arguments));
    call.spawn->called = false;
    auto *run = b.make<CompoundStmt>();
    run->closing = Range{f->range.end, f->range.end};
    run->body = std::move(call.first);
    first.push_back(b.branch(b.binary(BinaryOp::Ne, b.value(n), b.number(0)), run, nullptr));
    if (outer) first.push_back(last(n, kept, known));
    return f->init;
  }
};

}  // namespace

Stmt *OpenCilkRules::loop(ForStmt *f) {
  Expr *grainsize = sema.os.grainsize;
  sema.os.grainsize = nullptr;
  if (sema.fs->inside.stmtExprs || !sema.inProcedure()) {
    diags.report(diag::cilk_for_form, f->range).note(f->range, "make the loop a statement of a function of its own")
        << (sema.fs->inside.stmtExprs ? "cilk_for is not allowed in a statement expression"
                                      : "cilk_for is not allowed in a nested function");
    return f;
  }
  sema.scopes.pushScope(Scope::Block);
  const JumpScope *saved = sema.fs->inside.jumpScope;
  LoopMaker maker{sema, f};
  Stmt *init = maker.make(grainsize);
  sema.fs->inside.jumpScope = saved;
  sema.scopes.popScope();
  auto *block = cx.make<CompoundStmt>();
  block->range = f->range;
  block->closing = Range{f->range.end, f->range.end};
  if (init) {
    block->body.push_back(init);
    block->body.insert(block->body.end(), maker.first.begin(), maker.first.end());
  }
  return block;
}

// ---- #pragma cilk grainsize ---------------------------------------------------------------------------------------

void OpenCilkRules::grainsize(PragmaDecl *p, std::string_view text) {
  auto trimmed = [](std::string_view s) {
    while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
    while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
    return s;
  };
  text = trimmed(text);
  if (!text.starts_with("grainsize")) return;  // older Cilks had others
  text = trimmed(text.substr(9));
  if (!text.empty() && text.front() == '=') text = trimmed(text.substr(1));
  sema.os.grainsizeRange = p->range;
  sema.os.grainsize = parseExpression(text, p->range, cx);
  if (!sema.os.grainsize) diags.report(diag::bad_pragma, p->range) << "cilk grainsize" << "an expression";
}

// An error, as in OpenCilk. In a text whose words are macros (cilk_stub.h), so that no loop is parallel: a warning.
void OpenCilkRules::grainOfNothing() {
  sema.os.grainsize = nullptr;
  if (!cx.lang.openCilk || cx.lang.serial) return;
  if (!cx.openCilkWords) diags.report(diag::bad_pragma, sema.os.grainsizeRange) << "cilk grainsize" << "a cilk_for";
  else
    diags.report(diag::cilk_for_form, sema.os.grainsizeRange)
            .note(sema.os.grainsizeRange, "write it directly before the loop")
        << "'#pragma cilk grainsize' is not followed by a cilk_for";
}

}  // namespace cilkc
