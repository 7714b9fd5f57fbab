/* The addresses that the connector may connect to, as the configuration names them. */
#ifndef NOUND_TARGET_H
#define NOUND_TARGET_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/un.h>

#include "net/net_address.h"

#define MOST_TARGETS 32

/* A broker, for instance. */
struct target {
    enum target_kind {
        TARGET_NAME,    /* a host by its name, to be resolved */
        TARGET_NUMERIC, /* a host by its address */
        TARGET_LOCAL,   /* a Unix socket */
    } kind;
    char host[NET_HOST];
    uint16_t port; /* in host byte order */
    struct sockaddr_un local;
    uint32_t tls; /* which settings of TLS, from 1; 0 for none */
};

/*
 * Reads `HOST:PORT`, `ADDRESS:PORT`, `[v6]:PORT` or `unix:PATH`. Returns NULL, or what is wrong, as the end of a
 * sentence.
 */
const char *target_parse(const char *text, struct target *target);

#endif
