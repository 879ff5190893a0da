# The report page inside the library: the source CAVITY_PAGE_CPP (src/report/report_template.hpp).
# AUTO builds the page where npm can, and links an empty one (size 0) where it cannot, so that everything else still
# builds and the program says at run time that it has no report page. ON: a missing page is an error. OFF: no page.
set(CAVITY_REPORT_PAGE AUTO CACHE STRING "the report page: AUTO, ON or OFF")
set_property(CACHE CAVITY_REPORT_PAGE PROPERTY STRINGS AUTO ON OFF)

find_program(CAVITY_NPM npm)
if(CAVITY_REPORT_PAGE STREQUAL "ON" AND NOT CAVITY_NPM)
  message(FATAL_ERROR "CAVITY_REPORT_PAGE is ON, and there is no npm: install Node.js 20 or later with npm")
elseif(CAVITY_REPORT_PAGE STREQUAL "AUTO" AND NOT CAVITY_NPM)
  message(STATUS "no npm: this build will have no report page (cavity fit --report)")
endif()

file(GLOB_RECURSE CAVITY_PAGE_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/*)
list(APPEND CAVITY_PAGE_SOURCES
  ${PROJECT_SOURCE_DIR}/web/package.json ${PROJECT_SOURCE_DIR}/web/package-lock.json ${PROJECT_SOURCE_DIR}/web/.npmrc
  ${PROJECT_SOURCE_DIR}/web/tsconfig.json
  ${PROJECT_SOURCE_DIR}/web/build.mjs ${PROJECT_SOURCE_DIR}/web/bundle.mjs ${PROJECT_SOURCE_DIR}/web/licenses.mjs)

set(CAVITY_PAGE_CPP ${PROJECT_BINARY_DIR}/report_template.cpp)
add_custom_command(
  OUTPUT ${CAVITY_PAGE_CPP}
  COMMAND ${CMAKE_COMMAND} -D WEB=${PROJECT_SOURCE_DIR}/web -D WORK=${PROJECT_BINARY_DIR}/report_page
          -D OUT=${CAVITY_PAGE_CPP} -D NPM=${CAVITY_NPM} -D MODE=${CAVITY_REPORT_PAGE}
          -P ${PROJECT_SOURCE_DIR}/cmake/build_report_page.cmake
  DEPENDS ${CAVITY_PAGE_SOURCES} ${PROJECT_SOURCE_DIR}/cmake/build_report_page.cmake
  COMMENT "Building the report page"
  VERBATIM)
