// function.h - FunctionEmitter: emits ONE body from the typed AST into ONE LLVM function. It may be run any number of
// times on the same FunctionDef (fast clone, unrolled copies, slow clone): nothing is noted on AST nodes. What differs
// between a plain C function and the clones of a Cilk procedure is hidden by BodyStrategy (strategy.h).
//
// It has the function's blocks (builder.h), the entry, the result and the end of a body; everything between is done by
// the stages (stages.h), which reach each other through it: `fe.exprs.emitScalar(e)`, `fe.memory.load(address)`.
//
// How a strategy drives it (see serial.cpp for the smallest one):
//
//     FunctionEmitter fe(module, llvmFunction, fn, strategy);
//     fe.begin();                       // entry block, allocas' place, debug subprogram; calls strategy.prologue()
//     fe.bindParameters(abi);           // C ABI parameters -> storage (or fe.locals.bindParameter(var, address) one by
//                                       one)
//     fe.emitBody(*fn->def);            // calls the strategy's hooks; ends with strategy.fallOff()
//     fe.finish();                      // return block, removes what is unreachable
//
// SSA values never live across statements. Whatever one statement leaves for another is in memory (allocas that LLVM
// promotes, or the closure). So a slow clone may jump to the middle of any statement nest from its entry switch.
#pragma once
#include "codegen/core/builder.h"
#include "codegen/core/stages.h"
#include "codegen/core/strategy.h"

namespace cilkc::cg {

class FunctionEmitter : public FunctionBuilder {
public:
  // fn gives the name, types and debug scope; its body is not touched until emitBody. strategy outlives the emitter.
  FunctionEmitter(ModuleEmitter &, LLVMValueRef function, const FunctionDecl *fn, BodyStrategy &strategy);

  const FunctionDecl *const fn;
  BodyStrategy &strategy;
  Events &events;  // of the modes that the module is compiled with
  LLVMValueRef views = nullptr;  // the strand's map of reducers, once it is loaded
  LLVMMetadataRef subprogram = nullptr;  // for debuggers
  bool hasLabels = false;  // where control may enter past declarations

  // ---- a body ----
  void begin(bool head = true);
  // The definition's parameters begin at parameter `first` of LLVM's function; those before it are hidden.
  void bindParameters(const AbiFunction &, unsigned first = 0);
  void emitBody(const FunctionDef &);
  void finish();

  // ---- the C result: stored here by emitReturnValue, returned in finish()'s return block by the ABI. A strategy that
  // returns in another way never calls emitReturnValue and terminates its blocks itself. ----
  void emitReturnValue(const Expr *value);  // evaluates and stores; no jump
  void emitReturnJump();  // leaves all scopes (cleanups), jumps to the return block
  void emitReturnUndef();  // `ret` of a dummy, at once
  Address resultSlot();  // where emitReturnValue stores: the sret memory or a local temporary
  // The result's memory for the variable that every return gives back; null: v is another, or has to be copied there.
  LLVMValueRef placeOfResult(const VarDecl *v) const { return v == returned ? returnSlot.ptr : nullptr; }

  // ---- another definition's body (an inlet's), inline: parameters are bound to fresh storage holding args; `return`
  // goes to its end ----
  void emitInline(const FunctionDef &, const std::vector<RValue> &args);
  bool inInline() const { return inlineDepth > 0; }
  size_t outermostScope() const { return inlineDepth ? inlineBase : 0; }  // that a return leaves

  // ---- debug ----
  void setLocation(Range);
  void setLocation(Loc);
  void setNoLine();
  void bookkeeping();  // what follows is no text of the user: --coverage counts no line for it

  Locals locals{*this};
  NestedFunctions nested{*this};
  Scopes scopes{*this};
  Labels labels{*this};
  Statements stmts{*this};
  ThreadStatements threads{*this};
  Exprs exprs{*this};
  Operators ops{*this};
  ComplexValues complexes{*this};
  Conversions conv{*this};
  Lvalues lvalues{*this};
  Aggregates aggregates{*this};
  Memory memory{*this};
  Atomics atomics{*this};
  Calls calls{*this};
  Expansions expansions{*this};
  VarArgs varargs{*this};
  Builtins builtins{*this};
  UndefinedChecks ubsan{*this};
  Weights weights{*this};

private:
  LLVMBasicBlockRef returnBlock = nullptr;
  bool returnUsed = false;
  Address returnSlot;  // result storage (or the sret pointer)
  const VarDecl *returned = nullptr;
  const AbiFunction *abi = nullptr;
  int inlineDepth = 0;
  LLVMBasicBlockRef inlineEnd = nullptr;
  size_t inlineBase = 0;
};

inline BodyStage::BodyStage(FunctionEmitter &fe)
    : fe(fe), m(fe.m), t(fe.t), context(fe.context), builder(fe.builder), function(fe.function), fn(fe.fn),
      strategy(fe.strategy), events(fe.events) {}

}  // namespace cilkc::cg
