# The tests of the rooms that hold the method, under node. Without those that are about threads, several processes, or
# Highway's choice of a target, of which there are none here.
add_library(wasm_gtest STATIC EXCLUDE_FROM_ALL
  ${CAVITY_GOOGLETEST}/src/gtest-all.cc ${CAVITY_GOOGLETEST}/src/gtest_main.cc)
target_include_directories(wasm_gtest SYSTEM PUBLIC ${CAVITY_GOOGLETEST}/include PRIVATE ${CAVITY_GOOGLETEST})
add_custom_target(wasm_tests)
set(CAVITY_NOT_infer *Processes*:*FollowsTheory*)
foreach(room model infer fit)
  file(GLOB sources CONFIGURE_DEPENDS ${room}/*_test.cpp)
  list(FILTER sources EXCLUDE REGEX "/(determinism|sharded_fit|compact_fit)_test.cpp$")
  # By sampling, of the steps alone, and of halves: minutes under node, and nothing in them knows the machine.
  list(FILTER sources EXCLUDE REGEX "/(ep_against_gibbs|gibbs|place_calibration|place_sets|places|step_conditional|kernel_ep)_test.cpp$")
  list(FILTER sources EXCLUDE REGEX "/(mix|folds|recalibrate|trust|stack|joining|many_classes|together|analytic|stability|road)_test.cpp$")
  list(FILTER sources EXCLUDE REGEX "/(bent_fit|evidence_average|forecast|know_dependence|nothing_share|panel|panel_search|absent_features|adapt|validate|feature_kernel)_test.cpp$")
  add_executable(test_${room} EXCLUDE_FROM_ALL ${sources})
  target_include_directories(test_${room} PRIVATE ${PROJECT_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_options(test_${room} PRIVATE -O1)
  target_compile_definitions(test_${room} PRIVATE CAVITY_DATA_DIR="${PROJECT_SOURCE_DIR}/../shared/data")
  target_link_libraries(test_${room} PRIVATE cavity_core cavity_flags wasm_gtest Eigen3::Eigen Boost::headers fmt::fmt
    nlohmann_json::nlohmann_json PkgConfig::HWY)
  # Files are those of the machine.
  target_link_options(test_${room} PRIVATE -sNODERAWFS -sALLOW_MEMORY_GROWTH -sTOTAL_STACK=8MB -sEXIT_RUNTIME)
  # This emscripten would fetch the .wasm where there is a fetch.
  add_test(NAME wasm.${room} COMMAND node --no-experimental-fetch test_${room}.js --gtest_brief=1
    "--gtest_filter=-${CAVITY_NOT_${room}}")
  add_dependencies(wasm_tests test_${room})
endforeach()
