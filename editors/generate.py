"""The words of the language for editors, made of grammar/CilkLexer.g4: TextMate grammars, vim's syntax, emacs' mode,
what tree-sitter highlights. `generate.py --check` says what is out of date.

The lexer's dictionary has every keyword, in modes: C, Cilk-5, OpenCilk, Cilk-1. A word's colour depends on what it
is: a type, a qualifier, control, an operator, a constant. TABLE names those; a word that it does not name is
control.
"""

import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
GRAMMAR = os.path.join(HERE, "..", "grammar", "CilkLexer.g4")

TYPES = """char double float int long short signed unsigned void _Bool _Complex _BitInt __auto_type __int128 _Float16 _Float32 _Float64 _Float128 _Float32x _Float64x
_Float128x __float128 __float80 __bf16 _Decimal32 _Decimal64 _Decimal128 enum struct union future cont""".split()
QUALIFIERS = """auto const extern inline register restrict static typedef volatile _Alignas _Atomic _Noreturn _Thread_local constexpr __thread __attribute__ __declspec
cilk inlet private shared thread cilk_reducer __label__""".split()
OPERATORS = """sizeof _Alignof __alignof__ __imag__ __real__ typeof typeof_unqual _Generic __builtin_convertvector __builtin_has_attribute __builtin_offsetof
__builtin_types_compatible_p __builtin_va_arg _Static_assert asm""".split()
CONSTANTS = "true false nullptr SYNCHED".split()
TABLE = {"type": TYPES, "qualifier": QUALIFIERS, "operator": OPERATORS, "constant": CONSTANTS}
SCOPES = {"type": "storage.type", "qualifier": "storage.modifier", "operator": "keyword.operator.word",
          "constant": "constant.language", "control": "keyword.control"}
MODES = {"c": ["WORDS"], "cilk": ["CILK5", "OPENCILK"], "cilk1": ["CILK1"]}


def dictionary():
    """{mode: words} of the lexer."""
    found, mode = {}, None
    with open(GRAMMAR) as file:
        for line in file:
            begins = re.match(r"mode (\w+);", line)
            mode = begins[1] if begins else mode
            word = re.match(r"\w+ : '([A-Za-z_]\w*)' ;", line)
            if mode and word:
                found.setdefault(mode, []).append(word[1])
    return found


def words_of(*names):
    """{kind: words} of the parts of MODES."""
    lexer, made = dictionary(), {}
    for name in names:
        for mode in MODES[name]:
            for word in lexer[mode]:
                made.setdefault(kind_of(word), []).append(word)
    return made


def kind_of(word):
    return next((kind for kind, words in TABLE.items() if word in words), "control")


# ---------------------------------------------------------------- TextMate

def keywords(language, suffix, *names):
    return [{"name": "%s.%s" % (SCOPES[kind], suffix),
             "match": r"\b(?:%s)\b" % "|".join(sorted(words, key=lambda w: (-len(w), w)))}
            for kind, words in sorted(words_of(*names).items())]


def textmate(language):
    own = ["cilk"] + (["cilk1"] if language == "cilk1" else [])
    functions = r"(?!\b(?:abort|sync)\s*\()"            # followed by '(' they are functions of the C library
    cilk_words = keywords(language, "cilk", *own)
    for row in cilk_words:
        row["match"] = functions + row["match"]
    escapes = {"name": "constant.character.escape.c",
               "match": r"\\(?:[abefnprtv'\"?\\]|[0-7]{1,3}|x[0-9a-fA-F]+|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})"}
    format_ = {"name": "constant.other.placeholder.c",
               "match": r"%[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+)?)?(?:hh|h|ll|l|j|z|t|L)?[diouxXeEfFgGaAcspn%]"}
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "Cilk-1" if language == "cilk1" else "Cilk",
        "scopeName": "source." + language,
        "fileTypes": ["cilk1", "cilk1h", "cilk1i"] if language == "cilk1" else ["cilk", "cilkh", "cilki", "cilkp"],
        "patterns": [{"include": "#" + name}
                     for name in ("comments", "preprocessor", "strings", "numbers", "procedure", "spawned", "words",
                                  "call", "operators")],
        "repository": {
            "comments": {"patterns": [{"name": "comment.block.c", "begin": r"/\*", "end": r"\*/"},
                                      {"name": "comment.line.double-slash.c", "begin": "//", "end": r"(?<!\\)$"}]},
            "preprocessor": {"patterns": [{"match": r"^\s*(#\s*include(?:_next)?)\s*(<[^>]*>|\"[^\"]*\")",
                                           "captures": {"1": {"name": "keyword.control.directive.c"},
                                                        "2": {"name": "string.quoted.include.c"}}},
                                          {"match": r"^\s*(#\s*define)\s+([A-Za-z_]\w*)",
                                           "captures": {"1": {"name": "keyword.control.directive.c"},
                                                        "2": {"name": "entity.name.function.preprocessor.c"}}},
                                          {"name": "keyword.control.directive.c", "match": r"^\s*#\s*[a-z]+\b"}]},
            "strings": {"patterns": [{"name": "string.quoted.double.c", "begin": r'(?:L|u8|u|U)?"',
                                      "end": r'"|(?<!\\)$', "patterns": [escapes, format_]},
                                     {"name": "string.quoted.single.c", "begin": r"(?:L|u8|u|U)?'",
                                      "end": r"'|(?<!\\)$", "patterns": [escapes]}]},
            "numbers": {
                "patterns": [
                    {"name": "constant.numeric.c",
                     "match": r"\b(?:0[xX][0-9a-fA-F'.]+(?:[pP][-+]?\d+)?|0[bB][01']+|\d[\d']*(?:\.\d*)?(?:[eE][-+]?\d+)?|"
                     r"\.\d+(?:[eE][-+]?\d+)?)[a-zA-Z0-9]*\b"}
                ]
            },
            "procedure": {"match": r"\b(cilk|inlet|thread)\b((?:\s+[A-Za-z_]\w*|\s*\*)*?)\s*\b([A-Za-z_]\w*)\s*(?=\()",
                          "captures": {"1": {"name": "storage.modifier.cilk"},
                                       "2": {"patterns": [{"include": "#words"}]},
                                       "3": {"name": "entity.name.function.procedure.cilk"}}},
            "spawned": {"match": r"\b(spawn_next|tail_call|spawn|cilk_spawn)\s+([A-Za-z_]\w*)\s*(?=\()",
                        "captures": {"1": {"name": "keyword.control.cilk"},
                                     "2": {"name": "entity.name.function.spawned.cilk"}}},
            "words": {"patterns": cilk_words + keywords(language, "c", "c")},
            "call": {"match": r"\b([A-Za-z_]\w*)\s*(?=\()", "captures": {"1": {"name": "entity.name.function.c"}}},
            "operators": {"patterns": [{"name": "keyword.operator.c",
                                        "match": r"->|\+\+|--|<<=?|>>=?|&&|\|\||[-+*/%&|^=!<>]=?|[~?:]"}]},
        },
    }


# ---------------------------------------------------------------- vim

VIM = """" Vim syntax of %(title)s, made by editors/generate.py: the words of grammar/CilkLexer.g4.
if exists("b:current_syntax")
  finish
endif
runtime! syntax/c.vim
unlet! b:current_syntax
%(rows)s
" Followed by '(' these are functions of the C library.
syn match cilkFunction "\\<\\%%(abort\\|sync\\)\\ze\\s*("
syn match cilkSpawned "\\%%(\\<\\%%(spawn\\|spawn_next\\|tail_call\\|cilk_spawn\\)\\s\\+\\)\\@<=\\h\\w*\\ze\\s*("
syn cluster cParenGroup add=cilkControl,cilkType,cilkQualifier
hi def link cilkControl Statement
hi def link cilkType Type
hi def link cilkQualifier StorageClass
hi def link cilkConstant Constant
hi def link cilkFunction Function
hi def link cilkSpawned Function
let b:current_syntax = "%(name)s"
"""


def vim(name):
    rows = ["syn keyword cilk%s %s" % (kind.capitalize(), " ".join(words))
            for kind, words in sorted(words_of("cilk", *(["cilk1"] if name == "cilk1" else [])).items())]
    return VIM % {"title": "Cilk-1" if name == "cilk1" else "Cilk", "rows": "\n".join(rows), "name": name}


# ---------------------------------------------------------------- emacs

EMACS = """;;; cilk-mode.el --- Cilk in C's mode, with cilkc's language server  -*- lexical-binding: t; -*-

;; Made by editors/generate.py: the words of grammar/CilkLexer.g4.
;; (require 'cilk-mode), and `M-x eglot' in a buffer starts `cilkc lsp'.

;;; Code:

(require 'cc-mode)

(defvar cilk-words '(%(cilk)s)
  "The words that Cilk-5 and OpenCilk add to C.")
(defvar cilk-cilk1-words '(%(cilk1)s)
  "The words that Cilk-1 adds to Cilk-5.")

(defun cilk--in-code (regexp)
  "A matcher of REGEXP outside of comments and strings."
  (lambda (limit)
    (let (found)
      (while (and (not found) (re-search-forward regexp limit t))
        (setq found (save-match-data
                      (save-excursion (not (nth 8 (syntax-ppss (match-beginning 0))))))))
      found)))

(defun cilk--keywords (words)
  "Rules that show WORDS, and the names of spawned procedures."
  `((,(cilk--in-code (concat "\\\\_<" (regexp-opt words) "\\\\_>")) 0 font-lock-keyword-face t)
    (,(cilk--in-code (concat "\\\\_<\\\\(?:spawn\\\\|spawn_next\\\\|tail_call\\\\|cilk_spawn\\\\)\\\\s-+"
                             "\\\\(\\\\(?:\\\\sw\\\\|\\\\s_\\\\)+\\\\)\\\\s-*("))
     1 font-lock-function-name-face t)))

;;;###autoload
(define-derived-mode cilk-mode c-mode "Cilk"
  "Major mode for Cilk-5: C's mode with Cilk's words."
  (font-lock-add-keywords nil (cilk--keywords cilk-words)))

;;;###autoload
(define-derived-mode cilk1-mode c-mode "Cilk-1"
  "Major mode for Cilk-1: C's mode with the words of Cilk-5 and Cilk-1."
  (font-lock-add-keywords nil (cilk--keywords (append cilk-words cilk-cilk1-words))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\\\.cilk[hip]?\\\\'" . cilk-mode))
;;;###autoload
(add-to-list 'auto-mode-alist '("\\\\.cilk1[hi]?\\\\'" . cilk1-mode))

(with-eval-after-load 'eglot
  (defvar eglot-server-programs)
  (add-to-list 'eglot-server-programs '((cilk-mode cilk1-mode) . ("cilkc" "lsp"))))

(provide 'cilk-mode)
;;; cilk-mode.el ends here
"""


def emacs():
    def quoted(*names):
        return " ".join('"%s"' % word for words in words_of(*names).values() for word in words)
    return EMACS % {"cilk": quoted("cilk"), "cilk1": quoted("cilk1")}


# ---------------------------------------------------------------- tree-sitter

CAPTURES = {"type": "type.builtin", "qualifier": "keyword.modifier", "constant": "constant.builtin"}
NAMED = {"SYNCHED": "(synched)", "thread": "(thread_specifier)"}       # rules of one word


def highlights():
    rows = ["%s @%s" % (NAMED.get(word, '"%s"' % word), CAPTURES.get(kind, "keyword"))
            for kind, words in sorted(words_of("cilk", "cilk1").items()) for word in words]
    return """; inherits: c
; Made by editors/generate.py: the words of grammar/CilkLexer.g4.

%s

(spawn_expression
  child: (call_expression
    function: (identifier) @function.call))
""" % "\n".join(rows)


def results():
    made = {"tree-sitter/queries/highlights.scm": highlights()}
    for name in ("cilk", "cilk1"):
        made["vscode/syntaxes/%s.tmLanguage.json" % name] = json.dumps(textmate(name), indent=1) + "\n"
        made["vim/syntax/%s.vim" % name] = vim(name)
    made["emacs/cilk-mode.el"] = emacs()
    return made


def main():
    wrong = []
    for name, text in results().items():
        path = os.path.join(HERE, name)
        if "--check" in sys.argv:
            with open(path) as file:
                if file.read() != text:
                    wrong.append(name)
        else:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write(text)
    if wrong:
        print("out of date, run editors/generate.py: " + ", ".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
