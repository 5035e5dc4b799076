// layouts.cpp - what memory of the program a restart must find as it was: the layouts of records, the types of objects.
//
// A restart of a rebuilt program copies the heap and the objects byte by byte. So each unit with procedures lists its
// objects in the section cilk_layouts. The unit also lists there the records that can be reached from its objects and
// from its functions' variables. An entry is a hash of 8 bytes, then the text that names the thing in a message, with
// zeros up to a multiple of 8 (rt/extensions/travel/image.h). Lines do not count. What system headers define is not the
// program's.
#include <cstring>
#include <set>
#include "codegen/clones/abi.h"
#include "codegen/clones/hash.h"
#include "codegen/clones/procedure.h"
#include "codegen/shim/shim.h"

namespace cilkc::cg {
namespace {

class Layouts {
public:
  explicit Layouts(ModuleEmitter &m) : m(m) {}

  void emit() {
    for (auto *f : m.unit.functions) {
      for (auto *v : f->params) reach(v->type);
      for (auto *v : f->locals) reach(v->type);
    }
    for (auto *v : m.unit.globals)
      if (v->isDefinition || v->fn) object(v);
    std::string bytes;
    for (auto &[text, hash] : rows) {
      char number[8];
      uint64_t word = LLVMByteOrder(m.layout) == LLVMBigEndian ? __builtin_bswap64(hash) : hash;
      memcpy(number, &word, 8);
      bytes.append(number, 8);
      bytes += text;
      bytes.append(8 - text.size() % 8, '\0');
    }
    if (bytes.empty()) return;
    LLVMValueRef g = m.privateConstant(shimConstDataArray(m.types->i8, bytes.data(), bytes.size()), 8, "cilk.layouts");
    LLVMSetSection(g, "cilk_layouts");
    m.useLater(g);
  }

private:
  ModuleEmitter &m;
  std::set<std::pair<std::string, uint64_t>> rows;
  std::set<const RecordType *> seen;

  // A type whose representation depends on the processor counts with its name.
  void add(Hash &hash, QualType type) {
    std::string text = toString(type);
    hash.add(text);
    if (text.find("long double") != std::string::npos) hash.add(m.ast.target.facts->name);
  }

  void object(const VarDecl *v) {
    reach(v->type);
    Hash hash;
    add(hash, v->type);
    std::string name(v->name);
    rows.emplace(v->fn ? "the static variable `" + name + "' of " + std::string(v->fn->name)
                       : "the global `" + name + "'",
        hash.value);
  }

  void reach(QualType type) {
    while (type && (type->isPointer() || type->isArray()))
      type = type->isPointer() ? type->as<PointerType>()->pointee : type->as<ArrayType>()->elem;
    if (!type || !type->isRecord()) return;
    auto *r = type->as<RecordType>();
    if (!r->complete || !r->rangeBegin || m.diags.sources().inSystemHeader(Loc{r->rangeBegin}) ||
        !seen.insert(r).second)
      return;
    Hash hash;
    hash.add(r->size);
    for (auto *f : r->fields) {
      reach(f->type);
      hash.add(f->name);
      add(hash, f->type);
      hash.add(f->offset);
      hash.add(f->bitField ? uint64_t{f->bitOffset} * 1000 + f->width : uint64_t{0});
    }
    std::string kind = r->isUnion ? "union" : "struct";
    rows.emplace(r->tag.empty() ? "a " + kind + " without a tag" : "the " + kind + " " + std::string(r->tag),
        hash.value);
  }
};

}  // namespace

void emitLayouts(ModuleEmitter &m) { Layouts(m).emit(); }

}  // namespace cilkc::cg
