// rules.h - the private header of Cilk's rooms: the rules of Cilk, of Cilk-1 and of OpenCilk's spelling, the state that
// they share, and CilkSema, which C's rules meet as Hooks.
#pragma once
#include "frontend/sema/c/core/sema.h"

namespace cilkc {

class CilkSema;
struct CilkStage : Stage {
  explicit CilkStage(CilkSema &);
  CilkSema &sema;
};

// How often a statement evaluates a touch in it; Elsewhere: there is no such statement.
enum class TouchPlace : uint8_t { Once, Maybe, Comma, Elsewhere };

// What the rules of futures, and of calls that are waited for, put around the statement that is analysed now.
struct Lifted {
  std::vector<Stmt *> touched;  // before it: touches and awaited calls
  size_t since = 0;  // those from here on are an expression statement's own
  std::unordered_map<const Expr *, TouchPlace> touchPlaces;  // of touches
  std::vector<Stmt *> beforeDeclaration, afterDeclaration;  // what belongs around the one just analysed
};

// A call of a procedure, until it is known whether other children may be out there (opencilk/await.cpp).
struct AwaitedCall {
  FunctionDecl *procedure = nullptr;
  SpawnStmt *spawn = nullptr;
  CompoundStmt *block = nullptr;  // the spawn, and what waits for it
  VarDecl *result = nullptr;  // null: of a void procedure
  DeclStmt *declaration = nullptr;  // of the result
  ParenExpr *value = nullptr;  // where it is used
};

// OpenCilk's spelling in one function (opencilk/): what an outlined procedure was, what it uses of the functions
// around, and which names its text writes.
struct OpenCilkFunction {
  const char *outlined = nullptr;
  struct Capture {
    VarDecl *outer, *param;
    bool byValue;
  };
  std::vector<Capture> captures;
  std::unordered_set<std::string_view> written;
  // names whose address the text of the whole function takes
  std::unordered_set<std::string_view> addressed;
  // names v of which either text writes or addresses v[i]: that changes v if it is a vector
  std::unordered_set<std::string_view> elements;
  struct ScopeMark {
    unsigned loops, breakables;  // around the scope
    std::unordered_set<std::string_view> labels;  // in it
  };
  std::vector<ScopeMark> scopes;  // cilk_scope, outermost first
  std::vector<AwaitedCall> awaited;  // in the order of the text
};

// OpenCilk's spelling in a unit.
struct OpenCilkState {
  std::unordered_map<std::string_view, FunctionDef *> spawning;  // the functions of the unit that can reach a spawn
  const CompoundStmt *scopeBody = nullptr;  // the block of the cilk_scope that is analysed now
  const Call *spawnedCall = nullptr;  // it is not waited for, but spawned
  Expr *grainsize = nullptr;  // of the pragma before this statement, untyped
  Range grainsizeRange;
  FunctionDecl *unregister = nullptr;  // the runtime's, for local reducers
  bool rawReducer = false;  // the operand of __builtin_addressof names the reducer, not its view
  bool callsStay = false;  // calls that are waited for stay calls of C (analyze.h)
  bool awaits = false;  // a call in the expression that is analysed now can be waited for before the statement
};

// What an expression statement that may be a spawn is made of.
struct SpawnForms {
  Spawn *spawn = nullptr;  // null: it has none of the forms
  Assign *assign = nullptr;  // x = spawn f(..), x = inl(spawn f(..))
  Call *inlet = nullptr;  // inl(spawn f(..))
};
SpawnForms spawnForms(Expr *untyped);

// The rules of Cilk: where its words are allowed, and what they take. spawn.cpp, calls.cpp, cilk.cpp, remote.cpp
struct CilkRules : CilkStage {
  using CilkStage::CilkStage;
  void initializerSpawns(InitDeclarator &);  // `int x = spawn f();`
  // A statement in one of the forms that allow a spawn becomes a SpawnStmt; after a reported error it stays,
  // with an ErrorExpr.
  Stmt *spawnStatement(ExprStmt *, const SpawnForms &);
  bool plainSpawn(SpawnStmt *, Spawn *);  // each: false if something was reported
  bool spawnAssign(SpawnStmt *, Assign *, Spawn *);
  bool inletCall(SpawnStmt *, Call *, Spawn *);
  Expr *spawnBeforeReceiver(const Assign *);  // `spawn x = f();`: an error; null: something else
  Expr *refuseSpawn(Expr *, SpawnPlace);  // one of the forms, where it is no statement; null: it is none
  Expr *misplacedSpawn(Spawn *, SpawnPlace);  // any other place: one diagnostic with the rewrite
  Expr *refuseCall(Call *, FunctionDecl *, const FunctionType *, bool bad);  // a call that lacks a word; null: C's
  bool typeSpawn(SpawnStmt *, Spawn *);  // callee and arguments; the same
  void spawnOutside(Spawn *);  // reports a spawn in a C function or inlet
  void cilkStatement(Stmt *);  // sync, abort
  Expr *typeSynched(Synched *);
  void checkCilkDeclaration(Decl *, const DeclSpecs *, Range);  // cilk, inlet, shared, private on declarations
  void checkRemote(const FunctionDecl *, Range);  // what another machine may run takes and gives values only
  void offerRemote(FunctionDef *);  // a remote procedure, whose body has its types: what comes before that
};

// Futures. future.cpp
struct FutureRules : CilkStage {
  using CilkStage::CilkStage;
  QualType futureType(QualType value, Range);  // `future T`
  bool refuse(QualType, Range, const char *as);  // reports a future that is a parameter, a result or a member
  // the initialisers of futures, and of pointers to such
  void takeSpawns(Declaration *, std::vector<ExprStmt *> &, std::vector<InitDeclarator *> &);
  void declare(InitDeclarator &);
  void initialisedPointer(InitDeclarator &);  // by a spawn, which is refused
  Expr *receiver(Assign *, Expr *future);  // of a spawn: the future's value; nullptr if something was reported
  void look(const Expr *untyped);  // notes the places of touches in it
  void look(const Initializer *);
  Expr *touch(TouchExpr *);
  Stmt *lift(Stmt *, size_t since);  // the statement with the touches that came since then before it
  void aroundDeclaration(DeclStmt *, size_t since, const std::vector<ExprStmt *> &spawns);
  void place(std::vector<Stmt *> &body, Stmt *);  // appends it, with what belongs around a declaration
};

// OpenCilk's spelling, made into procedures, spawns, syncs and touches. opencilk/
struct OpenCilkRules : CilkStage {
  using CilkStage::CilkStage;
  void findSpawning();  // which functions of the unit become procedures
  FunctionDecl *procedureOf(FunctionDecl *);  // of such a function; nullptr: it stays a C function
  FunctionDecl *define(FunctionDecl *, FunctionDef *);  // its body is the procedure's, which is returned
  void functionBegins(FunctionDef *);
  Expr *view(Expr *);  // a reducer's view in place of the reducer; other expressions as they are
  QualType reducerType(QualType, DeclChunk &);  // `T cilk_reducer(identity, reduce)`
  bool refuseReducer(QualType, Range, const char *as);  // reports a reducer that is a parameter or a result
  bool registers(const VarDecl *) const;  // an automatic variable that is a reducer or has one in it
  void registerReducer(InitDeclarator &);  // an automatic one is registered, and unregistered where its block ends
  void literal(VarDecl *);  // a compound literal with a reducer: a variable of the block, declared before the statement
  // The grain of a loop: reducers that nothing else than `body` can use meanwhile are loaded into variables, and stored
  // after it.
  void keepViews(const OpenCilkFunction &, Stmt *body, const struct Build &, std::vector<Stmt *> &load,
      std::vector<Stmt *> &store);
  const Expr *addressOfView(const Expr *) const;  // a pointer that is good for this strand alone
  void checkReceivers(const CompoundStmt *) const;  // an inner block: is a child's receiver left when it ends?
  // from here on, what the block spawns is joined before control leaves it
  bool keepsReducer(const CompoundStmt *block, const Stmt *declaration);
  bool returnsReducers() const;  // does a return end such a block?
  bool inside() const;  // may the innermost function wait for a child?
  bool awaits(const Stmt *) const;  // can calls in the expression of this statement be waited for before it?
  Expr *lowerCall(Call *, FunctionDecl *);  // a typed call: of a procedure, it is waited for before the statement
  void settleCalls(const FunctionDef *);  // of a whole function: which of its calls wait for their child alone
  Expr *choice(Expr *);  // ?: && || and commas whose parts have calls that are waited for; nullptr: they have none
  Expr *conditional(Conditional *);
  Expr *logical(Binary *);
  Stmt *lowerSpawn(ExprStmt *);  // a statement with `cilk_spawn` in it; nullptr: it has none
  Expr *takeReturnedSpawn(Expr *);  // `return cilk_spawn f();`: the call, with a warning
  void takeSpawns(Declaration *, std::vector<ExprStmt *> &);  // `int x = cilk_spawn f();`
  void prepare(CompoundStmt *);  // calls that a sync follows are spawned; declarations with such calls are taken apart
  bool mayAwait(const Expr *untyped) const;
  Stmt *testInside(WhileStmt *);  // a loop whose condition waits tests it in its body; nullptr: it does not wait
  Stmt *testInside(DoStmt *);
  Stmt *testInside(ForStmt *);
  Stmt *cannotLeave(Stmt *, const char *word);  // reports a jump out of a block that is a child
  const char *labelAdvice() const;  // for a label that is not in such a block; or null
  QualType retype(QualType, Range) const;  // sizes in variables of a function around are captured, too
  Expr *capture(Ident *, VarDecl *);  // a local variable of a function around; nullptr: it is the innermost one's own
  Stmt *loop(ForStmt *);  // cilk_for
  Stmt *scope(CompoundStmt *);  // cilk_scope
  Stmt *leaving(Stmt *, bool leavesScope);  // a jump: a sync goes before one that leaves a cilk_scope
  void grainsize(PragmaDecl *, std::string_view text);  // `#pragma cilk grainsize N`
  void grainOfNothing();  // the statement after it is no cilk_for
};

// The rules of Cilk-1, and what its threads are to Cilk-5. thread.cpp
struct ThreadRules : CilkStage {
  using CilkStage::CilkStage;
  QualType contType(QualType value, Range);  // `cont T`
  void checkThreadDeclaration(Decl *, const DeclSpecs *, Range);
  // spawn, spawn_next, call, tail_call T(..) and send_argument(k, e) in a thread
  Stmt *threadStatement(ExprStmt *, Spawn *);
  bool typeThread(ThreadStmt *, Spawn *);  // callee and arguments; false if something was reported
  bool typeArgument(Expr *&, QualType want, size_t number, const FunctionDecl *thread);  // the same
  bool typeHole(Hole *, QualType want, size_t number, const FunctionDecl *thread);
  bool twice(const std::vector<Expr *> &args, size_t i);  // is this hole's continuation that of one before it?
  bool typePlacement(ThreadStmt *, Spawn *);
  bool typeSend(SendStmt *, Spawn *);
  Expr *unknownThread(const Call *, const Ident *callee);  // called with a continuation, and not declared; or null
  Expr *misplacedHole(Hole *);  // `?k` that is no argument of a thread
  Expr *misplacedThreadWord(Spawn *);  // spawn_next and its like in an expression, a C function, a procedure
  void cilk5InThread(Range, std::string_view word, const std::string &advice);  // what waits, in a thread that cannot
  FunctionDecl *procedureOf(FunctionDecl *thread);  // nullptr: it has no `cont T k` as its first parameter
  FunctionDecl *threadOf(FunctionDecl *procedure);  // the thread that calls a Cilk-5 procedure
  void defineProcedure(FunctionDecl *);
};

// The analysis of one unit of C and Cilk: each hook is a rule.
class CilkSema final : public Hooks, public Sema {
public:
  CilkSema(AstContext &c, DiagnosticEngine &d) : Sema(c, d, *this) {}
  void run(TranslationUnit &);
  CilkRules cilk{*this};
  ThreadRules threads{*this};
  FutureRules futures{*this};
  OpenCilkRules openCilk{*this};
  Lifted ss;
  OpenCilkState os;
  OpenCilkFunction *here() const { return fs ? fs->openCilk : nullptr; }
  bool outlined() const { return here() && here()->outlined; }

  void declaration(Decl *d, const DeclSpecs *s, Range r) override { cilk.checkCilkDeclaration(d, s, r); }
  void finishDeclarator(InitDeclarator &i) override { futures.declare(i), openCilk.registerReducer(i); }
  QualType contType(QualType t, Range r) override { return threads.contType(t, r); }
  QualType futureType(QualType t, Range r) override { return futures.futureType(t, r); }
  QualType reducerType(QualType t, DeclChunk &c) override { return openCilk.reducerType(t, c); }
  QualType namedType(QualType t, Range r) override { return outlined() ? openCilk.retype(t, r) : t; }
  bool refuseType(QualType t, Range r, const char *as) override {
    return futures.refuse(t, r, as) || openCilk.refuseReducer(t, r, as);
  }
  bool refuseMember(QualType t, Range r) override { return futures.refuse(t, r, "a member"); }
  void remote(const FunctionDecl *f, Range r) override { cilk.checkRemote(f, r); }
  void pragma(PragmaDecl *p, std::string_view text) override { openCilk.grainsize(p, text); }
  FunctionDecl *owner(FunctionDecl *f, FunctionDef *def) override { return openCilk.define(f, def); }
  void functionBegins(FunctionDef *def) override { openCilk.functionBegins(def); }
  void functionEnds(FunctionDecl *, FunctionDef *) override;
  Expr *expr(Expr *) override;
  Expr *refuseSpawn(Expr *e, SpawnPlace p) override { return cilk.refuseSpawn(e, p); }
  Expr *view(Expr *e) override { return openCilk.view(e); }
  Expr *operandItself(Expr *) override;
  Expr *capture(Ident *id, VarDecl *v) override { return openCilk.capture(id, v); }
  bool captures(const VarDecl *v) const override { return outlined() && v->isLocal && v->fn && v->fn != fs->fn; }
  Expr *choice(Expr *e) override { return os.awaits ? openCilk.choice(e) : nullptr; }
  Expr *refuseUndeclared(Call *c, Ident *id) override { return threads.unknownThread(c, id); }
  Expr *refuseCall(Call *c, FunctionDecl *f, const FunctionType *t, bool bad) override {
    return cilk.refuseCall(c, f, t, bad);
  }
  Expr *lowerCall(Call *c, FunctionDecl *f) override { return openCilk.lowerCall(c, f); }
  void literal(VarDecl *v) override { openCilk.literal(v); }
  Stmt *statement(Stmt *) override;
  bool block(CompoundStmt *, bool ofFunction) override;
  Stmt *substatement(Stmt *) override;
  bool separate(const Expr *condition) const override;
  bool hasWaited(const Expr *, bool call) const override;
  const char *noJumpInto(const Decl *) const override;
  std::string labelAdvice() const override;
};

inline CilkStage::CilkStage(CilkSema &s) : Stage(s), sema(s) {}

}  // namespace cilkc
