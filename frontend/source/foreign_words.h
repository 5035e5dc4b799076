// foreign_words.h - words of other languages, and what C has in their place, for those who come from there. (Words of
// other Cilks: dialects.h.)
//
// They are ordinary names in C: a row counts only where the name is not declared.
#pragma once
#include <string_view>

namespace cilkc {

struct ForeignWord {
  std::string_view word;
  const char *language, *advice;
};

// Null if the name is no such word.
inline const ForeignWord *foreignWord(std::string_view name) {
  static constexpr ForeignWord words[] = {
      {"new", "C++", "write `malloc(n * sizeof(type))`"},
      {"delete", "C++", "write `free(p)`"},
      {"class", "C++", "write `struct`"},
      {"template", "C++", "write a function for each type, or a macro"},
      {"typename", "C++", "leave it out"},
      {"namespace", "C++", "C has one name space for all files: leave it out"},
      {"using", "C++", "leave it out"},
      {"std", "C++", "leave `std::` out and include the header of C"},
      {"cout", "C++", "include <stdio.h> and write `printf(\"%d\\n\", x)`"},
      {"cerr", "C++", "include <stdio.h> and write `fprintf(stderr, \"%d\\n\", x)`"},
      {"cin", "C++", "include <stdio.h> and write `scanf(\"%d\", &x)`"},
      {"endl", "C++", "write `\"\\n\"`"},
      {"vector", "C++", "declare an array, or use malloc and realloc"},
      {"string", "C++", "write `char *`, or an array of char"},
      {"max", "C++", "write `a > b ? a : b`"},
      {"min", "C++", "write `a < b ? a : b`"},
      {"unique_ptr", "C++", "write a plain pointer and `free`"},
      {"nullptr", "C++ and C23", "write `NULL`, or compile with -std=c23"},
      {"constexpr", "C++ and C23", "write `const`, or compile with -std=c23"},
      {"virtual", "C++", "put a pointer to a function into the struct"},
      {"private", "C++", "leave it out"},
      {"public", "C++", "leave it out"},
      {"protected", "C++", "leave it out"},
      {"operator", "C++", "write a function with a name"},
      {"try", "C++", "return a value that says what went wrong"},
      {"catch", "C++", "return a value that says what went wrong"},
      {"throw", "C++", "return a value that says what went wrong"},
      {"static_cast", "C++", "write `(type)value`"},
      {"reinterpret_cast", "C++", "write `(type)value`"},
      {"const_cast", "C++", "write `(type)value`"},
      {"String", "Java", "write `char *`"},
      {"boolean", "Java", "include <stdbool.h> and write `bool`"},
      {"println", "Java and Rust", "include <stdio.h> and write `printf(\"..\\n\")`"},
      {"print", "other languages", "include <stdio.h> and write `printf`"},
      {"import", "other languages", "write `#include`"},
      {"elif", "Python", "write `else if`"},
      {"elsif", "other languages", "write `else if`"},
      {"elseif", "other languages", "write `else if`"},
      {"unless", "other languages", "write `if (!(..))`"},
      {"until", "other languages", "write `while (!(..))`"},
      {"foreach", "other languages", "write `for (i = 0; i < n; i++)`"},
      {"__hyper_lookup", "OpenCilk's compiler",
          "include <cilk/cilk_api.h> and write `__cilkrts_reducer_lookup(&x, sizeof x, identity, reduce)`"},
      {"def", "Python", "write the type of the result before the function's name"},
      {"func", "Go", "write the type of the result before the function's name"},
      {"function", "other languages", "write the type of the result before the function's name"},
      {"fn", "Rust", "write the type of the result before the function's name"},
      {"let", "other languages", "write the type before the name: `int x = 1;`"},
      {"var", "other languages", "write the type before the name: `int x = 1;`"},
      {"None", "Python", "write `NULL`"},
      {"null", "other languages", "write `NULL`"},
      {"nil", "other languages", "write `NULL`"},
      {"True", "Python", "write `1`, or include <stdbool.h> and write `true`"},
      {"False", "Python", "write `0`, or include <stdbool.h> and write `false`"},
      {"and", "C++ and Python", "write `&&`, or include <iso646.h>"},
      {"or", "C++ and Python", "write `||`, or include <iso646.h>"},
      {"not", "C++ and Python", "write `!`, or include <iso646.h>"},
      {"async", "other languages", "write `x = spawn f(..);` and `sync;` before x is read"},
      {"await", "other languages", "write `sync;`: it waits for all children of the procedure"},
      {"go", "Go", "write `spawn f(..);`"},
      {"future_async", "other languages", "write `x = spawn f(..);` and `sync;` before x is read"},
      {"parallel_for", "other languages", "include <par.cilkh> and write `spawn par_for(low, high, body, context);`"},
      {"synchronize", "other languages", "write `sync;`"},
      {"syncronize", "other languages", "write `sync;`"},
      {"__seg_fs", "GNU C's named address spaces", "they are not supported; read the segment with inline assembly"},
      {"__seg_gs", "GNU C's named address spaces", "they are not supported; read the segment with inline assembly"},
  };
  for (const ForeignWord &w : words)
    if (name == w.word) return &w;
  return nullptr;
}

}  // namespace cilkc
