// asm.cpp - `asm` with operands (GNU C): what each constraint allows, what the template names.
#include <algorithm>
#include <cctype>
#include <cstring>
#include "frontend/ast/query.h"
#include "frontend/sema/c/core/sema.h"
#include "frontend/types/clobbers.h"
#include "diag/sema_expr.h"

namespace cilkc {

// What the template names by a number or in brackets though there is no such operand or label; empty: nothing.
static std::string missingOperand(const AsmStmt *a) {
  const std::string &t = a->text;
  auto named = [&](std::string_view name) {
    auto is = [&](const auto &list) {
      return std::any_of(list.begin(), list.end(), [&](auto &o) { return o.name == name; });
    };
    return is(a->outputs) || is(a->inputs) ||
           std::any_of(a->gotoLabels.begin(), a->gotoLabels.end(), [&](auto &l) { return l.first == name; });
  };
  size_t all = a->outputs.size() + a->inputs.size() + a->gotoLabels.size();
  for (const AsmOperand &o : a->outputs) all += o.constraint.find('+') != std::string::npos;  // an input, too
  for (size_t i = t.find('%'); i != std::string::npos; i = t.find('%', i)) {
    size_t from = i++;
    if (i + 1 < t.size() && std::isalpha(static_cast<unsigned char>(t[i]))) i++;
    if (i >= t.size()) break;
    size_t end = t[i] == '[' ? std::min(t.find(']', i), t.size() - 1) + 1 : i;
    if (end > i) {
      if (!named(std::string_view(t).substr(i + 1, end - i - 2))) return t.substr(from, end - from);
    } else if (std::isdigit(static_cast<unsigned char>(t[i]))) {
      while (end < t.size() && std::isdigit(static_cast<unsigned char>(t[end]))) end++;
      if (std::strtoul(t.c_str() + i, nullptr, 10) >= all) return t.substr(from, end - from);
    } else end = i + 1;  // %% and the like
    i = end;
  }
  return "";
}

// An operand that has to be in a register that the text destroys.
static void refuseClobbers(Sema &sema, const AsmOperand &o, const std::vector<std::string> &clobbers) {
  size_t from = std::min(o.constraint.find_first_not_of("=+&%"), o.constraint.size());
  if (o.constraint.size() != from + 1) return;
  for (const std::string &c : clobbers)
    if (sameRegister(o.constraint[from], c, *sema.cx.target.facts))
      sema.diags.report(diag::asm_operand, o.range) << "an operand in the register that the clobber '" + c + "' names";
}

void Stmts::asmStmt(AsmStmt *a) {
  for (std::vector<AsmOperand> *operands : {&a->outputs, &a->inputs})
    for (AsmOperand &o : *operands)
      if (!asmPlaces(o.constraint, *cx.target.facts).known)
        diags.report(diag::asm_operand, o.range) << "the constraint '" + o.constraint + "' names no kind of operand";
  for (const std::string &c : a->clobbers)
    if (!isClobber(c, *cx.target.facts))
      diags.report(diag::asm_operand, a->range) << "the clobber '" + c + "', which names no register,";
  if (!a->basic)
    if (std::string missing = missingOperand(a); !missing.empty())
      diags.report(diag::asm_operand, a->range) << "'" + missing + "', which names no operand,";
  if (sema.fs->fn) sema.fs->fn->usesAsm = true;
  std::unordered_set<std::string_view> names;
  auto named = [&](const AsmOperand &o) {
    if (!o.name.empty() && !names.insert(o.name).second) diags.report(diag::asm_duplicate_name, o.range) << o.name;
  };
  for (AsmOperand &o : a->outputs) {
    named(o);
    o.expr = sema.exprs.expr(o.expr);
    if (o.expr->type->isError()) continue;
    if (o.constraint.empty() || (o.constraint[0] != '=' && o.constraint[0] != '+')) {
      diags.report(diag::asm_output_constraint, o.range);
      o.expr = sema.conv.error(o.expr->range);
      continue;
    }
    // (int) x as an output was GNU C once; an lvalue cast is not supported by anyone now.
    if (!o.expr->lvalue || o.expr->type->isFunction() || o.expr->type->isVoid()) {
      diags.report(diag::asm_output_not_lvalue, o.expr->range);
      o.expr = sema.conv.error(o.expr->range);
      continue;
    }
    const AsmPlaces can = asmPlaces(o.constraint, *cx.target.facts);
    if (o.expr->bitField && can.mem && (!can.reg || o.constraint.find(',') != std::string::npos))
      diags.report(diag::asm_operand, o.range) << "a bit-field, which has no address,";
    if (can.tied) diags.report(diag::asm_operand, o.range) << "another operand in the constraint of an output";
    if (o.expr->type.isConst()) sema.conv.isModifiableLvalue(o.expr, o.expr->range, true);
    if (VarDecl *v = sema.conv.rootVariable(o.expr)) v->assigned = true;
    if (o.constraint.find('m') != std::string::npos || o.constraint.find('o') != std::string::npos ||
        o.constraint.find('V') != std::string::npos)
      sema.conv.markAddressTaken(o.expr);
  }
  auto alternatives = [](const AsmOperand &o) { return std::count(o.constraint.begin(), o.constraint.end(), ','); };
  const AsmOperand *first = !a->outputs.empty() ? &a->outputs[0] : !a->inputs.empty() ? &a->inputs[0] : nullptr;
  for (const std::vector<AsmOperand> *list : {&a->outputs, &a->inputs})
    for (const AsmOperand &o : *list)
      if (alternatives(o) != alternatives(*first)) {
        diags.report(diag::asm_operand, o.range)
            << "the constraints of operands have different numbers of alternatives";
        first = &o;
      }
  for (AsmOperand &o : a->inputs) {
    named(o);
    o.expr = sema.exprs.expr(o.expr);
    if (o.expr->type->isError()) continue;
    size_t digit = o.constraint.find_first_of("0123456789");
    bool unmatched = digit != std::string::npos &&
                     (!digit || o.constraint[digit - 1] == ',' || o.constraint[0] == '%') &&
                     std::strtoul(o.constraint.c_str() + digit, nullptr, 10) >= a->outputs.size();
    if (unmatched || o.constraint.find('=') != std::string::npos || o.constraint.find('+') != std::string::npos) {
      diags.report(diag::asm_input_constraint, o.range) << o.constraint;
      o.expr = sema.conv.error(o.expr->range);
      continue;
    }
    bool memory = false, other = false;
    for (char ch : o.constraint) {
      if (ch == 'm' || ch == 'o' || ch == 'V' || ch == '<' || ch == '>' || ch == 'Q') memory = true;
      else if (ch != '%' && ch != '&' && ch != ',' && ch != '*' && ch != '#' && ch != '!' && ch != '?') other = true;
    }
    if (memory && !other && o.expr->lvalue) {
      if (o.expr->bitField) diags.report(diag::asm_operand, o.range) << "a bit-field, which has no address,";
      sema.conv.markAddressTaken(o.expr);  // stays an lvalue: the operand is the object itself
      continue;
    }
    const Expr *written = ignoreParens(o.expr);
    if (memory && !other && written->kind == ExprKind::Unary && isIncDec(written->as<Unary>()->op)) {
      diags.report(diag::asm_operand, o.range) << "a value, which has no address,";
      continue;
    }
    o.expr = sema.conv.load(o.expr);
    if (o.expr->type->isError()) continue;
    if (o.expr->type->isVoid()) {
      diags.report(diag::asm_operand_type, o.expr->range) << toString(o.expr->type);
      o.expr = sema.conv.error(o.expr->range);
    }
  }
  for (const std::vector<AsmOperand> *list : {&a->outputs, &a->inputs})
    for (const AsmOperand &o : *list) refuseClobbers(sema, o, a->clobbers);
  for (size_t i = 0; i < a->gotoLabels.size(); i++) {
    Range r = i < a->gotoRanges.size() ? a->gotoRanges[i] : a->range;
    a->gotoLabels[i].second = labelUse(a->gotoLabels[i].first, r);
    sema.fs->labels.jumps.push_back({a->gotoLabels[i].second, sema.fs->inside.jumpScope, r});
  }
}

}  // namespace cilkc
