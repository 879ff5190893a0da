# The man page, the shell completions and the manual's page of every option, written by the options themselves; installed
# with the program, and beside them the manual: its pages as text, and as a site where `make site` has built one.
include(GNUInstallDirs)
file(GLOB CAVITY_DESCRIBE_SOURCES CONFIGURE_DEPENDS src/describe/*.cpp)
add_executable(describe ${CAVITY_DESCRIBE_SOURCES})
set_target_properties(describe PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/describe)
target_compile_options(describe PRIVATE $<$<CONFIG:Release>:-O1>)  # words
target_compile_definitions(describe PRIVATE CAVITY_VERSION="${PROJECT_VERSION}")
target_link_libraries(describe PRIVATE cavity_cli cavity_flags CLI11::CLI11 fmt::fmt)

set(CAVITY_DESCRIBED)
foreach(form_and_file man:cavity.1 bash:cavity.bash zsh:_cavity markdown:commands.md)
  string(REPLACE ":" ";" form_and_file ${form_and_file})
  list(GET form_and_file 0 form)
  list(GET form_and_file 1 file)
  set(file ${PROJECT_BINARY_DIR}/describe/${file})
  add_custom_command(OUTPUT ${file} COMMAND describe ${form} > ${file}.new COMMAND ${CMAKE_COMMAND} -E rename ${file}.new ${file}
    DEPENDS describe VERBATIM)
  list(APPEND CAVITY_DESCRIBED ${file})
endforeach()
add_custom_target(described ALL DEPENDS ${CAVITY_DESCRIBED})
add_dependencies(programs described)

if(NOT SKBUILD)
  install(FILES ${PROJECT_BINARY_DIR}/describe/cavity.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  if(TARGET cavity-mpi)
    file(WRITE ${PROJECT_BINARY_DIR}/describe/cavity-mpi.1 ".so man1/cavity.1\n")
    install(FILES ${PROJECT_BINARY_DIR}/describe/cavity-mpi.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  endif()
  install(FILES ${PROJECT_BINARY_DIR}/describe/cavity.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME cavity)
  install(FILES ${PROJECT_BINARY_DIR}/describe/_cavity DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/build/site/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/html OPTIONAL)
endif()
