# Headers that nearly every source includes are parsed once per kind of target. Each file still includes what it uses, so
# that -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON builds too.

set(standard_headers <algorithm> <array> <charconv> <chrono> <cstdint> <expected> <filesystem> <fstream> <functional>
    <map> <memory> <optional> <set> <sstream> <string> <string_view> <utility> <variant> <vector> <fmt/format.h>
    <nlohmann/json.hpp>)
set(asio_headers <boost/asio/any_io_executor.hpp> <boost/asio/as_tuple.hpp> <boost/asio/awaitable.hpp>
    <boost/asio/co_spawn.hpp> <boost/asio/io_context.hpp> <boost/asio/ip/tcp.hpp> <boost/asio/steady_timer.hpp>
    <boost/asio/use_awaitable.hpp>)
set(test_headers <gmock/gmock.h> <gtest/gtest.h>)

function(drawbridge_precompiled kind)
  cmake_parse_arguments(ARG "" "" "HEADERS;LINK;OPTIONS" ${ARGN})
  set(target drawbridge_precompiled_${kind})
  add_library(${target} OBJECT ${CMAKE_SOURCE_DIR}/cmake/precompiled.cpp)
  target_link_libraries(${target} PUBLIC fmt::fmt nlohmann_json::nlohmann_json ${ARG_LINK})
  # -Wpedantic decides on a macro, so the warnings must be the same; ccache asks g++ for -fpch-preprocess.
  target_compile_options(${target} PRIVATE ${DRAWBRIDGE_WARNINGS} PUBLIC ${ARG_OPTIONS} $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
  target_precompile_headers(${target} PRIVATE ${ARG_HEADERS})
endfunction()

# drawbridge_precompile(TARGET KIND): core, shell (with Asio), test, shell_test.
function(drawbridge_precompile target kind)
  set(source drawbridge_precompiled_${kind})
  # The same definitions and options with which the headers were compiled.
  get_target_property(libraries ${source} LINK_LIBRARIES)
  get_target_property(options ${source} INTERFACE_COMPILE_OPTIONS)
  target_link_libraries(${target} PRIVATE ${libraries})
  target_compile_options(${target} PRIVATE ${options})
  target_precompile_headers(${target} REUSE_FROM ${source})
endfunction()

drawbridge_precompiled(core HEADERS ${standard_headers})
drawbridge_precompiled(shell HEADERS ${standard_headers} ${asio_headers} LINK deps::asio)
if(DRAWBRIDGE_TESTS)
  # Tests are compiled often and run briefly, so they are not optimized.
  drawbridge_precompiled(test HEADERS ${standard_headers} ${test_headers} LINK GTest::gmock OPTIONS -O0)
  drawbridge_precompiled(shell_test HEADERS ${standard_headers} ${asio_headers} ${test_headers} LINK deps::asio GTest::gmock OPTIONS -O0)
endif()
