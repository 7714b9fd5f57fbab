/*
 * `nound --reload PID`: reloads a running nound, and waits until it serves again. It needs no engine. The answer is a
 * datagram to the abstract Unix socket nound-reload-PID of the process that has sent SIGHUP; without that socket, as of
 * kill(1), nothing happens.
 */
#ifndef NOUND_RELOAD_COMMAND_H
#define NOUND_RELOAD_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

/* Performs the command. Returns the exit status. */
int reload_command(const char *process);

/* Answers the process that has asked. */
void reload_answer(pid_t asker, bool is_reloaded);

#endif
