// shapes.cpp - where numbers and addresses are in the memory that a checkpoint has: addresses mean something else in
// another process, and a processor of the other byte order turns numbers round.
//
// Each unit with procedures has a text in the section cilk_shapes: lines of words, the last of which may have blanks.
// rt/extensions/travel/shapes.c reads it.
//   U FILE                                   the unit, as symbol tables name it.
//   T NUMBER s SIZE TYPE                     a type: a number of SIZE bytes.
//   T NUMBER p NUMBER TYPE                   a pointer to that type; 0: to something unknown.
//   T NUMBER a NUMBER COUNT TYPE             an array.
//   T NUMBER r SIZE COUNT {OFFSET NUMBER} TYPE   a struct.
//   T NUMBER x SIZE ADDRESSES TYPE           what only its own byte order can read; 1: it may hold addresses.
//   O NUMBER                                 a struct: what pointers to it lead to may be of another type.
//   B NUMBER                                 ... may be a larger struct, whose first member it is.
//   P SYMBOL                                 a procedure's constant; its variables and entries follow.
//   V OFFSET NUMBER NAME
//   D ENTRY COUNT {VARIABLE}                 variables, from 0, whose value is not needed at that entry.
//   E ENTRY NUMBER COUNT {OFFSET NUMBER}     of a spawn: the type of the result or 0, the members of the record.
//   G NUMBER SYMBOL                          an object.
#include <algorithm>
#include <functional>
#include <set>
#include "codegen/clones/abi.h"
#include "codegen/clones/procedure.h"
#include "codegen/shim/shim.h"
#include "frontend/ast/visit.h"

namespace cilkc::cg {
namespace {

class Shapes {
public:
  explicit Shapes(ModuleEmitter &m) : m(m) {}

  void emit(const std::vector<const Procedure *> &procedures) {
    for (auto *p : procedures) procedure(*p);
    for (auto *v : m.unit.globals) object(v);
    others();
    size_t n;
    std::string bytes = "U " + std::string(LLVMGetSourceFileName(m.module, &n)) + "\n" + text;
    bytes.append(8 - bytes.size() % 8, '\0');
    LLVMValueRef g = m.privateConstant(shimConstDataArray(m.types->i8, bytes.data(), bytes.size()), 8, "cilk.shapes");
    LLVMSetSection(g, "cilk_shapes");
    m.useLater(g);
  }

private:
  ModuleEmitter &m;
  std::string text;
  std::unordered_map<const Type *, unsigned> numbers;
  unsigned last = 0;

  static std::string word(uint64_t n) { return std::to_string(n) + " "; }

  // The end of a type's line: all after its number.
  std::string describe(const Type *t) {
    std::string name = toString(QualType(t));
    uint64_t size = isComplete(t) && !hasVariableSize(t) ? m.types->size(t) : 0;
    if (t->isPointer()) {
      QualType to = t->as<PointerType>()->pointee;
      bool known = to && !to->isFunction() && !to->isVoid() && isComplete(to.type) && !hasVariableSize(to.type);
      return "p " + word(known ? typeNumber(to) : 0) + name;
    }
    if (t->isArray() && size) {
      auto *a = t->as<ArrayType>();
      return "a " + word(typeNumber(a->elem)) + word(a->count) + name;
    }
    if (t->isVector())
      return "a " + word(typeNumber(t->as<VectorType>()->elem)) + word(t->as<VectorType>()->count) + name;
    if (t->isComplex()) {
      const Type *e = t->as<ComplexType>()->elem;
      return "a " + word(typeNumber(QualType(e))) + word(2) + name;
    }
    if (t->isRecord() && size) {
      std::string members;
      size_t n = 0;
      if (plain(t->as<RecordType>())) {
        for (auto *f : t->as<RecordType>()->fields) {
          if (f->bitField) continue;       // of no bits
          members += word(f->offset) + word(typeNumber(f->type));
          n++;
        }
        return "r " + word(size) + word(n) + members + name;
      }
    } else if (size && size <= 8 && !(size & (size - 1)) && (t->isInteger() || t->isFloating()))
      return "s " + word(size) + name;
    return "x " + word(size) + word(mayHoldAddresses(t)) + name;
  }

  static bool mayHoldAddresses(const Type *t) {
    while (t->isArray()) t = t->as<ArrayType>()->elem.type;
    if (!t->isRecord()) return !t->isInteger() && !t->isFloating();
    const auto *r = t->as<RecordType>();
    if (r->continues || r->awaits || r->reduces) return true;
    return std::any_of(r->fields.begin(), r->fields.end(),
        [](const auto *f) { return mayHoldAddresses(f->type.type); });
  }

  // A last member [0], [1] or [] may have more elements than it says.
  bool plain(const RecordType *r) {
    if (r->isUnion || r->flexible || r->continues || r->awaits || r->reduces || r->fields.empty()) return false;
    for (auto *f : r->fields)
      if ((f->bitField && f->width) || !isComplete(f->type.type) || hasVariableSize(f->type.type)) return false;
    const Type *end = r->fields.back()->type.type;
    return !end->isArray() || end->as<ArrayType>()->count > 1;
  }

  unsigned typeNumber(QualType q) {
    const Type *t = q.type;
    if (auto it = numbers.find(t); it != numbers.end()) return it->second;
    unsigned number = numbers[t] = ++last;
    std::string line = describe(t);       // may append other types
    text += "T " + word(number) + line + "\n";
    return number;
  }

  // Is the variable's slot read after a resumption at e? A child that is out may write a receiver before that. While
  // the procedure only waits for its children, inlets read slots.
  static bool needed(const Procedure &p, const EntryPoint &e, const VarDecl *v) {
    if (p.plan.home(v) == VarHome::Closure) return true;
    if (e.kind == EntryPoint::AtReturn) return v->inletTouches;
    if (p.plan.home(v) == VarHome::Delivered) return true;
    for (auto *list : {&e.live, &e.save, &e.saveDelivered})
      if (std::find(list->begin(), list->end(), v) != list->end()) return true;
    return false;
  }

  void procedure(const Procedure &p) {
    const ClosureLayout &c = p.plan.closure;
    std::string lines;
    for (auto *v : c.variables) {
      unsigned number = hasVariableSize(v->type.type) ? pointerToElements(v->type) : typeNumber(v->type);
      lines += "V " + word(c.offsets.at(v)) + word(number) + std::string(v->name) + "\n";
    }
    if (c.returnSize)
      lines += "V " + word(c.returnOffset) + word(typeNumber(p.fn->type->as<FunctionType>()->result)) + "return\n";
    for (size_t i = 1; i < p.plan.entries.size(); i++) {
      std::string dead;
      size_t n = 0, k = 0;
      auto see = [&](bool needed) {
        if (!needed) dead += word(k), n++;
        k++;
      };
      for (auto *v : c.variables) see(needed(p, p.plan.entries[i], v));
      if (c.returnSize) see(p.plan.entries[i].kind == EntryPoint::AtReturn);
      if (n) lines += "D " + word(i) + word(n) + dead + "\n";
    }
    for (size_t i = 0; i < p.plan.entries.size(); i++) {
      const EntryPoint &e = p.plan.entries[i];
      if (e.kind != EntryPoint::AfterSpawn) continue;
      const RecordLayout &r = p.plan.spawn(e.spawn).record;
      QualType result = e.spawn->type()->result;
      std::string members;
      size_t n = r.argOffsets.size();
      if (r.receiver == RecordLayout::Stored) {
        members = word(0) + word(pointerToElements({}));
        n++;
      }
      for (size_t k = 0; k < r.argOffsets.size(); k++)
        members += word(r.argOffsets[k]) + word(typeNumber(r.argTypes[k]));
      lines += "E " + word(i) + word(result->isVoid() ? 0 : typeNumber(result)) + word(n) + members + "\n";
    }
    size_t n;
    text += "P " + std::string(LLVMGetValueName2(p.sig, &n)) + "\n" + lines;
  }

  // A slot of an array of variable size has its address.
  unsigned pointerToElements(QualType array) {
    while (array && array->isArray()) array = array->as<ArrayType>()->elem;
    bool known = array && isComplete(array.type) && !hasVariableSize(array.type);
    unsigned element = known ? typeNumber(array) : 0;
    text += "T " + word(++last) + "p " + word(element) + (known ? toString(array) + " *" : "void *") + "\n";
    return last;
  }

  // Structs that casts make of pointers to something else, or the other way round; those that larger ones begin with.
  void others() {
    std::set<const Type *> cast, begins, seen;
    auto see = [&](const Expr *e, CastKind kind, const Expr *sub) {
      if (kind != CastKind::PointerToPointer || !e->type || !sub->type || !e->type->isPointer() ||
          !sub->type->isPointer())
        return;
      const Type *to = e->type->as<PointerType>()->pointee.type, *from = sub->type->as<PointerType>()->pointee.type;
      if (to == from || !to->isRecord() || from->isVoid()) return;
      cast.insert(to);
      cast.insert(from);
    };
    std::function<void(const Type *)> reach = [&](const Type *t) {
      while (t && (t->isPointer() || t->isArray()))
        t = t->isPointer() ? t->as<PointerType>()->pointee.type : t->as<ArrayType>()->elem.type;
      if (!t || !t->isRecord() || !seen.insert(t).second) return;
      const auto *r = t->as<RecordType>();
      for (auto *f : r->fields) {
        reach(f->type.type);
        if (f != r->fields.front() && mayHoldAddresses(f->type.type)) begins.insert(r->fields.front()->type.type);
      }
    };
    for (auto *f : m.unit.functions) {
      for (auto *list : {&f->params, &f->locals})
        for (auto *v : *list) reach(v->type.type);
      if (f->def)
        eachExpr(static_cast<const Stmt *>(f->def->body), Walk::Evaluated, [&](const Expr *e) {
          if (e->kind == ExprKind::Cast) see(e, e->as<Cast>()->castKind, e->as<Cast>()->sub);
          if (e->kind == ExprKind::ImplicitCast) see(e, e->as<ImplicitCast>()->castKind, e->as<ImplicitCast>()->sub);
        });
    }
    for (auto *v : m.unit.globals) reach(v->type.type);
    std::set<std::string> lines;
    for (auto &[t, number] : numbers)
      if (t->isRecord() && (cast.count(t) || begins.count(t)))
        lines.insert((cast.count(t) ? "O " : "B ") + word(number) + "\n");
    for (auto &line : lines) text += line;
  }

  void object(const VarDecl *v) {
    if (v->threadLocal || hasVariableSize(v->type.type)) return;
    std::string name = v->linkage == Linkage::None && v->fn ? std::string(v->fn->name) + "." + std::string(v->name)
                                                            : m.linkName(v, v->attrs);
    LLVMValueRef g = LLVMGetNamedGlobal(m.module, name.c_str());
    if (!g || LLVMIsDeclaration(g) || !isComplete(v->type.type)) return;
    unsigned number = typeNumber(v->type);
    text += "G " + word(number) + name + "\n";
  }
};

}  // namespace

void emitShapes(ModuleEmitter &m, const std::vector<const Procedure *> &procedures) { Shapes(m).emit(procedures); }

}  // namespace cilkc::cg
