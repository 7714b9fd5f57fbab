/*
 * The keeper: the process that the service manager knows. It forks the process with the nouns, the server, and holds
 * what must survive a reload: lines, listening sockets, locks. It has neither an engine nor a parser.
 *
 * What a server may send it stands in keeper_message.h; the table `requests` of keeper_process.c has what the keeper
 * does. A server inherits descriptors and keys by fork(2), and learns of a reload by SIGHUP; the one message to it has
 * a helper with it. Records are left in a file in memory, which the keeper does not read: the nouns' states by a
 * server for the next one, a new token file by a check for the server that runs.
 *
 *     SIGHUP               forks a process that checks the configuration. If it succeeds, sends SIGHUP to the server
 *     the server ends      forks the next one. If that ends before its READY, forks one with the previous configuration
 *     the connector ends   forks the next one, at most one a minute
 *     the server crashes   forks the next one, at most five times in a row
 *     SIGTERM, SIGINT      go to the server; the keeper ends with it, and as it did
 *
 * If the program's file was replaced, the check runs the new one, and at the reload so does the keeper (upgrade.h).
 */
#ifndef NOUND_KEEPER_PROCESS_H
#define NOUND_KEEPER_PROCESS_H

#include <stdbool.h>

#include "keeper/keeper_helper.h"

/*
 * Forks servers until they are over. Returns true in a process that is to run the program, with its arguments, which
 * for a check differ; false in the keeper, with the exit status. A command line that serves nothing has no keeper.
 * run_helpers: what each helper is.
 */
bool keeper_run(int *argc, char ***argv, keeper_run_helper *const run_helpers[KEEPER_HELPERS], int *status);

#endif
