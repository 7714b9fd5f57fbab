/* The connector as the fuzz target for processes asks it, and what sends messages to it: see fuzz-processes.c. */
#ifndef NOUND_FUZZ_CONNECTOR_H
#define NOUND_FUZZ_CONNECTOR_H

#include <stdbool.h>
#include <stddef.h>

/* Begins with two connections under way, the first of which is forged. */
void fuzz_connector_begin(unsigned target);

/* The sockets of the less trusted sides. */
int fuzz_connector_asker(void);
int fuzz_connector_forger(void);
int fuzz_connector_resolver(void);

/* Takes a message of each. */
void fuzz_connector_take_question(void);
void fuzz_connector_take_resolved(void);

/* Takes what is left. The honest connection must come through, and each question must have one answer. */
void fuzz_connector_end(void);

/* Whether fork(2) is to succeed, without another process. */
extern bool fuzz_connector_forks;

#endif
