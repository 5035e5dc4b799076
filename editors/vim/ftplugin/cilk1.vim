" C's settings, and cilkc as :make's compiler.
runtime! ftplugin/c.vim
setlocal makeprg=cilkc\ check\ %:S
setlocal errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%f:%l:%c:\ %tote:\ %m,%-G%.%#
