# CMake reads this when CILK is enabled: which compiler. The order: CMAKE_CILK_COMPILER, $ENV{CILKC}, the cilkc that these files belong to, PATH.
if(NOT CMAKE_CILK_COMPILER)
  if(NOT "$ENV{CILKC}" STREQUAL "")
    set(CMAKE_CILK_COMPILER "$ENV{CILKC}" CACHE FILEPATH "Cilk compiler" FORCE)
  else()
    find_program(CMAKE_CILK_COMPILER NAMES cilkc DOC "Cilk compiler"
      HINTS "${CMAKE_CURRENT_LIST_DIR}/../.." "${CMAKE_CURRENT_LIST_DIR}/../../../bin")
  endif()
endif()
if(NOT CMAKE_CILK_COMPILER)
  message(FATAL_ERROR "no cilkc was found: set CMAKE_CILK_COMPILER or CILKC, or put cilkc on the PATH")
endif()
mark_as_advanced(CMAKE_CILK_COMPILER)

execute_process(COMMAND "${CMAKE_CILK_COMPILER}" --version OUTPUT_VARIABLE _cilkc_version RESULT_VARIABLE _cilkc_status ERROR_QUIET)
if(NOT _cilkc_status EQUAL 0 OR NOT _cilkc_version MATCHES "^cilkc ([0-9.]+)")
  message(FATAL_ERROR "${CMAKE_CILK_COMPILER} is not cilkc")
endif()
set(CMAKE_CILK_COMPILER_ID "cilkc")
set(CMAKE_CILK_COMPILER_VERSION "${CMAKE_MATCH_1}")

include(CMakeFindBinUtils)
configure_file("${CMAKE_CURRENT_LIST_DIR}/CMakeCILKCompiler.cmake.in" "${CMAKE_PLATFORM_INFO_DIR}/CMakeCILKCompiler.cmake" @ONLY)
set(CMAKE_CILK_COMPILER_ENV_VAR "CILKC")
