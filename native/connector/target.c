#include "connector/target.h"

#include <arpa/inet.h>
#include <string.h>
#define EXPECTED "expected HOST:PORT, [IPv6]:PORT or unix:PATH"

static const char *parse_local(const char *path, struct target *target) {
    target->kind = TARGET_LOCAL;
    if (path[0] == '\0')
        return EXPECTED;
    return net_address_set_path(&target->local, path) ? NULL : "the path of a Unix socket has at most 107 bytes";
}

const char *target_parse(const char *text, struct target *target) {
    struct net_host host;
    struct in6_addr address;
    memset(target, 0, sizeof *target);
    if (strncmp(text, "unix:", 5) == 0)
        return parse_local(text + 5, target);
    if (!net_address_split(text, &host) || host.port == 0 ||
        (host.is_v6 && inet_pton(AF_INET6, host.name, &address) != 1))
        return EXPECTED;
    target->kind = host.is_v6 || inet_pton(AF_INET, host.name, &address) == 1 ? TARGET_NUMERIC : TARGET_NAME;
    memcpy(target->host, host.name, strlen(host.name) + 1);
    target->port = host.port;
    return NULL;
}
