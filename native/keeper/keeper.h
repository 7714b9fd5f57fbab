/*
 * What a server, and some of it a check, says to its keeper (keeper_process.h), and finds in the copy that it has of
 * the keeper's memory. Without a keeper, these functions do nothing, and find nothing.
 */
#ifndef NOUND_KEEPER_H
#define NOUND_KEEPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "keeper/keeper_message.h"

/* Returns whether this process has a keeper. */
bool keeper_exists(void);

/* Returns whether that is the keeper's process. A system call for it may not be allowed any more. */
bool keeper_is_process(pid_t id);

/* Has the kernel end this process with its keeper. To be said again when the process has become another user. */
void keeper_end_with(void);

/* Returns whether an earlier server has left something. */
bool keeper_has_history(void);

/* Returns whether the configuration is the previous one, because the server with the new one has not started. */
bool keeper_is_fallback(void);

/* Returns whether this process checks the configuration for a reload. */
bool keeper_is_checker(void);

/* Returns a key. number: of a line or a channel, or 0. A name that does not fit gives a key without one. */
struct keeper_key keeper_key_of(enum keeper_kind kind, const char *name, uint32_t number);

/* Makes a note. Returns false if it does not fit: then it is empty. */
bool keeper_note_set(struct keeper_note *note, const void *bytes, size_t length);

/* Has the keeper hold a duplicate of a descriptor. If that cannot be, a line on standard error says so. fd: or -1, the
 * key alone. */
void keeper_keep(const struct keeper_key *key, const struct keeper_note *note, int fd);

/* Has what an earlier server kept go on as it is. */
void keeper_claim(const struct keeper_key *key);

/* Returns the note of a key that an earlier server kept, or NULL. */
const struct keeper_note *keeper_note_of(const struct keeper_key *key);

/* Takes the descriptor that an earlier server kept. Returns it, and the caller owns it; or -1. It is to be claimed, or
 * kept again. */
int keeper_take(const struct keeper_key *key);

/*
 * Finds something of a kind that an earlier server kept without a descriptor, each once. Returns it, or NULL.
 * name: NULL for any.
 */
const struct keeper_key *keeper_inherit(enum keeper_kind kind, const char *name, uint32_t number,
                                        const struct keeper_note **note);

/* Sets what is called at the end of the start with each descriptor that was not claimed. */
typedef void keeper_unclaimed(const struct keeper_key *key, const struct keeper_note *note, int fd);
void keeper_on_unclaimed(keeper_unclaimed *unclaimed);

/* Ends the start. status: a sentence for the service manager. */
void keeper_ready(const char *status);

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
 * Leaves a record for another process: in a server for the next one, in a check for the server. Nobody reads it before
 * keeper_hand_over. Returns false with errno set: E2BIG above KEEPER_MOST_LEFT bytes in all.
 */
#define KEEPER_MOST_LEFT (64U * 1024 * 1024)
bool keeper_leave(const char *name, size_t name_length, const char *text, size_t length);

/* Begins to leave records again. */
void keeper_leave_nothing(void);

/* Ends the process for the one that reads its records. Returns, with errno set, only if that fails. */
void keeper_hand_over(void);

/* Says that the server goes on, because it cannot leave its records. */
void keeper_refuse(void);

/* Returns the records that a server before this one has left, for free(3), or NULL. */
char *keeper_states(size_t *length);

/* Likewise those that a check has left, once. */
char *keeper_tokens(size_t *length);

/* A record, and the bytes behind it. */
struct keeper_record {
    const char *name, *text, *rest;
    size_t name_length, text_length, rest_length;
};

/* Takes the first record of the rest, which an untrusted process has written. Returns false at the end. */
bool keeper_next_record(struct keeper_record *record);

/* Returns whether this process may ask its keeper for a connector: it has one, and its start is not over. */
bool keeper_may_connect(void);

/* Has the keeper start a connector. plan: a file in memory. Returns false with errno set. */
bool keeper_connect(int plan);

/*
 * Takes a connector that the keeper has started. Returns the descriptor to ask it by, which closes on exec, or -1 with
 * errno set. waits: for one; otherwise there may be none (EAGAIN).
 */
int keeper_take_connector(bool waits);

/* Returns the descriptor that is readable when there is a connector to take, or -1 if there will be none. */
int keeper_connector_channel(void);

/* Returns ms between two feedings of the service manager's watchdog, or 0 without one. */
uint64_t keeper_feeding_interval(void);

/* Feeds it. */
void keeper_feed(void);

#endif
