# A module is one folder under src/ with its headers under include/drawbridge/ and its tests under tests/.
# Each module is one static library, so that the linker and the include scan enforce the same boundaries.

set(DRAWBRIDGE_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wnon-virtual-dtor
    -Wold-style-cast -Wcast-qual -Wformat=2 -Wundef -Wswitch-enum -Woverloaded-virtual)
# g++ 12 and 14 warn of overlapping and out-of-bounds copies in plain string concatenations (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  list(APPEND DRAWBRIDGE_WARNINGS -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()
# stable_sort() of libstdc++ 12 uses what it calls deprecated, and only clang says so.
if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  list(APPEND DRAWBRIDGE_WARNINGS -Wno-deprecated-declarations)
endif()
if(DRAWBRIDGE_WERROR)
  list(APPEND DRAWBRIDGE_WARNINGS -Werror)
endif()

# With DRAWBRIDGE_UNITY so many sources are compiled together: a first build takes a third of the time, but names in
# unnamed namespaces must differ within a module.
function(drawbridge_unity target sources_together)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${DRAWBRIDGE_UNITY}
    UNITY_BUILD_BATCH_SIZE ${sources_together})
  if(DRAWBRIDGE_UNITY)
    # These warnings need separate sources. The dev preset compiles without unity and enables them.
    target_compile_options(${target} PRIVATE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

# drawbridge_module(NAME SOURCES a.cpp b.cpp LINK drawbridge::domain ... [NO_UNITY])
function(drawbridge_module name)
  cmake_parse_arguments(ARG "NO_UNITY" "" "SOURCES;LINK" ${ARGN})
  add_library(drawbridge_${name} STATIC ${ARG_SOURCES})
  add_library(drawbridge::${name} ALIAS drawbridge_${name})
  target_compile_options(drawbridge_${name} PRIVATE ${DRAWBRIDGE_WARNINGS})
  if(NOT ARG_NO_UNITY)
    drawbridge_unity(drawbridge_${name} 16)
  endif()
  target_include_directories(drawbridge_${name} PUBLIC ${CMAKE_SOURCE_DIR}/include)
  target_link_libraries(drawbridge_${name} PUBLIC ${ARG_LINK})
  if("deps::asio" IN_LIST ARG_LINK)
    drawbridge_precompile(drawbridge_${name} shell)
  else()
    drawbridge_precompile(drawbridge_${name} core)
  endif()
endfunction()

# drawbridge_test(NAME SOURCES a_test.cpp LINK drawbridge::nacha ...): one test binary. CTest lists each test case.
# OPTIMIZED: for a test that runs for hours. Others are not, and neither are then the templates that they share with
# the program, because the linker takes the first of each.
function(drawbridge_test name)
  cmake_parse_arguments(ARG "NO_UNITY;OPTIMIZED" "TIMEOUT" "SOURCES;LINK;ENVIRONMENT;LABELS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_compile_options(${name} PRIVATE ${DRAWBRIDGE_WARNINGS})
  if(NOT ARG_NO_UNITY)
    drawbridge_unity(${name} 8)
  endif()
  target_compile_definitions(${name} PRIVATE
    DRAWBRIDGE_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data"
    DRAWBRIDGE_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
    DRAWBRIDGE_BINARY_DIR="${CMAKE_BINARY_DIR}")
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gmock GTest::gtest_main)
  if(ARG_OPTIMIZED)
    drawbridge_precompile(${name} shell)
  elseif("${ARG_LINK}" MATCHES "deps::asio|drawbridge::(pipeline|service|alerts|admin|daemon|app)")
    drawbridge_precompile(${name} shell_test)
  else()
    drawbridge_precompile(${name} test)
  endif()
  # An empty value would be left out, and the next word taken for it.
  set(properties TIMEOUT ${ARG_TIMEOUT})
  foreach(property ENVIRONMENT LABELS)
    if(ARG_${property})
      list(APPEND properties ${property} "${ARG_${property}}")
    endif()
  endforeach()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST TEST_PREFIX "${name}: " PROPERTIES ${properties})
endfunction()

# drawbridge_fuzz(NAME SOURCES name_fuzz.cpp LINK drawbridge::nacha ...): SOURCES define LLVMFuzzerTestOneInput. With
# DRAWBRIDGE_FUZZ it becomes the libFuzzer program fuzz-NAME, which scripts/fuzz runs. With the tests, it becomes a
# regression test that runs every file of tests/fuzz/corpus/NAME once. BANK_FILE: the fuzzer changes records, lines and
# elements too (tests/fuzz/mutation).
function(drawbridge_fuzz name)
  cmake_parse_arguments(ARG "BANK_FILE" "" "SOURCES;LINK" ${ARGN})
  if(DRAWBRIDGE_FUZZ)
    add_executable(fuzz-${name} ${ARG_SOURCES})
    target_link_libraries(fuzz-${name} PRIVATE ${ARG_LINK})
    if(ARG_BANK_FILE)
      target_sources(fuzz-${name} PRIVATE mutation/mutator.cpp)
      target_link_libraries(fuzz-${name} PRIVATE drawbridge_mutation)
    endif()
    target_link_options(fuzz-${name} PRIVATE -fsanitize=fuzzer)
    set_property(GLOBAL APPEND PROPERTY DRAWBRIDGE_FUZZ_TARGETS ${name})
    add_dependencies(fuzz-all fuzz-${name})
  endif()
  if(DRAWBRIDGE_TESTS)
    add_executable(corpus-${name} ${ARG_SOURCES})
    set_target_properties(corpus-${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    target_link_libraries(corpus-${name} PRIVATE ${ARG_LINK} drawbridge_corpus)
    add_test(NAME "corpus: ${name}" COMMAND corpus-${name} ${CMAKE_CURRENT_SOURCE_DIR}/corpus/${name})
    set_tests_properties("corpus: ${name}" PROPERTIES TIMEOUT 120)
  endif()
  foreach(target fuzz-${name} corpus-${name})
    if(TARGET ${target})
      target_compile_options(${target} PRIVATE ${DRAWBRIDGE_WARNINGS})
      target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
    endif()
  endforeach()
endfunction()
