// work.cpp - compiles files one after the other in one process. After each, valgrind reports how many blocks of code
// were run so far.
//     valgrind --tool=none --log-file=LOG work c|cilk LEVEL STRATEGY FILE...
// A clock would measure what else the machine does. These counts are the same on each run, and LLVM's share is among
// them. The translations of the code are made once for all files, so the counts cost no more than a run of that length.
// The stages are those of cilkc1, without a file at the end.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <pthread.h>
#include <sstream>
#include <valgrind/valgrind.h>
#include "codegen/codegen.h"
#include "frontend/analysis/analysis.h"
#include "frontend/analysis/limits.h"
#include "frontend/parse/parse.h"
#include "frontend/sema/analyze.h"

using namespace cilkc;

static void compile(const char *path, bool cilk, const CodegenOptions &o) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  SourceManager sources(text.str(), cilk ? "work.cilk" : "work.c");
  DiagnosticEngine diags(sources, {});
  AstContext cx({}, {});
  TranslationUnit *unit = parse(sources, cx, diags);
  bool typed = unit && !unit->abandoned && analyze(*unit, cx, diags) && !diags.hadError();
  if (typed) {
    checkLimits(*unit, cx, diags, o.plan());
    checkProcedures(*unit, cx, diags);
    generate(*unit, cx, diags, o, "/dev/null", {});
  }
  std::ostringstream messages;
  diags.render(messages);
}

static void *all(void *arguments) {
  char **words = static_cast<char **>(arguments);
  CodegenOptions o;
  o.applySwitch(words[2]);
  o.spawn = strategyNamed(words[3])->id;
  for (int i = 4; words[i]; ++i) {
    compile(words[i], words[1] == std::string("cilk"), o);
    VALGRIND_PRINTF("done %s\n", words[i]);
    VALGRIND_MONITOR_COMMAND("v.info stats");
  }
  return nullptr;
}

int main(int argc, char **argv) {
  if (argc < 5 || !strategyNamed(argv[3])) {
    std::fprintf(stderr, "usage: work c|cilk LEVEL STRATEGY FILE...\n");
    return 2;
  }
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, size_t{1} << 30);
  pthread_t thread;
  if (pthread_create(&thread, &attributes, all, argv)) return 2;
  pthread_join(thread, nullptr);
  std::fflush(nullptr);
  _exit(0);
}
