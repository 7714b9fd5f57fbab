# nound_refuse(<name> <sentence>...): ends the configuration with a sentence, and forgets the options that it is about,
# those of nound_<name>_options: the next configuration starts from the defaults again.
include_guard(GLOBAL)

function(nound_refuse name)
  foreach(option IN LISTS nound_${name}_options)
    unset(${option} CACHE)
  endforeach()
  string(CONCAT sentence ${ARGN})
  message(FATAL_ERROR "${sentence}")
endfunction()
