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

/* Returns the process that waits for the answer to a SIGHUP; 0 for a SIGHUP of kill(1). */
pid_t reload_asker(const struct signalfd_siginfo *info);

/* Answers the process that has asked. */
void reload_answer(pid_t asker, bool is_reloaded);

#endif
