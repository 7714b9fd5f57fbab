/*
 * What a server, and some of it a check, says to its keeper (keeper_process.h), and finds in the copy that it has of
 * the keeper's memory. Without a keeper, these functions do nothing, and find nothing.
 */
#ifndef NOUND_KEEPER_H
#define NOUND_KEEPER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "keeper/keeper_message.h"

/* Returns whether this process has a keeper. */
bool keeper_exists(void);

/* Returns whether that is the keeper's process. A system call for it may not be allowed any more. */
bool keeper_is_process(pid_t id);

/* Has the kernel end this process with its keeper. To be said again when the process has become another user. */
void keeper_end_with(void);

/* Returns whether an earlier server has left something. */
bool keeper_is_successor(void);

/* Returns whether the configuration is the previous one, because the server with the new one has not started. */
bool keeper_is_fallback(void);

/* Returns whether this process checks the configuration for a reload. */
bool keeper_is_checker(void);

/* Returns a thing to keep. note: `size` bytes. If something does not fit, the thing has no name, and is not kept. */
struct keeper_thing keeper_thing_of(enum keeper_kind kind, const char *name, uint32_t number, const void *note,
                                    size_t size);

/* Has the keeper hold a thing, and a duplicate of the descriptor, which may be -1. If that cannot be, the log has a
 * line. */
void keeper_keep(const struct keeper_thing *thing, int fd);

/* Finds what an earlier server kept and nobody has taken. name: or NULL for any. Returns NULL without one. */
const struct keeper_thing *keeper_find(enum keeper_kind kind, const char *name, uint32_t number);

/* Takes what was found, or NULL. To go on, it is to be kept again. Returns its descriptor, which the caller owns, or
 * -1. */
int keeper_take(const struct keeper_thing *found);

/* Returns the descriptor of what was found, which stays there, or -1. */
int keeper_descriptor(const struct keeper_thing *found);

/*
 * Ends what was found: closes its descriptor, and has the keeper close its own, before this returns. Returns false with
 * errno set.
 */
bool keeper_release(const struct keeper_thing *found);

/* Sets what is called at the end of the start with each descriptor that was not taken. */
void keeper_on_unclaimed(void (*unclaimed)(const struct keeper_thing *thing, int fd));

/*
 * Ends the start. status: a sentence for the service manager. expects_online: keeper_online is to follow. closing: ms
 * that requests may take when it hands over.
 */
void keeper_ready(const char *status, bool expects_online, uint32_t closing);

/* Says that a broker has accepted the device. */
void keeper_online(void);

/* Returns whether the program that replaced this one was given up (trial.h). */
bool keeper_has_gone_back(void);

/* Returns whether no other server needs what this one has: its start has ended, or it is the first one. */
bool keeper_has_started(void);

/* Says that the process ends for the next server. */
void keeper_begin_handing_over(void);

/*
 * Returns whether another server goes on with what this one has, if it ends now: hardware and sockets are then left as
 * they are. So it is when a start after a reload fails.
 */
bool keeper_is_handing_over(void);

/*
 * Leaves a text for another process, behind what was left before, unless it is the first one: a server for the next
 * one, a check for the server. Returns false with errno set: E2BIG above KEEPER_MOST_LEFT bytes in all.
 */
#define KEEPER_MOST_LEFT (64U * 1024 * 1024)
bool keeper_leave(const char *text, size_t length, bool is_first);

/*
 * Ends the process for the one that reads what it left. Returns false with errno set if that fails. goes_on: what was
 * left can be read, and the process does not end; returns true then.
 */
bool keeper_hand_over(bool goes_on);

/* Says that the server goes on, because it cannot leave its states. */
void keeper_refuse(void);

/* Says that the server goes on, and that the tokens count that a check has left. */
void keeper_admit(void);

/* Returns what the last server has left, for free(3), or NULL. */
char *keeper_states(size_t *length);

/* Returns what a check has left, once, for free(3), or NULL. */
char *keeper_tokens(size_t *length);

/* Returns whether this process may ask its keeper for a helper: it has a keeper, and its start is not over. */
bool keeper_may_help(void);

/* Has the keeper start a helper. plan: a file in memory. Returns false with errno set. */
bool keeper_start_helper(enum keeper_helper_kind helper, int plan);

/*
 * Takes a helper that the keeper has started. Returns the descriptor to ask it by, which closes on exec, or -1 with
 * errno set. waits: for one; otherwise there may be none (EAGAIN).
 */
int keeper_take_helper(enum keeper_helper_kind helper, bool waits);

/* Returns the descriptor that is readable when there is a connector to take, or -1 if there will be none. */
int keeper_connector_channel(void);

/* Returns ms between two feedings of the service manager's watchdog, or 0 without one. */
uint64_t keeper_feeding_interval(void);

/* Feeds it. */
void keeper_feed(void);

#endif
