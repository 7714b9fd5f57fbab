#include "net/net_address.h"

#include <arpa/inet.h>
#include <grp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECTED "address" /* what the failure is called */

/* Reads 1 to 5 digits, at most 65535. */
static bool parse_port(const char *text, uint16_t *port) {
    size_t digits = strspn(text, "0123456789");
    if (digits < 1 || digits > 5 || text[digits] != '\0')
        return false;
    unsigned long number = strtoul(text, NULL, 10);
    *port = (uint16_t)number;
    return number <= UINT16_MAX;
}

bool net_address_split(const char *text, struct net_host *host) {
    host->is_v6 = text[0] == '[';
    const char *name = host->is_v6 ? text + 1 : text, *end = strstr(name, host->is_v6 ? "]:" : ":");
    size_t length = end ? (size_t)(end - name) : 0;
    if (length == 0 || length >= sizeof host->name || !parse_port(end + (host->is_v6 ? 2 : 1), &host->port))
        return false;
    memcpy(host->name, name, length);
    host->name[length] = '\0';
    return true;
}

bool net_address_set_path(struct sockaddr_un *local, const char *path) {
    size_t length = strlen(path);
    if (length >= sizeof local->sun_path)
        return false;
    local->sun_family = AF_UNIX;
    memcpy(local->sun_path, path, length + 1);
    return true;
}

/* Reads a group by its name in /etc/group or by its number. */
static bool parse_group(const char *text, gid_t *group) {
    size_t digits = strspn(text, "0123456789");
    if (digits > 0 && digits <= 9 && text[digits] == '\0') {
        *group = (gid_t)strtoul(text, NULL, 10);
        return true;
    }
    const struct group *entry = getgrnam(text);
    if (entry)
        *group = entry->gr_gid;
    return entry != NULL;
}

/* Cuts the options off the end of a path, which may itself hold commas. */
static const char *cut_options(char *path, struct net_address *address) {
    address->mode = 0600;
    for (char *comma = strrchr(path, ','); comma; comma = strrchr(path, ',')) {
        if (strncmp(comma, ",mode=", 6) == 0) {
            address->mode = (mode_t)strtoul(comma + 6, NULL, 8) & 0777;
        } else if (strncmp(comma, ",group=", 7) == 0) {
            address->has_group = true;
            if (!parse_group(comma + 7, &address->group))
                return "addressGroup";
        } else {
            break;
        }
        *comma = '\0';
    }
    return NULL;
}

static const char *parse_local(const char *text, struct net_address *address) {
    char path[sizeof address->local.sun_path + 128];
    size_t length = strlen(text);
    if (length >= sizeof path)
        return "addressPath";
    memcpy(path, text, length + 1);
    const char *reason = cut_options(path, address);
    if (reason)
        return reason;
    if (path[0] == '\0')
        return EXPECTED;
    if (!net_address_set_path(&address->local, path))
        return "addressPath";
    address->length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path) + 1);
    return NULL;
}

const char *net_address_parse(const char *text, struct net_address *address) {
    memset(address, 0, sizeof *address);
    if (strncmp(text, "unix:", 5) == 0)
        return parse_local(text + 5, address);
    struct net_host host;
    if (!net_address_split(text, &host))
        return EXPECTED;
    if (host.is_v6) {
        address->v6.sin6_family = AF_INET6;
        address->v6.sin6_port = htons(host.port);
        address->length = sizeof address->v6;
        return inet_pton(AF_INET6, host.name, &address->v6.sin6_addr) == 1 ? NULL : EXPECTED;
    }
    address->v4.sin_family = AF_INET;
    address->v4.sin_port = htons(host.port);
    address->length = sizeof address->v4;
    return inet_pton(AF_INET, host.name, &address->v4.sin_addr) == 1 ? NULL : EXPECTED;
}

struct net_endpoint net_endpoint_of(const struct sockaddr_storage *address) {
    struct net_endpoint endpoint = {.family = address->ss_family};
    if (address->ss_family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;
        memcpy(endpoint.host, &v4->sin_addr, sizeof v4->sin_addr);
        endpoint.port = ntohs(v4->sin_port);
    } else if (address->ss_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)address;
        memcpy(endpoint.host, &v6->sin6_addr, sizeof v6->sin6_addr);
        endpoint.port = ntohs(v6->sin6_port);
    }
    return endpoint;
}

struct net_endpoint net_endpoint_of_peer(int fd) {
    struct sockaddr_storage address = {0};
    socklen_t length = sizeof address;
    if (getpeername(fd, (struct sockaddr *)&address, &length) < 0)
        address.ss_family = AF_UNIX;
    return net_endpoint_of(&address);
}

void net_endpoint_print(const struct net_endpoint *endpoint, char text[NET_ENDPOINT_TEXT]) {
    char host[INET6_ADDRSTRLEN];
    bool is_ip = endpoint->family == AF_INET || endpoint->family == AF_INET6;
    if (!is_ip || !inet_ntop(endpoint->family, endpoint->host, host, sizeof host))
        snprintf(text, NET_ENDPOINT_TEXT, "unix");
    else
        snprintf(text,
                 NET_ENDPOINT_TEXT,
                 endpoint->family == AF_INET6 ? "[%s]:%u" : "%s:%u",
                 host,
                 (unsigned)endpoint->port);
}
