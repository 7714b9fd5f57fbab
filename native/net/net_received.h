/*
 * Received bytes as strings of the script. Most requests repeat the last one byte for byte, so its string is kept: to
 * make one of a short request takes 500 instructions.
 */
#ifndef NOUND_NET_RECEIVED_H
#define NOUND_NET_RECEIVED_H

#include <stddef.h>
#include <stdint.h>

#include <quickjs.h>

#define NET_RECEIVED_LONGEST 1024 /* bytes of a string that is kept; a browser's request has about 650 */

struct net;

struct net_received {
    JSValue string; /* held, or undefined */
    size_t length;
    uint8_t bytes[NET_RECEIVED_LONGEST];
};

/* Returns the string of at most BYTE_STRING_LIMIT bytes (byte_string.h), or an exception without memory. */
JSValue net_received_string(struct net *net, const uint8_t *bytes, size_t length);

/* Keeps no string any longer. */
void net_received_forget(struct net *net);

#endif
