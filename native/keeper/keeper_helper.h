/*
 * The helpers of a server: its connector (connector/connector.h) and its acceptor (acceptor/acceptor.h). The keeper
 * forks them, because a server has read passwords. It forks another connector when one has ended: at once the first
 * time, and then once a minute at most. An acceptor's server starts again without it, because the listening sockets
 * come from there. The keeper reads nothing that a helper says.
 */
#ifndef NOUND_KEEPER_HELPER_H
#define NOUND_KEEPER_HELPER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "keeper/keeper_message.h"

/* Runs a helper in a new process. asker: its end of the pair. parent: the keeper. plan: the file. */
typedef void keeper_run_helper(int asker, pid_t parent, int plan);

struct keeper_helper {
    enum keeper_helper_kind kind;
    keeper_run_helper *run;
    int plan;      /* the server's file in memory, or -1: there is no helper to be started */
    pid_t process; /* or 0 */
    int64_t due;   /* ms on CLOCK_MONOTONIC: no other one is started earlier */
};

/* Starts a helper for a server, and passes the server the descriptor to ask it by. Owns the plan. */
void keeper_helper_begin(struct keeper_helper *helper, int plan);

/* Starts another one if one is due. */
void keeper_helper_continue(struct keeper_helper *helper);

/* Returns ms until another one is due, or -1 if none is. */
int keeper_helper_wait(const struct keeper_helper *helper);

/* Notes the end of a process. Returns whether it was this helper. */
bool keeper_helper_ended(struct keeper_helper *helper, pid_t process);

/* The server has ended: ends its connector. Its acceptor ends by itself, once its clients have what was written. */
void keeper_helper_end(struct keeper_helper *helper);

#endif
