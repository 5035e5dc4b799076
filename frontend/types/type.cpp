// type.cpp - what can be asked of a type: size, alignment, signedness, completeness, and its spelling in C.
#include "frontend/types/type.h"
#include <algorithm>

namespace cilkc {

uint64_t sizeOf(const Type *t, const TargetInfo &target) {
  switch (t->kind) {
    case TypeKind::Void:
    case TypeKind::Function:
    case TypeKind::Auto: return 1;
    case TypeKind::Bool:
    case TypeKind::Char:
    case TypeKind::SChar:
    case TypeKind::UChar: return 1;
    case TypeKind::Short:
    case TypeKind::UShort:
    case TypeKind::Float16: return 2;
    case TypeKind::Error:
    case TypeKind::Int:
    case TypeKind::UInt:
    case TypeKind::Float:
    case TypeKind::Float32: return 4;
    case TypeKind::Long:
    case TypeKind::ULong:
    case TypeKind::LongLong:
    case TypeKind::ULongLong:
    case TypeKind::Double:
    case TypeKind::Float64:
    case TypeKind::Float32x:
    case TypeKind::Pointer: return 8;
    case TypeKind::Int128:
    case TypeKind::UInt128:
    case TypeKind::LongDouble:
    case TypeKind::Float128:
    case TypeKind::Float64x: return 16;
    case TypeKind::Complex: return 2 * sizeOf(t->as<ComplexType>()->elem, target);
    case TypeKind::Vector: {
      const auto *v = t->as<VectorType>();
      uint64_t bytes = v->count * sizeOf(v->elem, target), size = 1;
      while (size < bytes) size *= 2;
      return size;
    }
    case TypeKind::Array: {
      const auto *a = t->as<ArrayType>();
      return a->total ? a->total * sizeOf(a->base, target) : 0;
    }
    case TypeKind::Record: return t->as<RecordType>()->size;
    case TypeKind::WideBits: {
      uint64_t bits = t->as<WideBitsType>()->width, word = uint64_t(target.facts->bitIntAlign) * 8;
      return t->isWide() ? (bits + word - 1) / word * word / 8 : sizeOf(t->as<WideBitsType>()->declared, target);
    }
    case TypeKind::Enum: {
      const Type *u = t->as<EnumType>()->underlying;
      return u ? sizeOf(u, target) : 4;
    }
  }
  return 1;
}

uint32_t alignOf(const Type *t, const TargetInfo &target) {
  switch (t->kind) {
    case TypeKind::Array: return alignOf(t->as<ArrayType>()->base, target);
    case TypeKind::Complex: return alignOf(t->as<ComplexType>()->elem, target);
    case TypeKind::Record: return t->as<RecordType>()->align;
    case TypeKind::WideBits: {
      uint32_t a = alignOf(t->as<WideBitsType>()->declared, target);
      return t->isBitInt() && a > target.facts->bitIntAlign ? target.facts->bitIntAlign : a;
    }
    case TypeKind::Enum: {
      const Type *u = t->as<EnumType>()->underlying;
      return u ? alignOf(u, target) : 4;
    }
    case TypeKind::Vector: return static_cast<uint32_t>(sizeOf(t, target));
    default: return std::min(static_cast<uint32_t>(sizeOf(t, target)), target.facts->largestAlign);
  }
}

bool isSigned(const Type *t, const TargetInfo &target) {
  switch (t->kind) {
    case TypeKind::Char: return target.charSigned;
    case TypeKind::SChar:
    case TypeKind::Short:
    case TypeKind::Int:
    case TypeKind::Long:
    case TypeKind::LongLong:
    case TypeKind::Int128: return true;
    case TypeKind::Enum: {
      const Type *u = t->as<EnumType>()->underlying;
      return u ? isSigned(u, target) : false;
    }
    case TypeKind::WideBits: return isSigned(t->as<WideBitsType>()->declared, target);
    default: return false;
  }
}

bool isComplete(const Type *t) {
  switch (t->kind) {
    case TypeKind::Void:
    case TypeKind::Auto: return false;
    case TypeKind::Array: {
      const auto *a = t->as<ArrayType>();
      return !a->open && isComplete(a->base);
    }
    case TypeKind::Record: return t->as<RecordType>()->complete;
    case TypeKind::Enum: return t->as<EnumType>()->complete;
    default: return true;
  }
}

bool isVariablyModified(const Type *t) {
  for (;;) {
    if (const Chain *c = chainOf(t)) {
      if (c->runTime) return true;
      t = c->end;
    }
    if (!t->isFunction()) return t->isRecord() && t->as<RecordType>()->variable;
    t = t->as<FunctionType>()->result.type;
  }
}

bool hasVariableSize(const Type *t) {
  if (t->isArray()) {
    if (t->as<ArrayType>()->variable) return true;
    t = t->as<ArrayType>()->base;
  }
  return t->isRecord() && t->as<RecordType>()->variable;
}

// ---- spelling -----------------------------------------------------------------------------------------------------

namespace {

const char *basicName(TypeKind k) {
  switch (k) {
    case TypeKind::Error: return "<error>";
    case TypeKind::Void: return "void";
    case TypeKind::Bool: return "_Bool";
    case TypeKind::Char: return "char";
    case TypeKind::SChar: return "signed char";
    case TypeKind::UChar: return "unsigned char";
    case TypeKind::Short: return "short";
    case TypeKind::UShort: return "unsigned short";
    case TypeKind::Int: return "int";
    case TypeKind::UInt: return "unsigned int";
    case TypeKind::Long: return "long";
    case TypeKind::ULong: return "unsigned long";
    case TypeKind::LongLong: return "long long";
    case TypeKind::ULongLong: return "unsigned long long";
    case TypeKind::Int128: return "__int128";
    case TypeKind::UInt128: return "unsigned __int128";
    case TypeKind::Float16: return "_Float16";
    case TypeKind::Float: return "float";
    case TypeKind::Double: return "double";
    case TypeKind::LongDouble: return "long double";
    case TypeKind::Float128: return "__float128";
    case TypeKind::Float32: return "_Float32";
    case TypeKind::Float64: return "_Float64";
    case TypeKind::Float32x: return "_Float32x";
    case TypeKind::Float64x: return "_Float64x";
    case TypeKind::Auto: return "__auto_type";
    default: return "?";
  }
}

std::string qualWords(unsigned q) {
  std::string s;
  if (q & QConst) s += "const ";
  if (q & QVolatile) s += "volatile ";
  if (q & QRestrict) s += "restrict ";
  if (q & QAtomic) s += "_Atomic ";
  return s;
}

void trimRight(std::string &s) {
  while (!s.empty() && s.back() == ' ') s.pop_back();
}

// Wraps `inner` (the declarator built so far) by the type's own part and goes on outwards, as C reads.
// names: null for messages; else plain C is wanted.
std::string spell(QualType t, std::string inner, const TypeNames *names = nullptr) {
  std::string prefix;
  for (int depth = 0;; ++depth) {
    if (!t.type) return "<unknown>";
    if (depth > 200) return "…";
    switch (t->kind) {
      case TypeKind::Pointer: {
        if (t->isNullptr()) {
          prefix = (names ? "__typeof__(nullptr)" : "nullptr_t") + std::string(inner.empty() ? "" : " ") + inner;
          return qualWords(t.quals) + prefix;
        }
        std::string q = qualWords(t.quals);
        if (inner.empty()) trimRight(q);
        inner = "*" + q + inner;
        t = t->as<PointerType>()->pointee;
        if (t.type && (t->isArray() || t->isFunction())) inner = "(" + inner + ")";
        continue;
      }
      case TypeKind::Array: {
        const auto *a = t->as<ArrayType>();
        std::string n;
        if (a->arrayKind == ArrayKind::Constant) n = std::to_string(a->count);
        if (a->arrayKind == ArrayKind::Star || a->arrayKind == ArrayKind::Variable)
          n = names && names->count(a) ? std::string(names->at(a)) : "*";
        inner += "[" + n + "]";
        t = a->elem.with(t.quals);
        continue;
      }
      case TypeKind::Function: {
        const auto *f = t->as<FunctionType>();
        if (f->msAbi)
          (inner.rfind("(*", 0) == 0 ? inner : prefix)
              .insert(inner.rfind("(*", 0) == 0 ? 1 : prefix.size(), "__attribute__((ms_abi)) ");
        inner += "(";
        for (size_t i = 0; i < f->params.size(); ++i) inner += (i ? ", " : "") + spell(f->params[i], {}, names);
        if (f->variadic) inner += f->params.empty() ? "..." : ", ...";
        else if (f->params.empty() && f->prototype) inner += "void";
        inner += ")";
        if (f->isCilk && !names) prefix += "cilk ";
        if (f->isInlet && !names) prefix += "inlet ";
        if (f->isThread && !names) return inner.empty() ? "thread" : (inner[0] == '(' ? "thread " : "thread ") + inner;
        t = f->result;
        continue;
      }
      default: break;
    }
    break;
  }
  std::string base = prefix + qualWords(t.quals);
  if (names) {
    auto it = names->find(t.type);
    if (it != names->end()) {
      base += it->second;
      return inner.empty() ? base : base + (inner[0] == '[' ? "" : " ") + inner;
    }
  }
  switch (t->kind) {
    case TypeKind::WideBits:
      if (t->isBitInt()) {
        base += (isSigned(t.type, TargetInfo()) ? "_BitInt(" : "unsigned _BitInt(") +
                std::to_string(t->as<WideBitsType>()->width) + ")";
        break;
      }
      base += spell(t->as<WideBitsType>()->declared, {}, names) +
              (names ? "" : ":" + std::to_string(t->as<WideBitsType>()->width));
      break;
    case TypeKind::Complex: base += "_Complex " + spell(t->as<ComplexType>()->elem, {}, names); break;
    case TypeKind::Vector: {
      const auto *v = t->as<VectorType>();
      if (names)
        base += "__typeof__((" + spell(v->elem, "", names) + " __attribute__((vector_size(" + std::to_string(v->count) +
                " * sizeof(" + spell(v->elem, "", names) + "))))){0})";
      else base += "__vector(" + std::to_string(v->count) + ") " + spell(v->elem, {});
      break;
    }
    case TypeKind::Record: {
      const auto *r = t->as<RecordType>();
      if (r->continues) {
        bool plain = !r->continues->isPointer() && !r->continues->isCont() && !r->continues->isFunction();
        base += names   ? "cilk_cont"
                : plain ? "cont " + spell(r->continues, {})
                        : "cont(" + spell(r->continues, {}) + ")";
        break;
      }
      if (r->reduces) {
        base += spell(r->reduces, {}, names) + " cilk_reducer(..)";
        break;
      }
      if (r->awaits) {
        base += "future " + spell(r->awaits, {}, names);
        break;
      }
      base += r->isUnion ? "union " : "struct ";
      base += r->tag.empty() ? "<anonymous>" : r->tag;
      break;
    }
    case TypeKind::Enum: {
      const auto *e = t->as<EnumType>();
      base += "enum ";
      base += e->tag.empty() ? "<anonymous>" : e->tag;
      break;
    }
    default: base += basicName(t->kind);
  }
  if (inner.empty()) return base;
  return base + (inner[0] == '[' ? "" : " ") + inner;
}

}  // namespace

std::string toString(QualType t) { return spell(t, {}); }
std::string declToString(QualType t, std::string_view name) { return spell(t, std::string(name)); }
std::string declToC(QualType t, std::string_view name, const TypeNames &names) {
  return spell(t, std::string(name), &names);
}

}  // namespace cilkc
