#include "connector/target.h"

#include <arpa/inet.h>
#include <string.h>

#include "net/net_address.h"

#define EXPECTED "expected HOST:PORT, [IPv6]:PORT or unix:PATH"

static const char *parse_local(const char *path, struct target *target) {
    size_t length = strlen(path);
    if (length == 0)
        return EXPECTED;
    if (length >= sizeof target->local.sun_path)
        return "the path of a Unix socket has at most 107 bytes";
    target->kind = TARGET_LOCAL;
    target->local.sun_family = AF_UNIX;
    memcpy(target->local.sun_path, path, length + 1);
    return NULL;
}

const char *target_parse(const char *text, struct target *target) {
    struct in6_addr address;
    memset(target, 0, sizeof *target);
    if (strncmp(text, "unix:", 5) == 0)
        return parse_local(text + 5, target);
    bool is_v6 = text[0] == '[';
    const char *host = is_v6 ? text + 1 : text;
    const char *end = strstr(host, is_v6 ? "]:" : ":");
    size_t length = end ? (size_t)(end - host) : 0;
    if (length == 0 || length >= sizeof target->host || !net_address_port(end + (is_v6 ? 2 : 1), &target->port) ||
        target->port == 0)
        return EXPECTED;
    memcpy(target->host, host, length);
    if (is_v6 && inet_pton(AF_INET6, target->host, &address) != 1)
        return EXPECTED;
    target->kind = is_v6 || inet_pton(AF_INET, target->host, &address) == 1 ? TARGET_NUMERIC : TARGET_NAME;
    return NULL;
}
