" Vim syntax of Cilk-1, made by editors/generate.py: the words of grammar/CilkLexer.g4.
if exists("b:current_syntax")
  finish
endif
runtime! syntax/c.vim
unlet! b:current_syntax
syn keyword cilkConstant SYNCHED
syn keyword cilkControl abort spawn sync touch cilk_for cilk_scope cilk_spawn cilk_sync call send_argument spawn_next tail_call
syn keyword cilkQualifier cilk inlet private shared cilk_reducer thread
syn keyword cilkType future cont
" Followed by '(' these are functions of the C library.
syn match cilkFunction "\<\%(abort\|sync\)\ze\s*("
syn match cilkSpawned "\%(\<\%(spawn\|spawn_next\|tail_call\|cilk_spawn\)\s\+\)\@<=\h\w*\ze\s*("
syn cluster cParenGroup add=cilkControl,cilkType,cilkQualifier
hi def link cilkControl Statement
hi def link cilkType Type
hi def link cilkQualifier StorageClass
hi def link cilkConstant Constant
hi def link cilkFunction Function
hi def link cilkSpawned Function
let b:current_syntax = "cilk1"
