// asm.cpp - inline assembly: gcc's constraints and templates become LLVM's (LangRef, "Inline Assembler Expressions").
//
// Operand numbers agree: outputs first, then inputs, then the hidden inputs of `+` operands, then labels. A register output is part of the call's
// result; an output that may be memory is passed by address ("=*m"). Constants are folded for immediate constraints.
#include <algorithm>
#include <cctype>
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
  if (!e || e->kind != ExprKind::Ident || !e->as<Ident>()->decl || e->as<Ident>()->decl->kind != DeclKind::Var) return "";
  auto *v = e->as<Ident>()->decl->as<VarDecl>();
  if (v->storage != StorageClass::Register || !v->attrs.hasAsmLabel) return "";
  std::string name(v->attrs.asmLabel);
  if (!name.empty() && name[0] == '%') name.erase(0, 1);
  return name;
}

// The template in LLVM's notation.
std::string convertTemplate(const AsmStmt *s, bool dialects, size_t hiddenInputs) {
  const std::string &t = s->text;
  std::string out;
  size_t operands = s->outputs.size() + s->inputs.size();
  auto number = [&](std::string_view name, bool &label) -> int {
    label = false;
    for (size_t i = 0; i < s->outputs.size(); i++)
      if (s->outputs[i].name == name) return static_cast<int>(i);
    for (size_t i = 0; i < s->inputs.size(); i++)
      if (s->inputs[i].name == name) return static_cast<int>(s->outputs.size() + i);
    for (size_t i = 0; i < s->gotoLabels.size(); i++)
      if (s->gotoLabels[i].first == name) {
        label = true;
        return static_cast<int>(operands + hiddenInputs + i);
      }
    return -1;
  };
  for (size_t i = 0; i < t.size(); i++) {
    char c = t[i];
    if (c == '$') {
      out += "$$";
      continue;
    }
    if (s->basic) {
      out += c;
      continue;
    }
    if (dialects && c == '{') {
      out += "$(";
      continue;
    }
    if (dialects && c == '|') {
      out += "$|";
      continue;
    }
    if (dialects && c == '}') {
      out += "$)";
      continue;
    }
    if (c != '%' || i + 1 == t.size()) {
      out += c;
      continue;
    }
    char n = t[++i];
    if (n == '%') {
      out += '%';
      continue;
    }
    if (n == '{' || n == '|' || n == '}') {
      out += n;
      continue;
    }
    if (n == '=') {
      out += "${:uid}";
      continue;
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
      if (end == std::string::npos) {
        out += '%';
        out += modifier;
        out += n;
        continue;
      }
      index = number(std::string_view(t).substr(i + 1, end - i - 1), label);
      i = end;
    } else if (std::isdigit(static_cast<unsigned char>(n))) {
      index = n - '0';
      while (i + 1 < t.size() && std::isdigit(static_cast<unsigned char>(t[i + 1]))) index = index * 10 + (t[++i] - '0');
      // gcc numbers labels right after the operands it shows, hidden inputs included.
      if (modifier == "l" && static_cast<size_t>(index) >= operands) label = true;
    }
    if (index < 0) {
      out += '%';
      out += modifier;
      out += n;
      continue;
    }
    if (label) modifier = "l";
    if (modifier == "X") modifier.clear();          // as it stands
    out += modifier.empty() ? "$" + std::to_string(index) : "${" + std::to_string(index) + ":" + modifier + "}";
  }
  return out;
}

}  // namespace

void FunctionEmitter::emitAsm(const AsmStmt *s) {
  ensureOpen();
  setLocation(s->range);
  std::string constraints;
  auto add = [&](const std::string &c) {
    if (!constraints.empty()) constraints += ',';
    constraints += c;
  };
  std::vector<LLVMValueRef> args;
  std::vector<LLVMTypeRef> argTypes;
  std::vector<std::pair<unsigned, LLVMTypeRef>> elementTypes;     // indirect operands
  struct Result {
    Address to;
    LLVMTypeRef type;
    bool flag;
  };
  std::vector<Result> results;
  std::vector<std::string> hiddenConstraints;
  std::vector<LLVMValueRef> hiddenArgs;
  std::vector<LLVMTypeRef> hiddenElement;
  std::vector<LLVMTypeRef> outputTypes(s->outputs.size(), nullptr);

  auto pass = [&](LLVMValueRef v, LLVMTypeRef element) {
    if (element) elementTypes.push_back({static_cast<unsigned>(args.size()), element});
    args.push_back(v);
    argTypes.push_back(LLVMTypeOf(v));
  };
  // The LLVM type in which a value of a C type travels through a register.
  auto registerType = [&](QualType q, Range r) -> LLVMTypeRef {
    if (isScalarType(q.type)) return q->isBool() ? t.i8 : t.memory(q);
    uint64_t n = t.size(q);
    if (n == 1 || n == 2 || n == 4 || n == 8 || n == 16) return t.intN(static_cast<unsigned>(n * 8));
    m.impossible(r, "an operand of this type in a register");
  };
  auto toRegister = [&](const Address &a, LLVMTypeRef type) -> LLVMValueRef {
    if (isScalarType(a.type.type)) {
      LLVMValueRef v = loadScalar(a);
      return a.type->isBool() ? toMemory(v, a.type.type) : v;
    }
    access(a, AccessMode::Read);
    return loadRaw(type, a.ptr, a.align);
  };

  for (size_t i = 0; i < s->outputs.size(); i++) {
    const AsmOperand &o = s->outputs[i];
    AsmPlaces can = asmPlaces(o.constraint, *m.ast.target.facts);
    Address to = emitLvalue(o.expr);
    std::string reg = explicitRegister(o.expr);
    std::string c = reg.empty() || !can.reg ? convertConstraint(o.constraint, m, s->outputs) : "{" + reg + "}";
    if (!reg.empty() && o.constraint.find('&') != std::string::npos && c[0] != '&') c = "&" + c;
    bool inOut = o.constraint.find('+') != std::string::npos;
    bool scalarish = isScalarType(to.type.type) || t.size(to.type) <= 16;
    if (can.reg && scalarish && (!can.mem || to.bitField)) {
      LLVMTypeRef type = registerType(to.type, o.range);
      bool flag = c.find("{@cc") != std::string::npos;
      outputTypes[i] = type;
      results.push_back({to, type, flag});
      add("=" + c);
      if (inOut) {
        hiddenArgs.push_back(toRegister(to, type));
        hiddenElement.push_back(nullptr);
        hiddenConstraints.push_back(std::to_string(i));
      }
    } else {
      access(to, inOut ? AccessMode::ReadWrite : AccessMode::Write, AccessKind::Asm);
      add("=*" + c);
      LLVMTypeRef element = t.memory(to.type);
      pass(to.ptr, element);
      if (inOut) {
        hiddenArgs.push_back(to.ptr);
        hiddenElement.push_back(element);
        std::string in = c;
        in.erase(std::remove(in.begin(), in.end(), '&'), in.end());
        hiddenConstraints.push_back("*" + in);
      }
    }
  }
  for (auto &in : s->inputs) {
    AsmPlaces can = asmPlaces(in.constraint, *m.ast.target.facts);
    std::string c = convertConstraint(in.constraint, m, s->outputs);
    QualType type = in.expr->type;
    if (can.mem && !can.reg && !can.imm) {
      Address a;
      const Expr *e = in.expr;
      if (e->lvalue) a = emitLvalue(e);
      else if (isScalarType(type.type)) {
        a = temporary(type.unqual(), "asm.in");
        storeScalar(a, emitScalar(e));
      } else a = emitAggregate(e);
      access(a, AccessMode::Read, AccessKind::Asm);
      add("*" + c);
      pass(a.ptr, t.memory(type));
      continue;
    }
    std::string reg = can.reg && !can.tied ? explicitRegister(in.expr) : "";
    if (!reg.empty()) c = "{" + reg + "}";
    LLVMValueRef v = nullptr;
    if (can.imm) {
      // An immediate has to be a constant in the IR even where nothing is optimised.
      auto k = evaluate(in.expr, m.ast, EvalMode::Static);
      if (k && isScalarType(type.type) && !type->isVector()) {
        v = m.constant(*k, type);
        // LLVM takes an 'i' constant apart only when it is alone or first choice; where registers are allowed too, both work.
      }
    }
    if (!v) {
      if (in.expr->lvalue) {
        Address a = emitLvalue(in.expr);
        v = toRegister(a, registerType(type, in.range));
      } else if (isScalarType(type.type)) {
        v = emitScalar(in.expr);
        if (type->isBool()) v = toMemory(v, type.type);
      } else {
        Address a = emitAggregate(in.expr);
        access(a, AccessMode::Read);
        v = loadRaw(registerType(type, in.range), a.ptr, a.align);
      }
    }
    if (type->isBool() && LLVMTypeOf(v) == t.i1) v = LLVMBuildZExt(builder, v, t.i8, "");
    if (can.tied) {
      int to = -1;
      for (char ch : c)
        if (std::isdigit(static_cast<unsigned char>(ch))) to = (to < 0 ? 0 : to * 10) + (ch - '0');
      if (to >= 0 && static_cast<size_t>(to) < outputTypes.size() && outputTypes[to] && outputTypes[to] != LLVMTypeOf(v)) {
        LLVMTypeRef want = outputTypes[to], have = LLVMTypeOf(v);
        LLVMTypeKind wk = LLVMGetTypeKind(want), hk = LLVMGetTypeKind(have);
        if (hk == LLVMPointerTypeKind && wk == LLVMIntegerTypeKind) v = LLVMBuildPtrToInt(builder, v, want, "");
        else if (hk == LLVMIntegerTypeKind && wk == LLVMPointerTypeKind) v = LLVMBuildIntToPtr(builder, v, want, "");
        else if (hk == LLVMIntegerTypeKind && wk == LLVMIntegerTypeKind) {
          bool sign = m.types->isSigned(type.type);
          v = LLVMBuildIntCast2(builder, v, want, sign, "");
        }
      }
    }
    add(c);
    pass(v, nullptr);
  }
  for (size_t i = 0; i < hiddenArgs.size(); i++) {
    add(hiddenConstraints[i]);
    pass(hiddenArgs[i], hiddenElement[i]);
  }
  for (size_t i = 0; i < s->gotoLabels.size(); i++) add("!i");
  for (auto &cl : s->clobbers) {
    std::string name = cl;
    if (!name.empty() && (name[0] == '%' || name[0] == '#')) name.erase(0, 1);
    if (name == "redzone") continue;
    add("~{" + name + "}");
  }
  if (*m.target.alwaysClobbered) add(m.target.alwaysClobbered);

  LLVMTypeRef resultType = t.voidTy;
  std::vector<LLVMTypeRef> rts;
  for (auto &r : results) rts.push_back(r.flag ? t.i32 : r.type);
  if (rts.size() == 1) resultType = rts[0];
  else if (rts.size() > 1) resultType = LLVMStructTypeInContext(context, rts.data(), static_cast<unsigned>(rts.size()), 0);
  LLVMTypeRef fnType = LLVMFunctionType(resultType, argTypes.data(), static_cast<unsigned>(argTypes.size()), 0);
  std::string text = convertTemplate(s, m.target.templateDialects, hiddenArgs.size());
  bool sideEffects = s->isVolatile || s->outputs.empty() || s->isGoto || s->basic;
  LLVMValueRef code = LLVMGetInlineAsm(fnType, text.data(), text.size(), constraints.data(), constraints.size(), sideEffects, 0, LLVMInlineAsmDialectATT, 0);
  LLVMValueRef call;
  if (s->isGoto && !s->gotoLabels.empty()) {
    std::vector<LLVMBasicBlockRef> targets;
    for (auto &l : s->gotoLabels) targets.push_back(labelBlock(l.second));
    LLVMBasicBlockRef next = newBlock("asm.next");
    call = LLVMBuildCallBr(builder, fnType, code, next, targets.data(), static_cast<unsigned>(targets.size()), args.data(), static_cast<unsigned>(args.size()),
        nullptr, 0, "");
    for (auto &[i, e] : elementTypes) m.callTypeAttr(call, i + 1, "elementtype", e);
    close();
    place(next);
  } else {
    call = LLVMBuildCall2(builder, fnType, code, args.data(), static_cast<unsigned>(args.size()), "");
    for (auto &[i, e] : elementTypes) m.callTypeAttr(call, i + 1, "elementtype", e);
  }
  m.callAttr(call, static_cast<unsigned>(LLVMAttributeFunctionIndex), "nounwind");
  calledAt = s->range.begin;
  notePlace(call);                                             // of what the back end and the assembler find

  for (size_t i = 0; i < results.size(); i++) {
    LLVMValueRef v = results.size() == 1 ? call : LLVMBuildExtractValue(builder, call, static_cast<unsigned>(i), "");
    Result &r = results[i];
    if (r.flag) v = LLVMBuildIntCast2(builder, v, r.type, 0, "");
    if (isScalarType(r.to.type.type)) {
      if (r.to.type->isBool()) v = fromMemory(v, r.to.type.type);
      storeScalar(r.to, v);
    } else {
      access(r.to, AccessMode::Write);
      storeRaw(v, r.to.ptr, r.to.align);
    }
  }
}

}  // namespace cilkc::cg
