// error_strategy.h - joins ANTLR's error handling to Parser's: report in our words, throw on, recover where it is
// possible.
#pragma once
#include "ANTLRErrorStrategy.h"
#include "frontend/parse/parser.h"

namespace cilkc::parsing {

class ErrorStrategy final : public antlr4::ANTLRErrorStrategy {
public:
  void reset(antlr4::Parser *) override {}
  void sync(antlr4::Parser *) override {}
  bool inErrorRecoveryMode(antlr4::Parser *) override { return false; }
  void reportMatch(antlr4::Parser *) override {}
  antlr4::Token *recoverInline(antlr4::Parser *) override;
  void reportError(antlr4::Parser *, const antlr4::RecognitionException &) override;
  void recover(antlr4::Parser *, std::exception_ptr) override;
};

}  // namespace cilkc::parsing
