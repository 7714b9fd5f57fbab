# Downloads from a release of Debian that may differ from the one on this machine. It uses the mirrors in apt's
# configuration, and an apt with its own folders. So it needs no rights and does not change the system's state.

# Leaves in `result` the addresses of the archives that apt knows, as it is set up on this machine. Suites with a dash
# are those of updates, which have no whole distribution.
function(nound_debian_mirrors result)
  execute_process(COMMAND "${NOUND_APT_GET}" indextargets --no-release-info --format "$(REPO_URI) $(RELEASE)"
                          "Created-By: Packages" "Component: main"
                  OUTPUT_VARIABLE lines ERROR_QUIET)
  string(REGEX MATCHALL "[^\n]+" lines "${lines}")
  list(FILTER lines EXCLUDE REGEX " [^ ]*-[^ ]*$|^cdrom:")
  list(TRANSFORM lines REPLACE " [^ ]*$" "")
  list(REMOVE_DUPLICATES lines)
  set(${result} "${lines}" PARENT_SCOPE)
endfunction()

# nound_debian_apt(<folder> <deb|deb-src> <suite> <wanted> <command>...): runs `apt-get <command>` in a folder, with a
# suite of each mirror in turn, until files named <wanted> (a pattern) are there. Without apt and Debian's keys it does
# nothing.
function(nound_debian_apt folder kind suite wanted)
  find_program(NOUND_APT_GET apt-get)
  mark_as_advanced(NOUND_APT_GET)
  file(GLOB keyring /usr/share/keyrings/debian-archive-keyring.gpg /usr/share/keyrings/debian-archive-keyring.pgp)
  if(NOT NOUND_APT_GET OR NOT keyring)
    return()
  endif()
  list(GET keyring 0 keyring)
  # apt's hooks for an update concern the system's state.
  file(CONFIGURE OUTPUT "${folder}/apt.conf" @ONLY CONTENT [=[
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
Dir::Etc::SourceList "@folder@/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::Etc::Preferences "/dev/null";
Dir::Etc::PreferencesParts "/dev/null";
Dir::State "@folder@/state";
Dir::State::status "/dev/null";
Dir::Cache "@folder@/cache";
APT::Sandbox::User "";
Acquire::Languages "none";
Acquire::Retries "1";
Acquire::http::Timeout "20";
Acquire::https::Timeout "20";
]=])
  nound_debian_mirrors(mirrors)
  foreach(mirror IN LISTS mirrors)
    file(WRITE "${folder}/sources.list" "${kind} [signed-by=${keyring}] ${mirror} ${suite} main\n")
    file(MAKE_DIRECTORY "${folder}/state/lists/partial" "${folder}/cache/archives/partial")
    execute_process(COMMAND "${NOUND_APT_GET}" -q -c "${folder}/apt.conf" update OUTPUT_QUIET ERROR_QUIET)
    execute_process(COMMAND "${NOUND_APT_GET}" -q -c "${folder}/apt.conf" ${ARGN}
                    WORKING_DIRECTORY "${folder}" OUTPUT_QUIET ERROR_QUIET)
    file(GLOB files "${folder}/${wanted}")
    if(files)
      return()
    endif()
  endforeach()
endfunction()
