// asm.cpp - inline assembly: gcc's constraints and templates become LLVM's (LangRef, "Inline Assembler Expressions").
//
// Operand numbers agree: outputs first, then inputs, then the hidden inputs of `+` operands, then labels. A register
// output is part of the call's result; an output that may be memory is passed by address ("=*m"). Constants are folded
// for immediate constraints.
#include <algorithm>
#include <cctype>
#include <cstring>
#include "codegen/core/function.h"
#include "codegen/core/target.h"
#include "frontend/ast/query.h"
#include "frontend/consteval/consteval.h"

namespace cilkc::cg {
namespace {

// One operand's constraint in LLVM's letters, without the leading = or +.
std::string convertConstraint(const std::string &c, const ModuleEmitter &m, const std::vector<AsmOperand> &outputs) {
  std::string out;
  for (size_t i = 0; i < c.size(); i++) {
    char ch = c[i];
    switch (ch) {
      case '=':
      case '+':
      case '?':
      case '!':
      case '*':
      case ' ':
      case '%': break;
      case '#':
        while (i + 1 < c.size() && c[i + 1] != ',') i++;
        break;
      case '&': out.insert(out.begin(), '&'); break;
      case ',': out += '|'; break;
      case 'g': out += "imr"; break;
      case '[': {
        size_t end = c.find(']', i);
        std::string name = c.substr(i + 1, end == std::string::npos ? std::string::npos : end - i - 1);
        for (size_t k = 0; k < outputs.size(); k++)
          if (outputs[k].name == name) out += std::to_string(k);
        i = end == std::string::npos ? c.size() : end;
        break;
      }
      default:
        if (ch == '@') return out + "{" + c.substr(i) + "}";   // a flag of the processor
        unsigned length = constraintLength(std::string_view(c).substr(i), *m.ast.target.facts);
        out += m.target.constraint(std::string_view(c).substr(i, length));
        i += length - 1;
    }
  }
  return out;
}

std::string explicitRegister(const Expr *e) {
  e = ignoreParensAndImplicit(e);
  if (!e || e->kind != ExprKind::Ident || !e->as<Ident>()->decl || e->as<Ident>()->decl->kind != DeclKind::Var)
    return "";
  auto *v = e->as<Ident>()->decl->as<VarDecl>();
  if (v->storage != StorageClass::Register || !v->attrs.hasAsmLabel) return "";
  std::string name(v->attrs.asmLabel);
  if (!name.empty() && name[0] == '%') name.erase(0, 1);
  return name;
}

// The template in LLVM's notation.
class Template {
public:
  Template(const AsmStmt *s, bool dialects, size_t hiddenInputs)
      : s(s), t(s->text), dialects(dialects), hidden(hiddenInputs), operands(s->outputs.size() + s->inputs.size()) {}

  std::string convert() {
    for (i = 0; i < t.size(); i++) {
      char c = t[i];
      if (c == '$') out += "$$";
      else if (s->basic) out += c;
      else if (dialects && (c == '{' || c == '|' || c == '}')) out += c == '{' ? "$(" : c == '|' ? "$|" : "$)";
      else if (c == '%' && i + 1 < t.size()) escape();
      else out += c;
    }
    return out;
  }

private:
  const AsmStmt *s;
  const std::string &t;
  bool dialects;
  size_t hidden, operands, i = 0;
  std::string out;

  // The number of the operand of this name, -1 if there is none.
  int named(std::string_view name, bool &label) const {
    for (size_t k = 0; k < s->outputs.size(); k++)
      if (s->outputs[k].name == name) return static_cast<int>(k);
    for (size_t k = 0; k < s->inputs.size(); k++)
      if (s->inputs[k].name == name) return static_cast<int>(s->outputs.size() + k);
    for (size_t k = 0; k < s->gotoLabels.size(); k++)
      if (s->gotoLabels[k].first == name) {
        label = true;
        return static_cast<int>(operands + hidden + k);
      }
    return -1;
  }

  // What follows a %: t[i] is the %, and afterwards the last character that belongs to it.
  void escape() {
    char n = t[++i];
    if (n == '%' || n == '{' || n == '|' || n == '}') {
      out += n;
      return;
    }
    if (n == '=') {
      out += "${:uid}";
      return;
    }
    std::string modifier;
    if (std::isalpha(static_cast<unsigned char>(n)) && i + 1 < t.size()) {
      modifier = n;
      n = t[++i];
    }
    int index = -1;
    bool label = false;
    if (n == '[') {
      size_t end = t.find(']', i);
      if (end != std::string::npos) {
        index = named(std::string_view(t).substr(i + 1, end - i - 1), label);
        i = end;
      }
    } else if (std::isdigit(static_cast<unsigned char>(n))) {
      index = n - '0';
      while (i + 1 < t.size() && std::isdigit(static_cast<unsigned char>(t[i + 1])))
        index = index * 10 + (t[++i] - '0');
      // gcc numbers labels right after the operands it shows, hidden inputs included.
      if (modifier == "l" && static_cast<size_t>(index) >= operands) label = true;
    }
    if (index < 0) {
      out += '%';
      out += modifier;
      out += n;
      return;
    }
    if (label) modifier = "l";
    if (modifier == "X") modifier.clear();          // unchanged
    out += modifier.empty() ? "$" + std::to_string(index) : "${" + std::to_string(index) + ":" + modifier + "}";
  }
};

// One asm statement on its way to a call: what its operands become is collected, the call made, its results stored.
class AsmEmitter {
public:
  AsmEmitter(FunctionEmitter &f, const AsmStmt *s)
      : f(f), m(f.m), t(f.t), s(s), outputTypes(s->outputs.size(), nullptr) {}

  void emit() {
    for (size_t i = 0; i < s->outputs.size(); i++) output(i);
    for (auto &in : s->inputs) input(in);
    for (size_t i = 0; i < hidden.size(); i++) {
      add(hidden[i].constraint);
      pass(hidden[i].value, hidden[i].element);
    }
    for (size_t i = 0; i < s->gotoLabels.size(); i++) add("!i");
    for (auto &cl : s->clobbers) {
      std::string name = cl;
      if (!name.empty() && (name[0] == '%' || name[0] == '#')) name.erase(0, 1);
      if (name == "redzone") continue;
      add("~{" + name + "}");
    }
    if (*m.target.alwaysClobbered) add(m.target.alwaysClobbered);
    store(call());
  }

private:
  struct Result {
    Address to;
    LLVMTypeRef type;
    bool flag;                                                  // of the processor
  };
  // The input that a + operand stands for as well.
  struct Hidden {
    LLVMValueRef value;
    LLVMTypeRef element;                                        // of an indirect one
    std::string constraint;
  };
  FunctionEmitter &f;
  ModuleEmitter &m;
  TypeLowering &t;
  const AsmStmt *s;
  std::string constraints;
  std::vector<LLVMValueRef> args;
  std::vector<LLVMTypeRef> argTypes;
  std::vector<std::pair<unsigned, LLVMTypeRef>> elementTypes;   // indirect operands
  std::vector<Result> results;
  std::vector<Hidden> hidden;
  std::vector<LLVMTypeRef> outputTypes;                         // of those in registers

  void add(const std::string &c) {
    if (!constraints.empty()) constraints += ',';
    constraints += c;
  }
  void pass(LLVMValueRef v, LLVMTypeRef element) {
    if (element) elementTypes.push_back({static_cast<unsigned>(args.size()), element});
    args.push_back(v);
    argTypes.push_back(LLVMTypeOf(v));
  }

  // The LLVM type in which a value of a C type travels through a register.
  LLVMTypeRef registerType(QualType q, Range r) {
    if (isScalarType(q.type)) return q->isBool() ? t.i8 : t.memory(q);
    uint64_t n = t.size(q);
    if (n == 1 || n == 2 || n == 4 || n == 8 || n == 16) return t.intN(static_cast<unsigned>(n * 8));
    m.impossible(r, "an operand of this type in a register");
  }
  LLVMValueRef toRegister(const Address &a, LLVMTypeRef type) {
    if (isScalarType(a.type.type)) {
      LLVMValueRef v = f.memory.loadScalar(a);
      return a.type->isBool() ? f.memory.toMemory(v, a.type.type) : v;
    }
    f.memory.access(a, AccessMode::Read);
    return f.loadRaw(type, a.ptr, a.align);
  }

  void output(size_t i) {
    const AsmOperand &o = s->outputs[i];
    AsmPlaces can = asmPlaces(o.constraint, *m.ast.target.facts);
    Address to = f.lvalues.emitLvalue(o.expr);
    std::string reg = explicitRegister(o.expr);
    std::string words = o.constraint;
    if (to.bitField) {                                          // it has no address
      words.erase(std::remove_if(words.begin(), words.end(), [](char x) { return std::strchr("moV<>", x); }),
          words.end());
      std::replace(words.begin(), words.end(), 'g', 'r');
    }
    std::string c = reg.empty() || !can.reg ? convertConstraint(words, m, s->outputs) : "{" + reg + "}";
    if (!reg.empty() && o.constraint.find('&') != std::string::npos && c[0] != '&') c = "&" + c;
    bool inOut = o.constraint.find('+') != std::string::npos;
    bool scalarish = isScalarType(to.type.type) || t.size(to.type) <= 16;
    if (can.reg && scalarish && (!can.mem || to.bitField)) {
      LLVMTypeRef type = registerType(to.type, o.range);
      outputTypes[i] = type;
      results.push_back({to, type, c.find("{@cc") != std::string::npos});
      add("=" + c);
      if (inOut) hidden.push_back({toRegister(to, type), nullptr, std::to_string(i)});
      return;
    }
    f.memory.access(to, inOut ? AccessMode::ReadWrite : AccessMode::Write, AccessKind::Asm);
    add("=*" + c);
    LLVMTypeRef element = t.memory(to.type);
    pass(to.ptr, element);
    if (inOut) {
      c.erase(std::remove(c.begin(), c.end(), '&'), c.end());
      hidden.push_back({to.ptr, element, "*" + c});
    }
  }

  void input(const AsmOperand &in) {
    AsmPlaces can = asmPlaces(in.constraint, *m.ast.target.facts);
    std::string c = convertConstraint(in.constraint, m, s->outputs);
    if (can.mem && !can.reg && !can.imm) return inputInMemory(in, c);
    std::string reg = can.reg && !can.tied ? explicitRegister(in.expr) : "";
    if (!reg.empty()) c = "{" + reg + "}";
    LLVMValueRef v = inputValue(in, can);
    QualType type = in.expr->type;
    if (type->isBool() && LLVMTypeOf(v) == t.i1) v = LLVMBuildZExt(f.builder, v, t.i8, "");
    if (can.tied) v = asTheOutput(v, c, type);
    add(c);
    pass(v, nullptr);
  }
  void inputInMemory(const AsmOperand &in, const std::string &c) {
    QualType type = in.expr->type;
    const Expr *e = in.expr;
    Address a;
    if (e->lvalue) a = f.lvalues.emitLvalue(e);
    else if (isScalarType(type.type)) {
      a = f.locals.temporary(type.unqual(), "asm.in");
      f.memory.storeScalar(a, f.exprs.emitScalar(e));
    } else a = f.aggregates.emitAggregate(e);
    f.memory.access(a, AccessMode::Read, AccessKind::Asm);
    add("*" + c);
    pass(a.ptr, t.memory(type));
  }
  LLVMValueRef inputValue(const AsmOperand &in, AsmPlaces can) {
    QualType type = in.expr->type;
    if (can.imm) {
      // An immediate has to be a constant in the IR even where nothing is optimised; where registers are allowed too,
      // both work.
      auto k = evaluate(in.expr, m.ast, EvalMode::Static);
      if (k && isScalarType(type.type) && !type->isVector())
        if (LLVMValueRef v = m.constant(*k, type)) return v;
    }
    if (in.expr->lvalue) {
      Address a = f.lvalues.emitLvalue(in.expr);
      return toRegister(a, registerType(type, in.range));
    }
    if (isScalarType(type.type)) {
      LLVMValueRef v = f.exprs.emitScalar(in.expr);
      return type->isBool() ? f.memory.toMemory(v, type.type) : v;
    }
    Address a = f.aggregates.emitAggregate(in.expr);
    f.memory.access(a, AccessMode::Read);
    return f.loadRaw(registerType(type, in.range), a.ptr, a.align);
  }
  // An input in the register of an output has the output's LLVM type.
  LLVMValueRef asTheOutput(LLVMValueRef v, const std::string &c, QualType type) {
    int to = -1;
    for (char ch : c)
      if (std::isdigit(static_cast<unsigned char>(ch))) to = (to < 0 ? 0 : to * 10) + (ch - '0');
    if (to < 0 || static_cast<size_t>(to) >= outputTypes.size() || !outputTypes[to] || outputTypes[to] == LLVMTypeOf(v))
      return v;
    LLVMTypeRef want = outputTypes[to];
    LLVMTypeKind wk = LLVMGetTypeKind(want), hk = LLVMGetTypeKind(LLVMTypeOf(v));
    if (hk == LLVMPointerTypeKind && wk == LLVMIntegerTypeKind) return LLVMBuildPtrToInt(f.builder, v, want, "");
    if (hk == LLVMIntegerTypeKind && wk == LLVMPointerTypeKind) return LLVMBuildIntToPtr(f.builder, v, want, "");
    if (hk == LLVMIntegerTypeKind && wk == LLVMIntegerTypeKind)
      return LLVMBuildIntCast2(f.builder, v, want, m.types->isSigned(type.type), "");
    return v;
  }

  LLVMValueRef call() {
    std::vector<LLVMTypeRef> rts;
    for (auto &r : results) rts.push_back(r.flag ? t.i32 : r.type);
    LLVMTypeRef resultType = rts.empty() ? t.voidTy
                             : rts.size() == 1
                                 ? rts[0]
                                 : LLVMStructTypeInContext(f.context, rts.data(), static_cast<unsigned>(rts.size()), 0);
    unsigned n = static_cast<unsigned>(args.size());
    LLVMTypeRef fnType = LLVMFunctionType(resultType, argTypes.data(), n, 0);
    std::string text = Template(s, m.target.templateDialects, hidden.size()).convert();
    bool sideEffects = s->isVolatile || s->outputs.empty() || s->isGoto || s->basic;
    LLVMValueRef code = LLVMGetInlineAsm(fnType, text.data(), text.size(), constraints.data(), constraints.size(),
        sideEffects, 0, LLVMInlineAsmDialectATT, 0);
    LLVMValueRef v;
    LLVMBasicBlockRef next = nullptr;
    std::vector<LLVMBasicBlockRef> targets;
    if (s->isGoto && !s->gotoLabels.empty()) {
      for (auto &l : s->gotoLabels)
        targets.push_back(results.empty() ? f.labels.labelBlock(l.second) : f.newBlock("asm.out"));
      next = f.newBlock("asm.next");
      v = LLVMBuildCallBr(f.builder, fnType, code, next, targets.data(), static_cast<unsigned>(targets.size()),
          args.data(), n, nullptr, 0, "");
    } else v = LLVMBuildCall2(f.builder, fnType, code, args.data(), n, "");
    for (auto &[i, e] : elementTypes) m.attributes.callTypeAttr(v, i + 1, "elementtype", e);
    if (next) {
      for (size_t i = 0; i < targets.size() && !results.empty(); i++) {  // outputs are there at the labels, too
        f.place(targets[i]);
        store(v);
        f.jump(f.labels.labelBlock(s->gotoLabels[i].second));
      }
      f.place(next);
    }
    m.attributes.callAttr(v, static_cast<unsigned>(LLVMAttributeFunctionIndex), "nounwind");
    f.expansions.notePlace(v, s->range.begin);
    return v;
  }

  void store(LLVMValueRef call) {
    for (size_t i = 0; i < results.size(); i++) {
      LLVMValueRef v =
          results.size() == 1 ? call : LLVMBuildExtractValue(f.builder, call, static_cast<unsigned>(i), "");
      Result &r = results[i];
      if (r.flag) v = LLVMBuildIntCast2(f.builder, v, r.type, 0, "");
      if (isScalarType(r.to.type.type)) {
        if (r.to.type->isBool()) v = f.memory.fromMemory(v, r.to.type.type);
        f.memory.storeScalar(r.to, v);
      } else {
        f.memory.access(r.to, AccessMode::Write);
        f.storeRaw(v, r.to.ptr, r.to.align);
      }
    }
  }
};

}  // namespace

void Statements::on(const AsmStmt &s) {
  fe.weights.weighStatement(&s);
  fe.ensureOpen();
  fe.setLocation(s.range);
  AsmEmitter(fe, &s).emit();
}

}  // namespace cilkc::cg
