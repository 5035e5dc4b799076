// step.cpp - -cilk-step: the points of -cilk-explore, and before each what `cilkc step` needs to show the values of
// the program's variables (rt/extensions/replay/step.c).
//
// At a point the runtime gets the addresses of the variables that the place can name. Their names and types are a
// text beside them, a *scope*, which it writes down once. A type is a word: i4, u8, f8, c1 and b1 are numbers of so
// many bytes, `p` stands before what is pointed to, `aN:` before the type of N elements, rN is a record that the
// unit's text describes, wN.M: stands before the type of the value of a future of N bytes, M bytes from its state, and
// xN are N bytes of anything else. The unit's text has the global variables, too.
#include "codegen/clones/abi.h"
#include "codegen/events/explore.h"
#include "codegen/events/library.h"
#include "frontend/types/layout.h"

namespace cilkc::cg {
namespace {

constexpr size_t kMostVariables = 64;  // that are shown of one frame

// Types as words, and the descriptions of the records that they name.
class TypeWords {
  ModuleEmitter &m;
  std::unordered_map<const Type *, size_t> numbers;

public:
  std::string records;
  explicit TypeWords(ModuleEmitter &me) : m(me) {}

  std::string of(const Type *t) {
    if (t->isPointer()) {
      const Type *to = t->as<PointerType>()->pointee.type;
      return !to->isFunction() && isComplete(to) && !hasVariableSize(to) ? "p" + of(to) : "pv";
    }
    if (!isComplete(t) || hasVariableSize(t) || t->isFunction()) return "v";
    if (t->isArray()) return "a" + std::to_string(t->as<ArrayType>()->count) + ":" + of(t->as<ArrayType>()->elem.type);
    if (t->isFuture()) {
      const RecordType *r = t->as<RecordType>();
      return "w" + std::to_string(r->size) + "." + std::to_string(r->fields.back()->offset) + ":" + of(r->awaits.type);
    }
    if (t->isRecord() && !t->as<RecordType>()->continues) return "r" + std::to_string(record(t->as<RecordType>()));
    std::string size = std::to_string(m.types->size(t));
    if (t->kind == TypeKind::Char) return "c" + size;
    if (t->isBool()) return "b" + size;
    if (t->isFloating()) return "f" + size;
    if (t->isInteger() && m.types->size(t) <= 16 && !t->isWide()) return (isSigned(t, m.ast.target) ? "i" : "u") + size;
    return "x" + size;
  }

private:
  size_t record(const RecordType *r) {
    if (auto it = numbers.find(r); it != numbers.end()) return it->second;
    size_t number = numbers[r] = numbers.size();
    std::string line = "#|r" + std::to_string(number) + "|" + (r->isUnion ? "union " : "struct ") +
                       std::string(r->tag) + "|" + std::to_string(r->size);
    for (auto *f : r->fields) {
      if (f->bitField && !f->width) continue;
      line += "|" + std::string(f->name) + "@" + std::to_string(f->offset);
      if (f->bitField)
        line += "." + std::to_string(f->bitOffset) + "." + std::to_string(f->width) + "@" +
                (isSigned(f->type.type, m.ast.target) ? "i" : "u") + std::to_string(f->unitBytes);
      else line += "@" + of(f->type.type);
    }
    records += "\t" + line;
    return number;
  }
};

class StepEvents : public ExploreEvents {
  TypeWords types;
  std::unordered_map<std::string, LLVMValueRef> scopes;
  std::unordered_map<LLVMValueRef, LLVMValueRef> places;  // of a function's variables, for the call
  std::unordered_set<LLVMValueRef> slow;
  LLVMValueRef unit = nullptr;
  const Library heap{"cilk_rt_step_", {"malloc", "calloc", "realloc", "free", "aligned_alloc", "strdup"}};

  struct Variables {
    std::string text;
    std::vector<LLVMValueRef> at, sizes;
  };

public:
  explicit StepEvents(ModuleEmitter &me) : ExploreEvents(me), types(me) {}

  std::string externalName(const FunctionDecl *f, const std::string &name) override {
    return ExploreEvents::externalName(f, heap.called(f, name));
  }

  // Until its initialiser has given it a value, it has none: as -ftrivial-auto-var-init=pattern does for the others.
  void objectBegins(FunctionEmitter &fe, const Object &o) override {
    if (o.kind == Object::Local && o.variable && o.variable->init)
      fe.fillBytes(o.ptr, 1, LLVMConstInt(fe.t.i8, 0xaa, false), o.size);
  }

  void beforePoint(FunctionEmitter &fe, const Access *a) override {
    Variables found;
    if (fe.fn)
      for (auto *v : fe.fn->params)
        if (fe.locals.known(v)) add(found, v, fe.locals.slotOf(v).ptr);
    for (size_t i = 0; i < fe.scopes.depth(); i++)
      for (auto &c : fe.scopes.at(i).cleanups)
        if (c.kind == Scopes::Cleanup::Reported && c.size) add(found, c.var, c.value);
    LLVMValueRef &place = places[fe.function];
    LLVMTypeRef all = LLVMArrayType2(fe.t.ptr, kMostVariables);
    if (!place) place = fe.entryAlloca(all, 8, "step.variables");
    for (size_t i = 0; i < found.at.size(); i++) fe.storeRaw(found.at[i], fe.offsetPtr(place, i * 8), 8);
    bool memory = a && a->at.ptr && !a->at.bitField;
    const Type *type = memory ? a->at.type.type : nullptr;
    fe.callRuntime("cilk_rt_step", fe.t.voidTy,
        {scope(found), place, memory ? a->at.ptr : LLVMConstNull(fe.t.ptr), memory ? a->size : fe.i64c(0),
            text(type ? types.of(type) : "")});
  }

  // A slow clone restores what is live. What it has not restored has no value, and the page keeps that of before.
  void resumes(FunctionEmitter &fe) override { slow.insert(fe.function); }
  void functionEmitted(FunctionEmitter &fe) override {
    places.erase(fe.function);
    if (!slow.erase(fe.function)) return;
    std::vector<LLVMValueRef> locals;
    LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(fe.function));
    for (; at && LLVMIsAAllocaInst(at); at = LLVMGetNextInstruction(at)) locals.push_back(at);
    LLVMPositionBuilderBefore(fe.builder, at);
    LLVMSetCurrentDebugLocation2(fe.builder, nullptr);
    for (auto a : locals) fe.fillBytes(a, 1, LLVMConstInt(fe.t.i8, 0xaa, false), LLVMSizeOf(LLVMGetAllocatedType(a)));
  }

  void unitEnds() override {
    if (!unit) return;
    Variables found;
    for (auto *v : m.unit.globals) {
      LLVMValueRef g = m.emitted(v);
      if (g && !LLVMIsDeclaration(g) && !v->type.isConst() && !m.diags.sources().inSystemHeader(v->range.begin))
        add(found, v, g);
    }
    LLVMTypeRef ptr = m.types->ptr;
    LLVMValueRef at = LLVMConstArray2(ptr, found.at.data(), found.at.size());
    describe(unit, found.text + types.records, LLVMConstNull(ptr), found, m.privateConstant(at, 8, "step.globals"));
  }

private:
  void add(Variables &to, const VarDecl *v, LLVMValueRef at) {
    if (v->hidden || v->threadLocal || v->isPrivate || v->name.empty() || hasVariableSize(v->type.type) ||
        !isComplete(v->type.type) || to.at.size() == kMostVariables)
      return;
    Presumed p = v->range.valid() ? m.diags.sources().resolve(v->range.begin) : Presumed{};
    bool isStatic = !v->isLocal && !v->isParam && v->fn;
    to.text += "\t" + std::string(v->name) + (isStatic ? " (of " + std::string(v->fn->shownName()) + ")" : "") + "|" +
               std::to_string(p.line) + "|" + (v->isParam ? "p" : "l") + "|" + types.of(v->type.type);
    to.at.push_back(at);
    to.sizes.push_back(LLVMConstInt(m.types->i64, m.types->size(v->type), 0));
  }

  LLVMValueRef newScope(const char *name) {
    LLVMValueRef g = LLVMAddGlobal(m.module, abi::type<abi::cilk_step_scope>(m), name);
    LLVMSetLinkage(g, LLVMPrivateLinkage);
    LLVMSetAlignment(g, 8);
    return g;
  }

  LLVMValueRef scope(Variables &found) {
    if (!unit) unit = newScope("step.unit");
    LLVMValueRef &v = scopes[found.text];
    if (v) return v;
    v = newScope("step.scope");
    describe(v, found.text, unit, found, LLVMConstNull(m.types->ptr));
    return v;
  }

  void describe(LLVMValueRef g, const std::string &words, LLVMValueRef of, Variables &found, LLVMValueRef at) {
    LLVMTypeRef i32 = m.types->i32, i64 = m.types->i64;
    LLVMValueRef sizes = LLVMConstArray2(i64, found.sizes.data(), found.sizes.size());
    LLVMSetInitializer(g, abi::constant(m, abi::cilk_step_scope{.text = text(words),
                                               .unit = of,
                                               .sizes = m.privateConstant(sizes, 8, "step.sizes"),
                                               .globals = at,
                                               .n = LLVMConstInt(i32, found.sizes.size(), 0),
                                               .written = LLVMConstInt(i32, 0, 0)}));
  }
};

}  // namespace

std::unique_ptr<Events> makeStepEvents(ModuleEmitter &m) { return std::make_unique<StepEvents>(m); }

}  // namespace cilkc::cg
