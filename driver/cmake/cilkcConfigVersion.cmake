# Which version this is: that of the compiler, from the one place where it is written.
foreach(_cilkc_home "${CMAKE_CURRENT_LIST_DIR}/../.." "${CMAKE_CURRENT_LIST_DIR}/../../cilkc")
  if(EXISTS "${_cilkc_home}/driver/cilkc_driver/home.py")
    file(STRINGS "${_cilkc_home}/driver/cilkc_driver/home.py" PACKAGE_VERSION REGEX "^VERSION = " LIMIT_COUNT 1)
    string(REGEX REPLACE "^VERSION = \"([^\"]*)\".*" "\\1" PACKAGE_VERSION "${PACKAGE_VERSION}")
  endif()
endforeach()
unset(_cilkc_home)

# A program keeps working until the next major version (docs/versions.md).
string(REGEX MATCH "^[0-9]+" _cilkc_major "${PACKAGE_VERSION}")
string(REGEX MATCH "^[0-9]+" _cilkc_wanted "${PACKAGE_FIND_VERSION}")
set(PACKAGE_VERSION_COMPATIBLE FALSE)
if(NOT PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION AND (_cilkc_major VERSION_EQUAL _cilkc_wanted))
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
if(PACKAGE_VERSION VERSION_EQUAL PACKAGE_FIND_VERSION)
  set(PACKAGE_VERSION_EXACT TRUE)
endif()
