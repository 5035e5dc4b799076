# CMake reads this once: does the compiler make a program?
if(CMAKE_CILK_COMPILER_FORCED)
  set(CMAKE_CILK_COMPILER_WORKS TRUE)
endif()
if(NOT CMAKE_CILK_COMPILER_WORKS)
  set(_cilkc_folder "${CMAKE_BINARY_DIR}${CMAKE_FILES_DIRECTORY}/CMakeTmp")
  file(WRITE "${_cilkc_folder}/works.cilk" "cilk int main(void) { return 0; }\n")
  execute_process(COMMAND "${CMAKE_CILK_COMPILER}" "${_cilkc_folder}/works.cilk" -o "${_cilkc_folder}/works"
    RESULT_VARIABLE _cilkc_status OUTPUT_VARIABLE _cilkc_said ERROR_VARIABLE _cilkc_said)
  if(NOT _cilkc_status EQUAL 0)
    message(FATAL_ERROR "the Cilk compiler ${CMAKE_CILK_COMPILER} cannot make a program:\n${_cilkc_said}")
  endif()
  set(CMAKE_CILK_COMPILER_WORKS 1 CACHE INTERNAL "")
endif()
