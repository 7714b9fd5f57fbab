/* Runs the file that has replaced the program's, with all that the keeper holds. The process stays the same one. */
#ifndef NOUND_UPGRADE_H
#define NOUND_UPGRADE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Opens the file that has replaced the program's, to be run. Returns its descriptor; -1 if the file is the same one, or
 * a program that was given up.
 * Only a program that can take over is run, and root runs only what it would trust as a configuration (file_trust.h):
 * otherwise `refused` is set, and a line of the log says why.
 */
int upgrade_open(bool *refused);

/* Runs that file for a check, with these arguments. Returns if it cannot be run. */
void upgrade_run(int program, char **argv);

/*
 * Opens <program>.previous, which an installer has kept. made_after: in s since 1970. Returns its descriptor; -1 if
 * there is none, if it is older, or if root cannot trust it.
 */
int upgrade_open_previous(int64_t made_after);

/*
 * Runs it as the keeper, where the next server is to start. Returns as upgrade_run.
 * asker: the process that waits for an answer (reload_command.h), or 0. goes_back: the program of this process is given
 * up; otherwise the next one can go back to it.
 */
void upgrade_keeper(int program, char **argv, pid_t asker, bool goes_back);

/*
 * Takes what the program before this file has left. Returns false if that cannot be read: then the descriptors of lines
 * and sockets are open, and nobody knows which.
 * previous: receives the program before, to go back to, which the caller owns, or -1.
 */
bool upgrade_take_over(pid_t *asker, int *previous);

#endif
