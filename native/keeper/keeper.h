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

#include "keeper/keeper_key.h"

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

/* Returns whether a key is kept. */
bool keeper_holds(const char *key);

/* Claims a key without a descriptor, and keeps it in any case. */
void keeper_claim(const char *key);

/*
 * Claims a descriptor. Returns it, and the caller owns it; or -1.
 * prefix: of the key, if `key` is not NULL; then the whole key is put there (KEEPER_KEY_SIZE).
 */
int keeper_take(const char *prefix, char *key);

/* Has the keeper hold a duplicate. Of a key that is too long, or of too many, it holds none. fd: or -1, the key alone.
 */
void keeper_keep(const char *key, int fd);

/* Finds a key without a descriptor that an earlier server kept, once. Returns what follows the prefix, or NULL. */
const char *keeper_inherit(const char *prefix);

/* Sets what is called at the end of the start with each descriptor that was not claimed. */
typedef void keeper_unclaimed(const char *key, int fd);
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

/* In a server, leaves a text for the next one; in a check, the token file. Ends the process, or fails and returns. */
void keeper_hand_over(const char *text, size_t length);

/* Returns the text that the last server left, for free(3), or NULL. */
char *keeper_states(size_t *length);

/* Returns the token file that a check has left, once, for free(3), or NULL. */
char *keeper_tokens(size_t *length);

/* Returns ms between two feedings of the service manager's watchdog, or 0 without one. */
uint64_t keeper_feeding_interval(void);

/* Feeds it. */
void keeper_feed(void);

#endif
