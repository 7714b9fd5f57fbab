/*
 * The keeper: the process that the service manager knows. It forks the process with the nouns, the server, and holds
 * what must survive a reload: lines, listening sockets, locks. It has neither an engine nor a parser.
 *
 * A server may send it three messages, each a datagram of one letter and a key: K keeps a descriptor, or the key alone;
 * C claims what an earlier server has kept; R ends the start. From then on the keeper listens to it no more. What no
 * server has claimed by then is closed. There are no messages to a server: it inherits descriptors and keys by fork(2),
 * and learns of a reload by SIGHUP. It leaves states for the next server in a file in memory, which the keeper does not
 * read.
 *
 *     SIGHUP               forks a process that checks the configuration. If it succeeds, sends SIGHUP to the server
 *     the server ends      forks the next one. If that ends before its R, forks one with the previous configuration
 *     the server crashes   forks the next one, at most five times in a row
 *     SIGTERM, SIGINT      go to the server; the keeper ends with it, and as it did
 */
#ifndef NOUND_KEEPER_H
#define NOUND_KEEPER_H

#include <stdbool.h>
#include <stddef.h>

#define KEEPER_KEY_SIZE 200 /* bytes of a key with its end */

/*
 * Forks servers until they are over. Returns true in a process that is to run the program, with its arguments, which
 * for a check differ; false in the keeper, with the exit status. A command line that serves nothing has no keeper.
 */
bool keeper_run(int *argc, char ***argv, int *status);

/* In a server: the functions below do nothing, and find nothing, without a keeper. */

/* Returns whether this process has a keeper. */
bool keeper_exists(void);

/* Has the kernel end this process with its keeper. To be said again when the process has become another user. */
void keeper_end_with(void);

/* Returns whether an earlier server has left something. */
bool keeper_has_history(void);

/* Returns whether the configuration is the previous one, because the server with the new one has not started. */
bool keeper_is_fallback(void);

/* Claims a key without a descriptor. Returns whether an earlier server had it; it is kept from now on in any case. */
bool keeper_claim(const char *key);

/*
 * Claims a descriptor. Returns it, and the caller owns it; or -1.
 * prefix: of the key, if `key` is not NULL; then the whole key is put there (KEEPER_KEY_SIZE).
 */
int keeper_take(const char *prefix, char *key);

/* Has the keeper hold a duplicate. Of a key that is too long, or of too many, it holds none. */
void keeper_keep(const char *key, int fd);

/* Sets what is called at the end of the start with each descriptor that was not claimed. */
typedef void keeper_unclaimed(const char *key, int fd);
void keeper_on_unclaimed(keeper_unclaimed *unclaimed);

/* Ends the start. */
void keeper_ready(void);

/* Returns whether no other server needs what this one has: its start has ended, or it is the first one. */
bool keeper_has_started(void);

/* Says that the process ends for the next server: lines and sockets are to be left as they are. */
void keeper_begin_handing_over(void);
bool keeper_is_handing_over(void);

/* Leaves a text for the next server, and ends the process. Returns only if that fails. */
void keeper_hand_over(const char *text, size_t length);

/* Returns the text that the last server left, for free(3), or NULL. */
char *keeper_states(size_t *length);

#endif
