/* Wrong messages, as a process sends them that a stranger has taken over. */
#ifndef NOUND_FORGED_MESSAGE_H
#define NOUND_FORGED_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#define MOST_PASSED 3 /* descriptors in a message */

/* Begins the row of numbers that decide what is forged. */
void forged_seed(uint64_t seed);

/* Has a forked process draw other numbers than its siblings. */
void forged_vary(void);

/* Returns a number below the limit. */
unsigned forged_below(unsigned limit);

/* Returns a descriptor of one of several kinds, or -1. end_of_pair: returns one of a new pair of Unix sockets. */
int forged_descriptor(int (*end_of_pair)(int type));

/* Sends bytes with up to MOST_PASSED descriptors, and closes these. It does not wait. */
void forged_send(int fd, const void *bytes, size_t length, int *passed, size_t count);

/* Sends bytes with up to MOST_PASSED descriptors of any kind. end_of_pair: as for forged_descriptor. */
void forged_send_any(int fd, const void *bytes, size_t length, int (*end_of_pair)(int type));

/*
 * Uses each socket of messages that this process has: sends by it, takes what is for others, and ends it. most_open:
 * descriptors that it may have.
 */
void forged_attack(int most_open, void (*send_forgery)(int fd));

#endif
