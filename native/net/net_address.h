/* Addresses as people write them. Parses only text from the operator, never bytes from the network. */
#ifndef NOUND_NET_ADDRESS_H
#define NOUND_NET_ADDRESS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>

/* An address to listen on. */
struct net_address {
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
        struct sockaddr_un local;
    };
    socklen_t length;
    /* Of a Unix socket: who may connect. */
    mode_t mode;
    bool has_group;
    gid_t group;
};

/* One end of a connection, small enough to keep with each. */
struct net_endpoint {
    uint16_t family; /* AF_INET, AF_INET6 or AF_UNIX */
    uint16_t port;   /* in host byte order */
    uint8_t host[16];
};

/* Bytes that the text of any endpoint takes: `[v6]:port` and the NUL. */
#define NET_ENDPOINT_TEXT (INET6_ADDRSTRLEN + sizeof "[]:65535")

#define NET_HOST 256 /* bytes, with the NUL: a name has 253 characters (RFC 1035, 2.3.4) */

/* The two parts of `HOST:PORT` or `[v6]:PORT`. */
struct net_host {
    char name[NET_HOST];
    uint16_t port; /* in host byte order */
    bool is_v6;    /* in brackets */
};

/* Cuts a text into host and port. Neither is looked up. Returns false if it has not both. */
bool net_address_split(const char *text, struct net_host *host);

/* Sets the path of a Unix socket. Returns false if it is too long. */
bool net_address_set_path(struct sockaddr_un *local, const char *path);

/*
 * Reads `ADDRESS:PORT`, `[v6]:PORT` or `unix:PATH`, optionally followed by `,mode=0660` and `,group=NAME`. The mode is
 * 0600 by default; isListenAddress of ts/platform/listen-address.ts has judged its digits. Returns NULL, or what the
 * failure is called.
 */
const char *net_address_parse(const char *text, struct net_address *address);

/* Makes an endpoint of what accept(2) or getsockname(2) gave. */
struct net_endpoint net_endpoint_of(const struct sockaddr_storage *address);

/* Returns the endpoint of a connection's peer. */
struct net_endpoint net_endpoint_of_peer(int fd);

/* Writes `192.0.2.7:51234`, `[2001:db8::7]:51234` or `unix`. */
void net_endpoint_print(const struct net_endpoint *endpoint, char text[NET_ENDPOINT_TEXT]);

#endif
