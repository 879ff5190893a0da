# Script: web/ -> page -> C++ source. Variables: WEB, WORK, OUT, NPM, MODE (see embed_report.cmake).
# npm runs in WORK, a copy inside the build folder: the source tree stays clean and build folders do not meet.

function(give_up reason)
  if(MODE STREQUAL "ON")
    message(FATAL_ERROR "report page: ${reason}")
  elseif(MODE STREQUAL "AUTO" AND NPM)
    message(WARNING "report page: ${reason}\nThis build has no report page (cavity fit --report).")
  endif()
endfunction()

# Installs the pinned packages when the lock file is another than last time.
function(install_packages result)
  file(SHA256 ${WEB}/package-lock.json wanted)
  set(stamp ${WORK}/installed)
  if(EXISTS ${stamp})
    file(READ ${stamp} installed)
    if(installed STREQUAL wanted)
      set(${result} TRUE PARENT_SCOPE)
      return()
    endif()
  endif()
  execute_process(COMMAND ${NPM} ci --ignore-scripts --omit=dev --no-audit --no-fund --loglevel=error
    WORKING_DIRECTORY ${WORK} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output TIMEOUT 300)
  if(NOT code EQUAL 0)
    give_up("npm ci failed:\n${output}")
    set(${result} FALSE PARENT_SCOPE)
    return()
  endif()
  file(WRITE ${stamp} ${wanted})
  set(${result} TRUE PARENT_SCOPE)
endfunction()

function(build_page page)
  set(${page} "" PARENT_SCOPE)
  if(MODE STREQUAL "OFF" OR NOT NPM)
    return()
  endif()
  file(REMOVE_RECURSE ${WORK}/src ${WORK}/dist)
  file(COPY ${WEB}/src ${WEB}/package.json ${WEB}/package-lock.json ${WEB}/.npmrc ${WEB}/tsconfig.json ${WEB}/build.mjs ${WEB}/bundle.mjs ${WEB}/licenses.mjs
    DESTINATION ${WORK})
  install_packages(installed)
  if(NOT installed)
    return()
  endif()
  execute_process(COMMAND ${NPM} run --silent build
    WORKING_DIRECTORY ${WORK} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output TIMEOUT 300)
  if(code EQUAL 0)
    set(${page} ${WORK}/dist/report.html PARENT_SCOPE)
  else()
    give_up("npm run build failed:\n${output}")
  endif()
endfunction()

build_page(page)
set(bytes "")
if(page)
  file(READ ${page} hex HEX)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${hex}")
  string(REGEX REPLACE "(('[^']*',){24})" "\\1\n" bytes "${bytes}")
endif()
# The trailing zero keeps the array from being empty and is not counted.
file(WRITE ${OUT} "#include \"report/report_template.hpp\"
namespace cavity {
const char report_template[] = {
${bytes}'\\0'};
const std::size_t report_template_size = sizeof report_template - 1;
}  // namespace cavity
")
