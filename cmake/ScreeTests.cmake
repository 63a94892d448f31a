# Tests. One program per top-level folder of tests/; ctest knows each test in it by name, as
# folder.Suite.Test, so that `ctest -R` finds one and `ctest -j` spreads all.
#
#   tests/X/**/*_test.cpp   GoogleTest, in scree_test_X
#   tests/X/*.sh            a bash script, ctest name X.NAME; it passes if it exits 0 (77: skipped)
#   tests/support/          headers and sources shared by all: #include "tests/support/….hpp"
#
# C++ tests have the macros SCREE_SOURCE_DIR and SCREE_BINARY (the built program); scripts have
# environment variables of the same names, and an empty folder of their own as working directory.

find_package(GTest REQUIRED)
include(GoogleTest)

set(scree_binary ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/scree)
set(test_timeout 300)

add_library(scree_test_options INTERFACE)
target_include_directories(scree_test_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_definitions(scree_test_options INTERFACE SCREE_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                                                        SCREE_BINARY="${scree_binary}")
target_link_libraries(scree_test_options INTERFACE scree_core GTest::gtest GTest::gtest_main)

# Reference values to hundreds of digits, for those tests that want them (SCREE_HAVE_MPFR).
find_library(MPFR_LIBRARY mpfr)
find_library(GMP_LIBRARY gmp)
if(MPFR_LIBRARY AND GMP_LIBRARY)
  target_compile_definitions(scree_test_options INTERFACE SCREE_HAVE_MPFR)
  target_link_libraries(scree_test_options INTERFACE ${MPFR_LIBRARY} ${GMP_LIBRARY})
endif()

file(GLOB_RECURSE support_sources CONFIGURE_DEPENDS tests/support/*.cpp)
if(support_sources)
  add_library(scree_test_support STATIC ${support_sources})
  target_link_libraries(scree_test_support PUBLIC scree_test_options)
endif()

file(GLOB_RECURSE test_sources RELATIVE ${CMAKE_SOURCE_DIR}/tests CONFIGURE_DEPENDS
     tests/*_test.cpp)
set(test_folders "")
foreach(source IN LISTS test_sources)
  string(REGEX MATCH "^[^/]+" folder ${source})
  list(APPEND test_folders ${folder})
  list(APPEND sources_of_${folder} ${CMAKE_SOURCE_DIR}/tests/${source})
endforeach()
list(REMOVE_DUPLICATES test_folders)

foreach(folder IN LISTS test_folders)
  set(target scree_test_${folder})
  add_executable(${target} ${sources_of_${folder}})
  target_link_libraries(${target} PRIVATE scree_test_options)
  if(TARGET scree_test_support)
    target_link_libraries(${target} PRIVATE scree_test_support)
  endif()
  if(TARGET scree-bin)
    add_dependencies(${target} scree-bin)
  endif()
  # Waiting threads sleep instead of spinning: tests run side by side on few cores.
  gtest_discover_tests(
    ${target}
    TEST_PREFIX ${folder}.
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS ${folder} TIMEOUT ${test_timeout} ENVIRONMENT OMP_WAIT_POLICY=PASSIVE)
endforeach()

file(GLOB test_scripts RELATIVE ${CMAKE_SOURCE_DIR}/tests CONFIGURE_DEPENDS tests/*/*.sh)
foreach(script IN LISTS test_scripts)
  string(REGEX MATCH "^[^/]+" folder ${script})
  if(folder STREQUAL "support")
    continue()
  endif()
  cmake_path(GET script STEM name)
  set(work ${CMAKE_BINARY_DIR}/tests/${folder}/${name})
  add_test(NAME ${folder}.${name}
           COMMAND bash -c "rm -rf \"$1\" && mkdir -p \"$1\" && cd \"$1\" && exec bash \"$2\""
                   ${name} ${work} ${CMAKE_SOURCE_DIR}/tests/${script})
  set_tests_properties(
    ${folder}.${name}
    PROPERTIES LABELS ${folder}
               TIMEOUT ${test_timeout}
               SKIP_RETURN_CODE 77
               ENVIRONMENT
               "OMP_WAIT_POLICY=PASSIVE;SCREE_SOURCE_DIR=${CMAKE_SOURCE_DIR};SCREE_BINARY=${scree_binary}")
endforeach()
