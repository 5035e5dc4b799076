// stmt.h - the nodes of statements, those of Cilk among them. Part of ast.h, which says what holds of them.
#pragma once
#include "frontend/ast/decl.h"

namespace cilkc {

// ---- statements ---------------------------------------------------------------------------------------------------

enum class StmtKind : uint8_t {
#define STMT(kind, cls, children, facts, weight, traits) kind,
#include "frontend/ast/nodes.def"
};
struct Stmt {
  StmtKind kind;
  Range range;
  Attrs attrs;  // on null statements: fallthrough
  template <class T> T *as() { return static_cast<T *>(this); }
  template <class T> const T *as() const { return static_cast<const T *>(this); }
protected:
  explicit Stmt(StmtKind k) : kind(k) {}
};
struct ErrorStmt : Stmt {
  ErrorStmt() : Stmt(StmtKind::Error) {}
};
struct NullStmt : Stmt {
  bool missing = false;  // nothing follows a label, not even a ';'
  NullStmt() : Stmt(StmtKind::Null) {}
};
struct ExprStmt : Stmt {
  Expr *expr = nullptr;
  ExprStmt() : Stmt(StmtKind::Expr) {}
};
struct CompoundStmt : Stmt {
  std::vector<Stmt *> body;
  Range closing;
  bool isScope = false;  // OpenCilk: `cilk_scope`, until sema
  CompoundStmt() : Stmt(StmtKind::Compound) {}
};
struct IfStmt : Stmt {
  Range elseWord;
  Expr *cond = nullptr;
  Stmt *then = nullptr, *otherwise = nullptr;
  IfStmt() : Stmt(StmtKind::If) {}
};
struct WhileStmt : Stmt {
  Expr *cond = nullptr;
  Stmt *body = nullptr;
  WhileStmt() : Stmt(StmtKind::While) {}
};
struct DoStmt : Stmt {
  Stmt *body = nullptr;
  Expr *cond = nullptr;
  DoStmt() : Stmt(StmtKind::Do) {}
};
struct ForStmt : Stmt {
  Stmt *init = nullptr; /* ExprStmt, DeclStmt or null */
  Expr *cond = nullptr, *step = nullptr;
  Stmt *body = nullptr;
  bool isParallel = false;  // OpenCilk: `cilk_for`, until sema
  VarDecl *iteration = nullptr;  // the grains of a `cilk_for`: their iterations are numbered by this
  ForStmt() : Stmt(StmtKind::For) {}
};
struct CaseStmt;
struct SwitchStmt : Stmt {
  Expr *cond = nullptr;
  Stmt *body = nullptr;
  std::vector<CaseStmt *> cases;
  struct DefaultStmt *def = nullptr;  // sema
  SwitchStmt() : Stmt(StmtKind::Switch) {}
};
struct CaseStmt : Stmt {
  Expr *low = nullptr, *high = nullptr;
  __int128 lo = 0, hi = 0; /* sema */
  Stmt *sub = nullptr;
  CaseStmt() : Stmt(StmtKind::Case) {}
};
struct DefaultStmt : Stmt {
  Stmt *sub = nullptr;
  DefaultStmt() : Stmt(StmtKind::Default) {}
};
struct LabelStmt : Stmt {
  std::string_view name;
  Range nameRange;
  Stmt *sub = nullptr;
  LabelDecl *label = nullptr;
  LabelStmt() : Stmt(StmtKind::Label) {}
};
struct GotoStmt : Stmt {
  std::string_view name;
  Range nameRange;
  LabelDecl *label = nullptr;
  GotoStmt() : Stmt(StmtKind::Goto) {}
};
struct GotoExprStmt : Stmt {
  Expr *target = nullptr;
  GotoExprStmt() : Stmt(StmtKind::GotoExpr) {}
};
struct ContinueStmt : Stmt {
  ContinueStmt() : Stmt(StmtKind::Continue) {}
};
struct BreakStmt : Stmt {
  BreakStmt() : Stmt(StmtKind::Break) {}
};
struct ReturnStmt : Stmt {
  Expr *value = nullptr;
  ReturnStmt() : Stmt(StmtKind::Return) {}
};
struct AsmOperand {
  std::string_view name;
  std::string constraint;
  Expr *expr = nullptr;
  Range range;
};
struct AsmStmt : Stmt {
  std::string text;
  bool isVolatile = false, isGoto = false, basic = false;
  std::vector<AsmOperand> outputs, inputs;
  std::vector<std::string> clobbers;
  std::vector<std::pair<std::string_view, LabelDecl *>> gotoLabels;
  std::vector<Range> gotoRanges;
  AsmStmt() : Stmt(StmtKind::Asm) {}
};
struct LocalLabelStmt : Stmt {
  std::vector<std::pair<std::string_view, Range>> names;
  LocalLabelStmt() : Stmt(StmtKind::LocalLabel) {}
};  // __label__ a, b;
// The value that the child of a SpawnStmt returns, where its delivery uses it. Its place is the text of the spawn.
struct ChildResult : Expr {
  ChildResult() : Expr(ExprKind::ChildResult) {}
};

enum class SpawnForm : uint8_t {
  Plain,  // spawn f(..);
  Receiver,  // x = spawn f(..);
  Op,  // x op= spawn f(..);
  Inlet  // inl(spawn f(..), ..);
};
// Sema makes it of the ExprStmt whose expression is a spawn in one of the forms. What happens when the child comes back
// is its delivery: nothing, an assignment, or a call of the inlet.
struct SpawnStmt : Stmt {
  SpawnForm form = SpawnForm::Plain;
  bool fills = false;  // Receiver: the receiver is the value of a future
  // a call that is waited for, or half of a `cilk_for`: for pedigrees the child is a part of its parent
  bool called = false;
  bool awaited = false;  // the caller does nothing until the child has returned
  Range keyword, spawned;  // `spawn`; `spawn f(..)`
  Call *call = nullptr;  // callee (a value: pointer to a cilk function) and converted arguments
  ChildResult *result = nullptr;  // of the callee's result type
  // Receiver, Op, and Inlet unless the child returns void: `result` under the conversions to what takes it
  Expr *value = nullptr;
  Assign *delivery = nullptr;  // Receiver, Op: lhs is the receiver, rhs is `value`
  FunctionDecl *inlet = nullptr;  // Inlet
  Expr *inletName = nullptr;  // Inlet: as it is written
  std::vector<Expr *> arguments;  // Inlet: those after the spawn, converted
  Expr *receiver() const { return delivery ? delivery->lhs : nullptr; }
  const FunctionType *type() const { return call->fnType; }  // of the procedure
  bool isVoid() const { return result->type->isVoid(); }
  SpawnStmt() : Stmt(StmtKind::Spawn) {}
};

// Cilk-1. A closure is made of the thread, with those of its arguments that are there; for each Hole its continuation
// is set. Without holes it is ready at once. A tail call runs the thread in place of the one that makes it, which ends
// here. A root is the body of FunctionDecl::procedure: it runs the thread, and all that comes of it, until the
// continuation that is the thread's first argument was sent its value; the other arguments are given.
enum class ThreadForm : uint8_t { Spawn, SpawnNext, TailCall, Root };
struct ThreadStmt : Stmt {
  ThreadForm form = ThreadForm::Spawn;
  Range keyword;
  Expr *callee = nullptr;  // as it is written: the name of `thread`
  FunctionDecl *thread = nullptr;
  std::vector<Expr *> arguments;  // converted to the thread's parameters, or Holes
  Expr *placement = nullptr;  // converted to int
  Expr *receiver = nullptr;  // Root: an lvalue that gets the value
  ThreadStmt() : Stmt(StmtKind::Thread) {}
};
struct SendStmt : Stmt {
  Expr *continuation = nullptr;  // of type `cont T`
  Expr *value = nullptr;  // converted to T
  SendStmt() : Stmt(StmtKind::Send) {}
};

// Waits until a future has its value, or (renewed) until no child is left that would fill this variable, whose
// declaration comes again.
struct TouchStmt : Stmt {
  Expr *future = nullptr;  // an lvalue of type `future T`, without side effects
  VarDecl *own = nullptr;  // the local variable that it is (a part of)
  VarDecl *renewed = nullptr;
  TouchStmt() : Stmt(StmtKind::Touch) {}
};

struct SyncStmt : Stmt {
  SyncStmt() : Stmt(StmtKind::Sync) {}
  bool isWritten = false;  // in the program's text: sema makes others
};
struct AbortStmt : Stmt {
  AbortStmt() : Stmt(StmtKind::Abort) {}
};

}  // namespace cilkc
