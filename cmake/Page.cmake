# NOUND_PAGE: the C file with the page for browsers (native/engine/page.h), made by tools/build/page.mjs of ts/page.
if(NOUND_PREBUILT AND EXISTS "${nound_prebuilt_folder}/page.c")
  set(NOUND_PAGE "${nound_prebuilt_folder}/page.c")
  return()
endif()

find_program(NOUND_NODE node)
if(NOT NOUND_NODE)
  message(FATAL_ERROR "Node.js is not installed: install Node 20 or later with npm, then run `npm ci`.")
endif()
set(NOUND_PAGE "${CMAKE_BINARY_DIR}/page.c")
file(GLOB_RECURSE nound_page_sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/ts/page/*")
add_custom_command(
  OUTPUT "${NOUND_PAGE}"
  COMMAND "${NOUND_NODE}" "${CMAKE_CURRENT_LIST_DIR}/../tools/build/page.mjs" "${NOUND_PAGE}"
  DEPENDS "${CMAKE_CURRENT_LIST_DIR}/../tools/build/page.mjs" ${nound_page_sources}
    "${CMAKE_SOURCE_DIR}/package-lock.json"
  COMMENT "Making the page"
  VERBATIM)
# Of its own, so that ninja does not begin it only when the engine is compiled.
add_custom_target(nound-page DEPENDS "${NOUND_PAGE}")
