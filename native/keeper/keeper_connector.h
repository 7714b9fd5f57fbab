/*
 * The connector of a server (connector/connector.h): the keeper forks it, because a server has read passwords, and
 * forks another one when it has ended, once a minute at most. The keeper reads nothing that a connector says.
 */
#ifndef NOUND_KEEPER_CONNECTOR_H
#define NOUND_KEEPER_CONNECTOR_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Runs a connector in a new process. asker: its end of the pair. parent: the keeper. plan: the file. */
typedef void keeper_run_connector(int asker, pid_t parent, int plan);

struct keeper_connector {
    keeper_run_connector *run;
    int plan;      /* the server's file in memory, or -1: the server has no connector */
    pid_t process; /* or 0 */
    int64_t due;   /* ms on CLOCK_MONOTONIC: no other is forked before */
};

/* Forks the connector of a plan. Owns the plan, which is -1 if too many files are open to receive it. */
void keeper_connector_begin(struct keeper_connector *connector, int plan);

/* Forks another one if that is due. */
void keeper_connector_continue(struct keeper_connector *connector);

/* Returns ms until another one is due, or -1. */
int keeper_connector_wait(const struct keeper_connector *connector);

/* Notes that a process has ended. Returns whether it was the connector. */
bool keeper_connector_ended(struct keeper_connector *connector, pid_t process);

/* Ends the connector, because its server has ended. */
void keeper_connector_end(struct keeper_connector *connector);

#endif
