# nound_add_binary(<name> ENTRY <file.ts> [MAIN <file.c> ...]): a program of ours with the script that starts at ENTRY; MAIN runs
# it, native/main.c unless given.
#
# ts/ -> esbuild -> <name>.js, one module -> QuickJS bytecode, as a C array -> linked with the native layer. The bytecode
# keeps line numbers, for 5 KB, so a stack trace names lines of <name>.js in the build folder.

# Bytecode is not portable across byte order, and the engine inside the embedding tool has the order of the host.
# The text is parsed at each start, so all that a parser skips is left out.
if(CMAKE_C_BYTE_ORDER STREQUAL "BIG_ENDIAN")
  set(nound_bundle_options --minify)
  set(nound_embed_form text)
else()
  set(nound_bundle_options "")
  set(nound_embed_form bytecode)
endif()

# Adds the commands that make the C file `script` of `entry`.
function(nound_compile_script name entry script)
  find_program(NOUND_NODE node)
  if(NOT NOUND_NODE)
    message(FATAL_ERROR "Node.js is not installed: install Node 20 or later with npm, then run `npm ci`.")
  endif()
  set(bundle "${CMAKE_CURRENT_BINARY_DIR}/${name}.js")
  set(tool "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/bundle.mjs")

  add_custom_command(
    OUTPUT "${bundle}"
    COMMAND "${NOUND_NODE}" "${tool}" ${nound_bundle_options} "${entry}" "${bundle}"
    DEPENDS "${tool}" "${CMAKE_CURRENT_SOURCE_DIR}/tsconfig.json" "${CMAKE_CURRENT_SOURCE_DIR}/package-lock.json"
    DEPFILE "${bundle}.d"
    COMMENT "Bundling ${name}.js"
    VERBATIM)
  add_custom_command(
    OUTPUT "${script}"
    COMMAND "${NOUND_EMBED}" ${nound_embed_form} "${bundle}" "${script}"
    DEPENDS "${bundle}" "${NOUND_EMBED}"
    COMMENT "Compiling ${name}.js to ${nound_embed_form}"
    VERBATIM)
endfunction()

function(nound_add_binary name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ENTRY" "MAIN")
  if(NOT arg_MAIN)
    set(arg_MAIN native/main.c)
  endif()
  nound_prebuilt_script(${name} script)
  if(NOT script)
    set(script "${CMAKE_CURRENT_BINARY_DIR}/${name}-script.c")
    nound_compile_script(${name} "${CMAKE_CURRENT_SOURCE_DIR}/${arg_ENTRY}" "${script}")
  endif()
  add_executable(${name} ${arg_MAIN} "${script}")
  target_include_directories(${name} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/native")
  target_link_libraries(${name} PRIVATE nound-native)
endfunction()
