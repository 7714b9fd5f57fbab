/* A client of the fuzzed server: one connection over a real socket of this process. */
#ifndef NOUND_FUZZ_CLIENT_H
#define NOUND_FUZZ_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

#include "answers.h"

struct client {
    bool open;      /* `fd` is a connected socket */
    bool finished;  /* FIN was sent */
    bool deaf;      /* takes no answers off the socket */
    bool lost;      /* reset by either side, or deaf for a time: answers may be missing or cut off */
    bool connected; /* ever */
    bool awaits;    /* may have asked for a stream, which reads nouns before it opens, each new one, too */
    size_t matched; /* characters of a stream's type that were sent last */
    int fd;
    struct answers answers;
};

/* Connects, to `unix:PATH` or to a port of 127.0.0.1. */
void client_open(struct client *client, const char *address);

/* Sends bytes, as far as the kernel takes them. */
void client_send(struct client *client, const char *bytes, size_t length);

/* Takes and judges what has come, unless it is deaf. Returns whether there was anything. */
bool client_receive(struct client *client);

/* Sends FIN. */
void client_finish(struct client *client);

/* Vanishes: over TCP with RST, over a Unix socket as if by it where answers are unread. */
void client_reset(struct client *client);

#endif
