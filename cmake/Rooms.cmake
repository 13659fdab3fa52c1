# A room is one folder under src/ with its headers under include/drawbridge/ and its tests under tests/.
# Each room is one static library, so that the linker, the include scan and the reader see the same walls.

set(DRAWBRIDGE_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wnon-virtual-dtor
    -Wold-style-cast -Wcast-qual -Wformat=2 -Wundef -Wswitch-enum -Woverloaded-virtual)
if(DRAWBRIDGE_WERROR)
  list(APPEND DRAWBRIDGE_WARNINGS -Werror)
endif()

# drawbridge_room(NAME SOURCES a.cpp b.cpp LINK drawbridge::domain ...)
function(drawbridge_room name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(drawbridge_${name} STATIC ${ARG_SOURCES})
  add_library(drawbridge::${name} ALIAS drawbridge_${name})
  target_include_directories(drawbridge_${name} PUBLIC ${CMAKE_SOURCE_DIR}/include)
  target_compile_options(drawbridge_${name} PRIVATE ${DRAWBRIDGE_WARNINGS})
  target_link_libraries(drawbridge_${name} PUBLIC ${ARG_LINK})
endfunction()

# drawbridge_test(NAME SOURCES a_test.cpp LINK drawbridge::nacha ...): one test binary, each case known to CTest.
function(drawbridge_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LINK;ENVIRONMENT;LABELS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_compile_options(${name} PRIVATE ${DRAWBRIDGE_WARNINGS})
  target_compile_definitions(${name} PRIVATE
    DRAWBRIDGE_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data"
    DRAWBRIDGE_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
    DRAWBRIDGE_BINARY_DIR="${CMAKE_BINARY_DIR}")
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gmock GTest::gtest_main)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST TEST_PREFIX "${name}: "
    PROPERTIES TIMEOUT ${ARG_TIMEOUT} ENVIRONMENT "${ARG_ENVIRONMENT}" LABELS "${ARG_LABELS}")
endfunction()
