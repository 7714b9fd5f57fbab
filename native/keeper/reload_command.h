/*
 * `nound --reload PID`: reloads a running nound, and waits until it serves again. It needs no engine. Both sides speak
 * by signals with a value (sigqueue(3)), which the kernel passes only between processes that may end each other. There
 * is no socket or file whose name another user could take.
 */
#ifndef NOUND_RELOAD_COMMAND_H
#define NOUND_RELOAD_COMMAND_H

#include <stdbool.h>
#include <sys/signalfd.h>
#include <sys/types.h>

/* Performs the command. Returns the exit status. */
int reload_command(const char *process);

#define MOST_ASKERS 8

/* The processes that wait for the end of one reload. */
struct reload_askers {
    unsigned count;
    pid_t processes[MOST_ASKERS];
};

/*
 * Adds the process that waits for the answer to a SIGHUP, if there is one and room for it, and tells it that it was
 * heard. The kernel makes one signal of two that are pending, so a command that was not heard asks again.
 */
void reload_hear(struct reload_askers *askers, const struct signalfd_siginfo *info);

/* Answers the processes, and forgets them. */
void reload_answer(struct reload_askers *askers, bool is_reloaded);

/*
 * Returns the process that another program is to answer, which takes over for this one; or 0. All others of both lists
 * are told to ask again, and forgotten.
 */
pid_t reload_last_asker(struct reload_askers *askers, struct reload_askers *next);

#endif
