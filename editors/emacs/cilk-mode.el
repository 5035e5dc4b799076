;;; cilk-mode.el --- Cilk in C's mode, with cilkc's language server  -*- lexical-binding: t; -*-

;; Made by editors/generate.py: the words of grammar/CilkLexer.g4.
;; (require 'cilk-mode), and `M-x eglot' in a buffer starts `cilkc lsp'.

;;; Code:

(require 'cc-mode)

(defvar cilk-words '("abort" "spawn" "sync" "touch" "cilk_for" "cilk_scope" "cilk_spawn" "cilk_sync" "cilk" "inlet" "private" "shared" "cilk_reducer" "future" "SYNCHED")
  "The words that Cilk-5 and OpenCilk add to C.")
(defvar cilk-cilk1-words '("call" "send_argument" "spawn_next" "tail_call" "cont" "thread")
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
  `((,(cilk--in-code (concat "\\_<" (regexp-opt words) "\\_>")) 0 font-lock-keyword-face t)
    (,(cilk--in-code (concat "\\_<\\(?:spawn\\|spawn_next\\|tail_call\\|cilk_spawn\\)\\s-+"
                             "\\(\\(?:\\sw\\|\\s_\\)+\\)\\s-*("))
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
(add-to-list 'auto-mode-alist '("\\.cilk[hip]?\\'" . cilk-mode))
;;;###autoload
(add-to-list 'auto-mode-alist '("\\.cilk1[hi]?\\'" . cilk1-mode))

(with-eval-after-load 'eglot
  (defvar eglot-server-programs)
  (add-to-list 'eglot-server-programs '((cilk-mode cilk1-mode) . ("cilkc" "lsp"))))

(provide 'cilk-mode)
;;; cilk-mode.el ends here
