; inherits: c
; Made by editors/generate.py: the words of grammar/CilkLexer.g4.

(synched) @constant.builtin
"abort" @keyword
"spawn" @keyword
"sync" @keyword
"touch" @keyword
"cilk_for" @keyword
"cilk_scope" @keyword
"cilk_spawn" @keyword
"cilk_sync" @keyword
"call" @keyword
"send_argument" @keyword
"spawn_next" @keyword
"tail_call" @keyword
"cilk" @keyword.modifier
"inlet" @keyword.modifier
"private" @keyword.modifier
"shared" @keyword.modifier
"cilk_reducer" @keyword.modifier
(thread_specifier) @keyword.modifier
"future" @type.builtin
"cont" @type.builtin

(spawn_expression
  child: (call_expression
    function: (identifier) @function.call))
