// elide.cpp - the elision of a whole program text: the main file and the Cilk headers that it includes.
//
// The user's headers that hold Cilk words are put into the text where they are included, elided, since they would not
// be C by themselves; all other #includes stay. Headers of the Cilk library stay, too: they work in C. With
// `standalone` cilk.h is replaced by what the program uses of it, and the others are put into the text.
#include "frontend/elide/elide.h"
#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>
#include "frontend/elide/inlets.h"
#include "frontend/elide/keywords.h"
#include "frontend/elide/library.h"
#include "frontend/elide/macros.h"
#include "frontend/elide/procedures.h"
#include "frontend/elide/text.h"
#include "frontend/elide/threads.h"
#include "frontend/source/dialect.h"
#include "diag/main.h"

namespace cilkc {

namespace {

std::string_view baseName(std::string_view path) {
  size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}
std::string_view folderOf(std::string_view path) {
  size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}
bool ofTheLibrary(std::string_view name) {
  return name == "cilk.h" || name == "cilk-lib.h" || name == "cilk-lib.cilkh";
}

class Elision {
public:
  Elision(const SourceManager &sm, const TranslationUnit *tu, bool typed, const AstContext &cx, DiagnosticEngine &d,
      const ElideOptions &o)
      : sm(sm), tu(tu), typed(typed), cx(cx), diags(d), options(o),
        threads(typed && tu && !o.threads && hasThreads(*tu)) {
    options.standalone = options.standalone || threads;      // the scheduler that runs closures is in the text, too
  }

  bool run(std::string &out) {
    const SourceFile *main = mainFile();
    if (!main || sm.originalText(main).data() == nullptr) {
      diags.report(diag::elide_source, Range{}) << sm.mainName();
      return false;
    }
    Dialect dialect = dialectOf(main->name).value_or(cx.lang.dialect);
    bool cilk = isCilk(dialect);
    openCilk = cx.lang.openCilk || cx.openCilkWords || (cilk && mentionsReducers());
    readFiles(main, dialect);
    std::function<void()> placeInlets;
    std::unordered_set<std::string> taken;
    if (typed && tu) {
      for (auto &f : files) collectWords(f.second.text->text(), taken);
      if (options.threads)
        proceduresAsThreads(*tu, *options.threads, sm, diags, [&](const SourceFile *f) { return textOf(f); }, taken);
      else
        placeInlets = elideInlets(*tu, sm, diags, [&](const SourceFile *f) { return textOf(f); }, options.gnu, taken);
      if (diags.hadError()) return false;
    }
    for (auto &f : files)
      f.second.result = elideKeywords(*f.second.text,
          {f.second.dialect, options.threads != nullptr, renameMain(), cx.futures, cx.touches, openCilk});
    std::vector<EditedFile> edited;
    for (auto &f : files) edited.push_back({f.first, f.second.text.get()});
    checkMacros(edited, sm, diags);
    if (threads) elideThreads(*tu, sm, diags, [&](const SourceFile *f) { return textOf(f); }, taken);
    if (diags.hadError()) return false;
    if (placeInlets) placeInlets(), declareExports(*tu, sm, [&](const SourceFile *f) { return textOf(f); });
    markInlined();
    std::string body = render(main);
    if (typed && tu && cilk && !options.threads)
      body += exportedProcedures(*tu, [&](std::string_view n) { return definesExport(n); });
    if (options.threads) return out = body, !diags.hadError();
    auto put = [&](auto of) {
      return std::any_of(files.begin(), files.end(), [&](const auto &f) { return f.second.done && of(f.first); });
    };
    bool library = put([&](const SourceFile *f) { return ofOpenCilk(f->name); });
    bool asksElision = library || put([&](const SourceFile *f) { return copied(*f); });
    out = (asksElision ? "#define CILK_ELISION 1\n" : "") + prologue(body, cilk) +
          (threads ? threadLibrary(!options.closures) : "") + body + (library ? openCilkFunctions(body) : "") +
          callbacks();
    return !diags.hadError();
  }

private:
  struct File {
    const SourceFile *source = nullptr;
    std::unique_ptr<EditedText> text;
    KeywordResult result;
    Dialect dialect = Dialect::C;
    bool system = false, inlined = false, done = false;
  };
  const SourceManager &sm;
  const TranslationUnit *tu;
  bool typed;
  const AstContext &cx;
  DiagnosticEngine &diags;
  ElideOptions options;
  const bool threads;
  bool openCilk = false;  // has words of OpenCilk
  std::map<const SourceFile *, File> files;
  std::map<std::pair<const SourceFile *, uint32_t>, const SourceFile *> included;   // by includer and line
  std::unique_ptr<Library> library;


  const SourceFile *mainFile() const {
    for (const auto &f : sm.files())
      if (f->name == sm.mainName()) {
        if (sm.originalText(f.get()).data()) return f.get();
        break;
      }
    // Preprocessed text from a file: its first marker names the source.
    for (const auto &f : sm.files())
      if (f->name != sm.mainName() && !f->name.empty() && f->name[0] != '<') return f.get();
    return nullptr;
  }

  // `cilk_reducer` is a word of Cilk-5, too.
  bool mentionsReducers() const {
    return std::any_of(sm.files().begin(), sm.files().end(), [&](const auto &f) {
      std::string_view t = sm.originalText(f.get());
      return t.find("cilk_reducer") != t.npos || t.find("_Hyperobject") != t.npos;
    });
  }
  // A header of the library in OpenCilk's spelling, which no C compiler has.
  bool ofOpenCilk(std::string_view path) const {
    return openCilk && !options.threads && baseName(folderOf(path)) == "cilk";
  }

  // With `standalone`: a header of the library that is C and has an elision of its own.
  bool copied(const SourceFile &f) const {
    std::string_view name = baseName(f.name);
    return options.standalone && f.system && name.starts_with("cilk-") && !ofTheLibrary(name);
  }

  // The files that may need editing: the main file, Cilk headers, and the user's own headers that mention Cilk words.
  void readFiles(const SourceFile *main, Dialect mainDialect) {
    auto enter = [&](const SourceFile *f, Dialect dialect, bool system) {
      if (files.count(f)) return;
      std::string_view t = sm.originalText(f);
      if (!t.data()) return;
      File &x = files[f];
      x.source = f;
      x.text = std::make_unique<EditedText>(t);
      x.dialect = dialect;
      x.system = system;
    };
    enter(main, mainDialect, false);
    for (const SourceManager::Inclusion &i : sm.inclusions()) {
      included[{i.from, i.line}] = i.to;
      if (baseName(i.to->name) == "cilk.h" && !library) {
        std::string_view t = sm.originalText(i.to);
        if (t.find("CILK_ELISION") != std::string_view::npos) library = std::make_unique<Library>(t);
      }
      if ((ofTheLibrary(baseName(i.to->name)) && !ofOpenCilk(i.to->name)) || i.to->name.empty() || i.to->name[0] == '<')
        continue;
      if (i.to->cilk || !i.system || ofOpenCilk(i.to->name) || copied(*i.to))
        enter(i.to, dialectOf(i.to->name).value_or(Dialect::C), i.system);
    }
  }

  EditedText *textOf(const SourceFile *f) {
    auto it = files.find(f);
    return it == files.end() ? nullptr : it->second.text.get();
  }

  bool renameMain() const {
    if (!tu) return false;
    for (const ExternalDecl &d : tu->decls)
      if (d.function && d.function->declarator && d.function->declarator->name == "cilk_main" && d.function->specs &&
          (d.function->specs->cilk || d.function->specs->thread))
        return true;
    return false;
  }

  // A header is put into the text if its own text had to change, or that of one that it includes.
  void markInlined() {
    for (auto &f : files)
      f.second.inlined = (f.second.text->changed() && (!f.second.system || options.standalone)) ||
                         ofOpenCilk(f.first->name) || copied(*f.first);
    if (options.standalone)
      for (auto &f : files) f.second.inlined = f.second.inlined || (f.second.system && isCilk(f.second.dialect));
    for (bool more = true; more;) {
      more = false;
      for (const auto &i : included) {
        auto from = files.find(i.first.first), to = files.find(i.second);
        if (from == files.end() || to == files.end() || from->second.inlined || !to->second.inlined ||
            (from->second.system && !options.standalone))
          continue;
        from->second.inlined = more = true;
      }
    }
  }

  uint32_t lineOf(std::string_view text, uint32_t offset) const {
    return static_cast<uint32_t>(std::count(text.begin(), text.begin() + offset, '\n')) + 1;
  }

  std::string render(const SourceFile *f) {
    File &x = files[f];
    x.done = true;
    std::string_view mainFolder = folderOf(mainFile()->name);
    uint32_t line = 1, counted = 0;
    for (const IncludeLine &inc : x.result.includes) {
      line +=
          static_cast<uint32_t>(std::count(x.text->text().begin() + counted, x.text->text().begin() + inc.begin, '\n'));
      counted = inc.begin;
      auto edge = included.find({f, line});
      const SourceFile *target = edge == included.end() ? nullptr : edge->second;
      std::string_view base = baseName(inc.name);
      if (ofTheLibrary(base) && !(target && ofOpenCilk(target->name))) {
        if (options.standalone) x.text->replace(inc.begin, inc.end, "");
        continue;
      }
      if (!target) {
        // Passed over by the preprocessor: because it was read before (then its text is here already), or because of a
        // condition.
        for (const auto &g : files)
          if (g.second.inlined && g.second.done && baseName(g.first->name) == base)
            x.text->replace(inc.begin, inc.end, "");
        continue;
      }
      auto to = files.find(target);
      if (to != files.end() && to->second.inlined) {
        std::string text;
        bool again = false;
        for (const auto &once : to->second.result.onces)
          again = again || (to->second.done &&
                               to->second.text->text().substr(once.first, once.second - once.first).find("once") !=
                                   std::string_view::npos);
        if (!again && depth < 200) {
          ++depth;
          for (const auto &once : to->second.result.onces) to->second.text->replace(once.first, once.second, "");
          text = render(target);
          --depth;
          while (!text.empty() && text.back() == '\n') text.pop_back();
          if (text.find("static") != std::string::npos)  // what a header defines need not be used
            text = "#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wunused-function\"\n" + text +
                   "\n#pragma GCC diagnostic pop";
        }
        x.text->replace(inc.begin, inc.end, text);
      } else if (inc.quoted && folderOf(f->name) != mainFolder && !x.system && f != mainFile()) {
        // The text moves to another folder.
        std::string name = target->name;
        if (!mainFolder.empty() && name.compare(0, mainFolder.size() + 1, std::string(mainFolder) + "/") == 0)
          name = name.substr(mainFolder.size() + 1);
        x.text->replace(inc.begin, inc.end, "#include \"" + name + "\"");
      }
    }
    return x.text->render();
  }
  int depth = 0;

  static void collectWords(std::string_view text, std::unordered_set<std::string> &words) {
    RawLexer lx(text);
    for (RawToken t = lx.next(); t.kind != RawKind::End; t = lx.next())
      if (t.kind == RawKind::Identifier) words.insert(lx.spelling(t));
  }

  // Does the text define EXPORT(name), perhaps where the elision alone sees it?
  bool definesExport(std::string_view name) const {
    for (const auto &f : files) {
      const EditedText &t = *f.second.text;
      for (size_t i = 0; i + 4 < t.tokens().size(); ++i) {
        size_t open = 0;
        if (t.is(i, "EXPORT") && t.is(i + 1, "(") && t.is(i + 2, name) && t.is(i + 3, ")") && t.is(i + 4, "("))
          open = i + 4;
        else if (t.is(i, "mt_" + std::string(name)) && t.is(i + 1, "(")) open = i + 1;
        if (!open) continue;
        size_t close = t.closing(open);
        if (close != EditedText::npos && t.is(close + 1, "{")) return true;
      }
    }
    return false;
  }

  // Nothing calls the functions of reducers, and C compilers warn of static functions without a use.
  std::string callbacks() const {
    std::string uses;
    if (typed && tu && !options.threads)
      for (const FunctionDecl *f : tu->functions)
        if (f->def && f->ofReducers && f->linkage == Linkage::Internal) uses += " (void)" + std::string(f->name) + ";";
    if (uses.empty()) return "";
    return "\n/* The functions of reducers. */\n__attribute__((unused)) static void cilk_h_reducers(void) {" + uses +
           " }\n";
  }

  // What the program calls of cilk_api.h: there is one worker.
  static std::string openCilkFunctions(const std::string &body) {
    static constexpr std::pair<const char *, const char *> functions[] = {
        {"__cilkrts_is_initialized", "int __cilkrts_is_initialized(void) { return 1; }"},
        {"__cilkrts_atinit", "int __cilkrts_atinit(void (*f)(void)) { f(); return 0; }"},
        {"__cilkrts_atexit",
            "int __cilkrts_atexit(void (*f)(void)) { extern int atexit(void (*)(void)); return atexit(f); }"},
        {"__cilkrts_get_nworkers", "unsigned __cilkrts_get_nworkers(void) { return 1; }"},
        {"__cilkrts_get_worker_number", "unsigned __cilkrts_get_worker_number(void) { return 0; }"},
        {"__cilkrts_running_on_workers", "int __cilkrts_running_on_workers(void) { return 0; }"},
        {"__cilkrts_set_param",
            "int __cilkrts_set_param(const char *name, const char *value) { (void)name, (void)value; return 0; }"},
        {"__cilkrts_init", "void __cilkrts_init(void) {}"},
        {"__cilkrts_end_cilk", "void __cilkrts_end_cilk(void) {}"},
        {"__cilkrts_get_total_workers", "int __cilkrts_get_total_workers(void) { return 1; }"},
    };
    std::string text;
    for (auto [name, definition] : functions)  // its declaration is one mention
      if (size_t first = body.find(std::string(name) + "(");
          first != body.npos && body.find(name, first + 1) != body.npos)
        text += std::string("__attribute__((weak)) ") + definition + "\n";
    return text.empty() ? "" : "\n/* One worker. */\n" + text;
  }

  std::string prologue(const std::string &body, bool cilk) const {
    if (!cilk || !library) return "";
    std::unordered_set<std::string> words;
    collectWords(body, words);
    // Types that Cilk text has without a header.
    bool includes = body.find("#include <") != std::string::npos;
    std::string types = includes ? "" : words.count("ssize_t") ? "#include <sys/types.h>\n" : "";
    if (!includes && (words.count("size_t") || words.count("ptrdiff_t"))) types += "#include <stddef.h>\n";
    if (options.standalone) {
      std::string parts = library->needed(words);
      return types + (parts.empty() ? "" : "/* What this program uses of the Cilk library. */\n" + parts + "\n");
    }
    bool uses = std::any_of(words.begin(), words.end(), [&](const std::string &w) { return library->defines(w); });
    return types + (uses ? "#define CILK_ELISION 1\n#include <cilk.h>\n" : "");
  }
};

}  // namespace

bool elide(const SourceManager &sm, const TranslationUnit *unit, bool typed, const AstContext &cx,
    DiagnosticEngine &diags, const ElideOptions &options, std::string &out) {
  if (diags.hadError()) return false;
  return Elision(sm, unit, typed, cx, diags, options).run(out);
}

}  // namespace cilkc
