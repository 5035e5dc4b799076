// attrs.cpp - attributes of functions, parameters, calls and globals: those of the ABI, of the command line, and of
// declarations.
#include <algorithm>
#include <cstring>
#include "codegen/core/module.h"
#include "codegen/shim/shim.h"
#include "codegen/core/target.h"
#include "frontend/builtins/builtins.h"

namespace cilkc::cg {

void Attributes::attr(LLVMValueRef fn, unsigned index, const char *name, uint64_t value) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  if (kind) LLVMAddAttributeAtIndex(fn, index, LLVMCreateEnumAttribute(m.context, kind, value));
}
void Attributes::attrString(LLVMValueRef fn, const char *key, const std::string &value) {
  LLVMAddAttributeAtIndex(fn, LLVMAttributeFunctionIndex,
      LLVMCreateStringAttribute(m.context, key, static_cast<unsigned>(strlen(key)), value.data(),
          static_cast<unsigned>(value.size())));
}
void Attributes::typeAttr(LLVMValueRef fn, unsigned index, const char *name, LLVMTypeRef type) {
  LLVMAddAttributeAtIndex(fn, index,
      LLVMCreateTypeAttribute(m.context, LLVMGetEnumAttributeKindForName(name, strlen(name)), type));
}
void Attributes::callAttr(LLVMValueRef call, unsigned index, const char *name, uint64_t value) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  if (kind) LLVMAddCallSiteAttribute(call, index, LLVMCreateEnumAttribute(m.context, kind, value));
}
void Attributes::callTypeAttr(LLVMValueRef call, unsigned index, const char *name, LLVMTypeRef type) {
  LLVMAddCallSiteAttribute(call, index,
      LLVMCreateTypeAttribute(m.context, LLVMGetEnumAttributeKindForName(name, strlen(name)), type));
}

// What the calling convention needs: extension of small integers, sret, byval.
void Attributes::abiAttributes(LLVMValueRef v, const AbiFunction &f, bool isCall, unsigned hidden) {
  auto set = [&](unsigned i, const char *n, uint64_t x = 0) { isCall ? callAttr(v, i, n, x) : attr(v, i, n, x); };
  auto setType = [&](unsigned i, const char *n, LLVMTypeRef x) {
    isCall ? callTypeAttr(v, i, n, x) : typeAttr(v, i, n, x);
  };
  if (f.callConv) isCall ? LLVMSetInstructionCallConv(v, f.callConv) : LLVMSetFunctionCallConv(v, f.callConv);
  unsigned index = 1 + hidden;
  if (f.sret()) {
    setType(index, "sret", m.types->memory(f.resultType));
    set(index, "align", f.result.align ? f.result.align : 1);
    if (!isCall) set(index, "noalias");
    index++;
  } else if (f.result.signExt) set(0, "signext");
  else if (f.result.zeroExt) set(0, "zeroext");
  if (f.stack) {
    setType(1 + hidden + f.stack.index, "byval", LLVMArrayType2(m.types->i8, f.stack.size));
    set(1 + hidden + f.stack.index, "align", f.stack.align);
  }
  for (size_t i = 0; i < f.params.size(); i++) {
    if (i == f.fixed && f.stack) index++;
    const AbiSlot &p = f.params[i];
    index += p.padBefore;
    switch (p.kind) {
      case AbiSlot::Ignore:
      case AbiSlot::Stacked: break;
      case AbiSlot::Indirect:
        if (p.byval) {
          setType(index, "byval", m.types->memory(f.types[i]));
          set(index, "align", p.align);
        }
        index++;
        break;
      case AbiSlot::Direct:
        if (p.signExt) set(index, "signext");
        else if (p.zeroExt) set(index, "zeroext");
        [[fallthrough]];
      case AbiSlot::Pieces: index += static_cast<unsigned>(p.pieces.size()); break;
    }
  }
}

// restrict and nonnull on parameters.
void Attributes::parameterAttributes(LLVMValueRef fn, const AbiFunction &abi, const FunctionDecl *d) {
  unsigned index = abi.sret() ? 2 : 1;
  auto *ft = d->type->as<FunctionType>();
  for (size_t i = 0; i < abi.params.size(); i++) {
    const AbiSlot &p = abi.params[i];
    index += p.padBefore;
    if (p.kind == AbiSlot::Ignore || p.kind == AbiSlot::Stacked) continue;
    if (p.kind == AbiSlot::Direct && abi.types[i]->isPointer()) {
      bool isRestrict = i < ft->params.size() && ft->params[i].isRestrict();
      if (d->def && i < d->params.size() && d->params[i]->type.isRestrict()) isRestrict = true;
      if (isRestrict && m.optimizing()) attr(fn, index, "noalias");
    }
    index += p.kind == AbiSlot::Indirect ? 1 : static_cast<unsigned>(p.pieces.size());
  }
}

// What the command line asks of every definition.
void Attributes::unitAttributes(LLVMValueRef fn) {
  const unsigned F = static_cast<unsigned>(LLVMAttributeFunctionIndex);
  const CodegenOptions &o = m.options;
  if (!o.exceptions) attr(fn, F, "nounwind");
  if (o.roundingMath || o.trappingMath) attr(fn, F, "strictfp");
  if (o.asyncUnwindTables) attr(fn, F, "uwtable", 2);
  if (o.sizeLevel >= 1) attr(fn, F, "optsize");
  if (o.sizeLevel >= 2) attr(fn, F, "minsize");
  attrString(fn, "frame-pointer",
      o.framePointer == FramePointer::All || !m.optimizing() ? "all"
      : o.framePointer == FramePointer::NonLeaf              ? "non-leaf"
                                                             : "none");
  attrString(fn, "no-trapping-math", o.trappingMath ? "false" : "true");
  attrString(fn, "stack-protector-buffer-size", "8");
  switch (o.stackProtector) {
    case StackProtector::None:
    case StackProtector::Explicit: break;  // what is asked of a function is in declAttributes
    case StackProtector::Default: attr(fn, F, "ssp"); break;
    case StackProtector::Strong: attr(fn, F, "sspstrong"); break;
    case StackProtector::All: attr(fn, F, "sspreq"); break;
  }
  if (!o.redZone) attr(fn, F, "noredzone");
  if (!o.builtins) attrString(fn, "no-builtins");
  for (auto &n : o.noBuiltin) attrString(fn, ("no-builtin-" + n).c_str());
  if (!o.jumpTables) attrString(fn, "no-jump-tables", "true");
  if (!o.optimizeSiblingCalls) attrString(fn, "disable-tail-calls", "true");
  if (!o.nullPointerChecks) attr(fn, F, "null_pointer_is_valid");
  if (o.fastMath)
    for (const char *k :
        {"unsafe-fp-math", "no-infs-fp-math", "no-nans-fp-math", "no-signed-zeros-fp-math", "approx-func-fp-math"})
      attrString(fn, k, "true");
  if (o.profileMcount) attrString(fn, "fentry-call", "true");
  if (o.instrumentFunctions) {
    attrString(fn, "instrument-function-entry", "__cyg_profile_func_enter");
    attrString(fn, "instrument-function-exit", "__cyg_profile_func_exit");
  }
  if (o.alignFunctions) LLVMSetAlignment(fn, o.alignFunctions);
  if (o.returnThunk) attr(fn, F, "fn_ret_thunk_extern");
  if (o.stackClash) attrString(fn, "probe-stack", "inline-asm");
  if (!o.zeroCallUsedRegs.empty()) attrString(fn, "zero-call-used-regs", o.zeroCallUsedRegs);
  if (o.patchableEntry > o.patchableBefore)
    attrString(fn, "patchable-function-entry", std::to_string(o.patchableEntry - o.patchableBefore));
  if (o.patchableBefore) attrString(fn, "patchable-function-prefix", std::to_string(o.patchableBefore));
  m.target.unitAttributes(m, fn);
  if (o.sanitizeAddress) attr(fn, F, "sanitize_address");
  if (o.sanitizeThread) attr(fn, F, "sanitize_thread");
  char *cpu = LLVMGetTargetMachineCPU(m.machine), *features = LLVMGetTargetMachineFeatureString(m.machine);
  if (*cpu) attrString(fn, "target-cpu", cpu);
  if (*features) attrString(fn, "target-features", features);
  attrString(fn, "tune-cpu", o.tuneCpu.empty() || o.tuneCpu == "native" ? "generic" : o.tuneCpu);
  LLVMDisposeMessage(cpu);
  LLVMDisposeMessage(features);
}

// Functions of <math.h> that have no effect but on errno.
static bool setsOnlyErrno(BuiltinId id) {
  using enum BuiltinId;
  static constexpr BuiltinId families[] = {sqrt, sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, asinh, acosh,
      atanh, exp, exp2, expm1, log, log2, log10, log1p, pow, cbrt, hypot, fmod, fma, fdim, erf, erfc, tgamma,
      remainder};
  return builtinHasFlag(id, 'L') && std::ranges::find(families, builtinFamily(id)) != std::end(families);
}

// A procedure does: its fast clone returns a dummy when it gives up its frame.
bool Attributes::neverReturns(const FunctionType *type, const FunctionDecl *d) {
  return !type->isCilk && (type->noreturn || (d && (d->attrs.noreturn || d->isNoreturn)));
}

// What the declaration says.
void Attributes::declAttributes(LLVMValueRef fn, const FunctionDecl *d) {
  const unsigned F = static_cast<unsigned>(LLVMAttributeFunctionIndex);
  const DeclAttrs &a = d->attrs;
  if (!m.options.exceptions && (!d->def || a.leaf) && d->implicit == false && d->builtin) attr(fn, F, "nounwind");
  if (neverReturns(d->type->as<FunctionType>(), d)) attr(fn, F, "noreturn");
  if (a.noinline || a.optnone) attr(fn, F, "noinline");
  else if (a.alwaysInline) attr(fn, F, "alwaysinline");
  else if (!m.optimizing() && d->def) attr(fn, F, "noinline");
  else if (d->isInline) attr(fn, F, "inlinehint");
  else if (!m.options.inlining && d->def) attr(fn, F, "noinline");
  if (a.optnone || (!m.optimizing() && d->def && !a.alwaysInline)) {
    attr(fn, F, "optnone");
    attr(fn, F, "noinline");
  }
  // The back end reports the calls that are left (emit.cpp); which declaration it was goes with the text.
  if (!a.callError.empty()) attrString(fn, "dontcall-error", std::string(d->name) + "\n" + std::string(a.callError));
  if (!a.callWarning.empty()) attrString(fn, "dontcall-warn", std::string(d->name) + "\n" + std::string(a.callWarning));
  if (a.noStackProtector)
    for (std::string_view name : {"ssp", "sspstrong", "sspreq"})
      LLVMRemoveEnumAttributeAtIndex(fn, F, LLVMGetEnumAttributeKindForName(name.data(), name.size()));
  else if (a.stackProtect && m.options.stackProtector != StackProtector::None) attr(fn, F, "sspreq");
  if (a.cold) attr(fn, F, "cold");
  if (a.hot) attr(fn, F, "hot");
  if (a.naked) {
    attr(fn, F, "naked");
    attr(fn, F, "noinline");
  }
  if (a.returnsTwice) attr(fn, F, "returns_twice");
  if (!d->isCilk && (!d->def || m.optimizing())) {  // a procedure's clones always have effects: on the deque
    // memory(none) and memory(read): IntrinsicInst's encoding, two bits for each of argmem, inaccessible, other.
    if (a.constant || (!m.options.mathErrno && !d->def && setsOnlyErrno(static_cast<BuiltinId>(d->builtin)))) {
      attr(fn, F, "memory", 0);
      attr(fn, F, "nounwind");
      attr(fn, F, "willreturn");
    } else if (a.pure) {
      attr(fn, F, "memory", 0x15);
      attr(fn, F, "nounwind");
      attr(fn, F, "willreturn");
    }
  }
  if (a.nothrow && m.options.exceptions && d->def == nullptr) {}
  QualType r = d->type->as<FunctionType>()->result;
  if (r->isPointer()) {
    if (a.malloc) attr(fn, LLVMAttributeReturnIndex, "noalias");
    if (a.returnsNonnull && m.options.nullPointerChecks) attr(fn, LLVMAttributeReturnIndex, "nonnull");
  }
  for (std::string_view words = a.noSanitize; !words.empty();) {
    std::string_view word = words.substr(0, words.find('\n'));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    for (const char *kind : {"address", "thread"})
      if (word == kind || word == "all")
        LLVMRemoveEnumAttributeAtIndex(fn, F,
            LLVMGetEnumAttributeKindForName((std::string("sanitize_") + kind).c_str(), std::strlen(kind) + 9));
  }
  if (a.noInstrument) {
    LLVMRemoveStringAttributeAtIndex(fn, F, "instrument-function-entry", 25);
    LLVMRemoveStringAttributeAtIndex(fn, F, "instrument-function-exit", 24);
  }
  if (!a.targetFeatures.empty()) {
    // target("avx2,no-sse4") -> "+avx2,-sse4", after those of the unit; arch= names a processor.
    char *base = LLVMGetTargetMachineFeatureString(m.machine);
    std::string features = base, text(a.targetFeatures);
    LLVMDisposeMessage(base);
    size_t i = 0;
    while (i <= text.size()) {
      size_t j = text.find(',', i);
      if (j == std::string::npos) j = text.size();
      std::string f = text.substr(i, j - i);
      while (!f.empty() && f[0] == ' ') f.erase(0, 1);
      if (f.rfind("arch=", 0) == 0) attrString(fn, "target-cpu", f.substr(5));
      else if (f.rfind("tune=", 0) == 0) attrString(fn, "tune-cpu", f.substr(5));
      else if (!f.empty() && f[0] == '+') features += (features.empty() ? "" : ",") + f;    // AArch64: "+crc"
      else if (!f.empty() && f != "default" && f != "no-mmx") {
        // what -m of that name asks for
        CodegenOptions one;
        if (one.applySwitch("-m" + f))
          for (const std::string &x : one.features) features += (features.empty() ? "" : ",") + x;
      }
      i = j + 1;
    }
    attrString(fn, "target-features", features);
  }
}

// Visibility, section, dso_local.
void Attributes::globalProperties(LLVMValueRef g, const Decl *d, const DeclAttrs &a, bool definition) {
  Linkage l = d->kind == DeclKind::Function ? d->as<FunctionDecl>()->linkage : d->as<VarDecl>()->linkage;
  bool local = l != Linkage::External || (d->kind == DeclKind::Function && d->as<FunctionDecl>()->parent);
  Visibility v = a.visibilitySet ? a.visibility : definition ? m.options.visibility : Visibility::Default;
  if (!local) {
    if (v == Visibility::Hidden || v == Visibility::Internal) LLVMSetVisibility(g, LLVMHiddenVisibility);
    else if (v == Visibility::Protected) LLVMSetVisibility(g, LLVMProtectedVisibility);
  }
  if (!a.section.empty()) LLVMSetSection(g, std::string(a.section).c_str());
  if (d->kind == DeclKind::Function && a.align > LLVMGetAlignment(g)) LLVMSetAlignment(g, a.align);
  bool weakDecl = a.weak && !definition;
  // an undefined weak symbol may be 0
  bool dso = local || (v != Visibility::Default && (definition || (v == Visibility::Hidden && !weakDecl)));
  if (!dso && !weakDecl) {
    if (m.options.pic == PicLevel::None) dso = true;
    else if (m.options.pic == PicLevel::Pie) dso = definition && LLVMGetLinkage(g) != LLVMCommonLinkage;
  }
  if (d->kind == DeclKind::Function && !definition && !m.options.plt && !local) {
    dso = false;
    attr(g, static_cast<unsigned>(LLVMAttributeFunctionIndex), "nonlazybind");
  }
  shimSetDsoLocal(g, dso);
}

}  // namespace cilkc::cg
