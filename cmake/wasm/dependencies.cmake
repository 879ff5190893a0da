# The libraries as far as headers alone go: those of the system are linked into a folder of their own, so that nothing
# else of the system's headers is met. zlib and zstd are not among them: see cmake/platform.cmake.
set(headers ${PROJECT_BINARY_DIR}/system_headers)
file(MAKE_DIRECTORY ${headers})
function(link_header name)
  find_path(CAVITY_${name}_IN ${name} PATHS /usr/include /usr/include/eigen3 NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(CREATE_LINK ${CAVITY_${name}_IN}/${name} ${headers}/${name} SYMBOLIC)
endfunction()
foreach(name Eigen boost fmt hwy nlohmann)
  link_header(${name})
endforeach()

find_path(CAVITY_GOOGLETEST src/gtest-all.cc PATHS /usr/src/googletest/googletest NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH
  REQUIRED)

foreach(target Eigen3::Eigen Boost::headers fmt::fmt nlohmann_json::nlohmann_json PkgConfig::HWY)
  add_library(${target} INTERFACE IMPORTED)
  target_include_directories(${target} SYSTEM INTERFACE ${headers})
endforeach()
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
# Its own WebAssembly target has no doubles (Highway 1.0.3); of the emulated vectors the compiler makes SIMD.
target_compile_definitions(PkgConfig::HWY INTERFACE HWY_COMPILE_ONLY_EMU128)
foreach(target Threads::Threads ZLIB::ZLIB PkgConfig::ZSTD)
  add_library(${target} INTERFACE IMPORTED)
endforeach()

set(CMAKE_POSITION_INDEPENDENT_CODE OFF)  # it would cost a load a call
# Every object: SIMD, exceptions, and what this emscripten's standard library does not have yet.
add_compile_options(-msimd128 -fwasm-exceptions "SHELL:-include ${PROJECT_SOURCE_DIR}/cmake/wasm/newer_standard.hpp")
add_link_options(-fwasm-exceptions)
