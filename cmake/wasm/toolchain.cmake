# Debian's emscripten, wherever it is installed.
find_program(CAVITY_EM_CONFIG em-config REQUIRED)
execute_process(COMMAND ${CAVITY_EM_CONFIG} EMSCRIPTEN_ROOT OUTPUT_VARIABLE root OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)
include(${root}/cmake/Modules/Platform/Emscripten.cmake)
