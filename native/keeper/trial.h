/*
 * The trial of a program that has replaced another one. If it dies MOST_TRIAL_DEATHS times within TRIAL_TIME, hangs
 * while it starts, or has not reached its broker within ONLINE_TIME, the program before it runs again.
 */
#ifndef NOUND_TRIAL_H
#define NOUND_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#define MOST_TRIAL_DEATHS 3
#define TRIAL_TIME 600000  /* ms */
#define ONLINE_TIME 120000 /* ms */

struct trial {
    int previous;      /* the program to go back to, or -1: there is no trial */
    int64_t until;     /* ms on CLOCK_MONOTONIC */
    int64_t online_by; /* the same; 0 if no broker is awaited */
    unsigned deaths;
    bool is_hung; /* it has not started in time */
};

/*
 * Begins with the program that this process ran before; without one, with the file <program>.previous, if that was made
 * within TRIAL_TIME: a package keeps it there where an update starts the service again.
 * previous: a descriptor, which the trial owns, or -1.
 */
void trial_begin(struct trial *trial, int previous);

/* Notes that a server has started. expects_online: it has a broker. */
void trial_started(struct trial *trial, bool expects_online);

/* Notes that the broker has accepted the device. */
void trial_online(struct trial *trial);

/* Notes the end of a server. how: of waitpid(2). Returns whether it was a death during a trial. */
bool trial_ended(struct trial *trial, int how);

/* Notes that a server has not started in time. */
void trial_hung(struct trial *trial);

/* Returns why the program is to be given up, for a line of the log, or NULL. */
const char *trial_failure(const struct trial *trial);

/* Returns ms until trial_failure is to be asked, or -1. It also ends a trial that was passed. */
int trial_wait(struct trial *trial);

/* Ends the trial. Returns the program before, which the caller owns, or -1. */
int trial_end(struct trial *trial);

#endif
