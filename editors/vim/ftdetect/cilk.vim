autocmd BufNewFile,BufRead *.cilk,*.cilkh,*.cilki,*.cilkp setfiletype cilk
autocmd BufNewFile,BufRead *.cilk1,*.cilk1h,*.cilk1i setfiletype cilk1
