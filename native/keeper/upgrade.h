/* Runs the file that has replaced the program's, with all that the keeper holds. The process stays the same one. */
#ifndef NOUND_UPGRADE_H
#define NOUND_UPGRADE_H

#include <stdbool.h>
#include <sys/types.h>

/* Runs the new file for another purpose, with these arguments. Returns without a new file, or if it cannot be run. */
void upgrade_run(char **argv);

/*
 * Runs the new file as the keeper, where the next server is to start. Returns as upgrade_run.
 * asker: the process that waits for an answer (reload_command.h), or 0.
 */
void upgrade_keeper(char **argv, pid_t asker);

/*
 * Takes what the program before this file has left. Returns false if that cannot be read: then the descriptors of lines
 * and sockets are open, and nobody knows which.
 */
bool upgrade_take_over(pid_t *asker);

#endif
