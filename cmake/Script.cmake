# nound_add_binary(<name> ENTRY <file.ts> [MAIN <file.c> ...] [DEFER]): a program with the script that starts at ENTRY;
# MAIN runs it, native/main.c unless given. With DEFER, the groups of tools/bundle/groups.mjs are loaded when they are
# needed, and variables and functions have short names.
#
# ts/ -> esbuild -> <name>.js, one module -> QuickJS bytecode -> a C array -> linked with the native layer. The bytecode
# keeps line numbers without columns, so a stack trace names lines of <name>.js in the build folder; with DEFER, those
# have up to 1,000 characters.
#
# A target of its own makes the bundle. Otherwise ninja would begin it when the engine is compiled, because the program
# is linked with the engine.
option(NOUND_DEFERRED "Load the groups of tools/bundle/groups.mjs when they are needed" ON)
get_filename_component(nound_source "${CMAKE_CURRENT_LIST_DIR}" DIRECTORY)
file(GLOB nound_bundlers "${nound_source}/tools/bundle/*.mjs")

# Bytecode is not portable across byte order, and the engine inside the embedding tool has the order of the host.
# The text is parsed at each start, so all that a parser skips is left out.
if(CMAKE_C_BYTE_ORDER STREQUAL "BIG_ENDIAN")
  set(nound_bundle_options --minify)
  set(nound_embed_form text)
else()
  set(nound_bundle_options "")
  set(nound_embed_form bytecode)
endif()

# Adds the commands that make the C file `script` of `entry`. What follows are options of tools/build/bundle.mjs.
function(nound_compile_script name entry script)
  find_program(NOUND_NODE node)
  if(NOT NOUND_NODE)
    message(FATAL_ERROR "Node.js is not installed: install Node 20 or later with npm, then run `npm ci`.")
  endif()
  set(bundle "${CMAKE_CURRENT_BINARY_DIR}/${name}.js")
  set(tool "${nound_source}/tools/build/bundle.mjs")
  set(passes direct-calls function-variables declared-names)
  list(TRANSFORM passes REPLACE "(.+)" "${nound_source}/tools/build/\\1.mjs")
  set(embedder "${nound_source}/tools/build/embed.mjs")

  add_custom_command(
    OUTPUT "${bundle}"
    COMMAND "${NOUND_NODE}" "${tool}" ${nound_bundle_options} ${ARGN} "${entry}" "${bundle}"
    DEPENDS "${tool}" ${passes} ${nound_bundlers}
            "${nound_source}/tsconfig.json" "${nound_source}/package-lock.json"
    DEPFILE "${bundle}.d"
    COMMENT "Bundling ${name}.js"
    VERBATIM)
  add_custom_target(${name}-bundle DEPENDS "${bundle}")
  add_custom_command(
    OUTPUT "${script}"
    COMMAND "${NOUND_EMBED}" "${bundle}" ${nound_deferred_folder}
    COMMAND "${NOUND_NODE}" "${embedder}" ${nound_embed_form} "${bundle}" "${script}" ${nound_deferred_folder}
    DEPENDS "${bundle}" "${NOUND_EMBED}" "${embedder}" ${nound_bundlers} "${nound_source}/package-lock.json"
    COMMENT "Compiling ${name}.js to ${nound_embed_form}"
    VERBATIM)
endfunction()

function(nound_add_binary name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "DEFER" "ENTRY" "MAIN")
  if(NOT arg_MAIN)
    set(arg_MAIN "${nound_source}/native/main.c")
  endif()
  set(options "")
  set(nound_deferred_folder "")
  if(arg_DEFER AND NOUND_DEFERRED)
    list(APPEND options --defer)
    set(nound_deferred_folder "${CMAKE_CURRENT_BINARY_DIR}/${name}.parts")
  endif()
  set(script "")
  nound_prebuilt_script(${name} script)
  if(NOT script)
    set(script "${CMAKE_CURRENT_BINARY_DIR}/${name}-script.c")
    get_filename_component(entry "${arg_ENTRY}" ABSOLUTE)
    nound_compile_script(${name} "${entry}" "${script}" ${options})
  endif()
  # Of its own, so that a release can have the script of a byte order for which it compiles nothing else.
  add_custom_target(${name}-script DEPENDS "${script}")
  add_executable(${name} ${arg_MAIN} "${script}")
  target_include_directories(${name} PRIVATE "${nound_source}/native")
  target_link_libraries(${name} PRIVATE nound-native)
endfunction()
