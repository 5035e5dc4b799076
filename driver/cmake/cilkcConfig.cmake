# find_package(cilkc): .cilk and .cilk1 files as sources of any target.
#
#     find_package(cilkc REQUIRED)
#     add_executable(fib fib.cilk)             # compiled and linked by cilkc
#     cilk_add_executable(fib fib.cilk)        # the same; also links what Cilk needs where another compiler links
#     cilk_add_library(tree SHARED tree.cilk)  # exports its own names only; what links to it gets the runtime
#     add_library(forest forest.cilk)          # as of C; what links to it is linked by cilkc, and has the runtime
#     target_link_libraries(caller cilkc::cilkc)       # a C or C++ program that includes <cilk.h>
#
# How it works: Cilk is a language of CMake, CILK, like C. The files CMakeDetermineCILKCompiler.cmake and so on, beside this one, say how
# it is compiled. So options, include folders, definitions, depfiles and compile_commands.json are as for C. CMAKE_CILK_FLAGS and $ENV{CILKFLAGS} are as
# for C; $ENV{CILKC} or CMAKE_CILK_COMPILER name another compiler.
# cilk_add_library hides the runtime's names in a shared library, so two libraries made so have a runtime each.

if(CMAKE_VERSION VERSION_LESS 3.20)
  set(cilkc_FOUND FALSE)
  set(cilkc_NOT_FOUND_MESSAGE "cilkc needs CMake 3.20 or newer: older ones read no depfiles of such a language")
  return()
endif()

list(PREPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}")
enable_language(CILK)

if(NOT TARGET cilkc::runtime)
  execute_process(COMMAND "${CMAKE_CILK_COMPILER}" --print-include-dir OUTPUT_VARIABLE cilkc_INCLUDE_DIR OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND "${CMAKE_CILK_COMPILER}" --print-runtime-dir OUTPUT_VARIABLE cilkc_RUNTIME_DIR OUTPUT_STRIP_TRAILING_WHITESPACE)
  add_library(cilkc::runtime STATIC IMPORTED GLOBAL)
  set_target_properties(cilkc::runtime PROPERTIES
    IMPORTED_LOCATION "${cilkc_RUNTIME_DIR}/libcilkrt.a"
    INTERFACE_INCLUDE_DIRECTORIES "${cilkc_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "-pthread;m")
  add_library(cilkc::cilkc ALIAS cilkc::runtime)
endif()

function(cilk_add_executable name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE cilkc::runtime)
endfunction()

function(cilk_add_library name)
  add_library(${name} ${ARGN})
  get_target_property(kind ${name} TYPE)
  if(kind STREQUAL "SHARED_LIBRARY" OR kind STREQUAL "MODULE_LIBRARY")
    target_link_libraries(${name} PRIVATE cilkc::runtime)
  else()
    target_link_libraries(${name} PUBLIC cilkc::runtime)
  endif()
endfunction()
