#define _GNU_SOURCE 1
#include "net/net_address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "net/socket_lock.h"

/*
 * Connections that wait to be accepted, as far as net.core.somaxconn lets them. When there is no room, the kernel
 * ignores a new connection, and the client tries again after a second. musl's SOMAXCONN, 128, is too small for a burst.
 */
#define BACKLOG 512

#define EXPECTED "expected ADDRESS:PORT, [IPv6]:PORT or unix:PATH"

/* Reads a port: 1 to 5 digits, at most 65535. */
static bool parse_port(const char *text, in_port_t *port) {
    size_t digits = strspn(text, "0123456789");
    if (digits < 1 || digits > 5 || text[digits] != '\0')
        return false;
    unsigned long number = strtoul(text, NULL, 10);
    if (number > UINT16_MAX)
        return false;
    *port = htons((uint16_t)number);
    return true;
}

/* Reads 3 or 4 octal digits, 0777 at most. */
static bool parse_mode(const char *text, mode_t *mode) {
    size_t digits = strspn(text, "01234567");
    if (digits < 3 || digits > 4 || text[digits] != '\0')
        return false;
    unsigned long number = strtoul(text, NULL, 8);
    *mode = (mode_t)number;
    return number <= 0777;
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
            if (!parse_mode(comma + 6, &address->mode))
                return "the mode of a Unix socket has three octal digits, such as 0660";
        } else if (strncmp(comma, ",group=", 7) == 0) {
            address->has_group = true;
            if (!parse_group(comma + 7, &address->group))
                return "there is no such group in /etc/group";
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
        return "the path of a Unix socket has at most 107 bytes";
    memcpy(path, text, length + 1);
    const char *reason = cut_options(path, address);
    if (reason)
        return reason;
    length = strlen(path);
    if (length == 0)
        return EXPECTED;
    if (length >= sizeof address->local.sun_path)
        return "the path of a Unix socket has at most 107 bytes";
    address->local.sun_family = AF_UNIX;
    memcpy(address->local.sun_path, path, length + 1);
    address->length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1);
    return NULL;
}

const char *net_address_parse(const char *text, struct net_address *address) {
    memset(address, 0, sizeof *address);
    if (strncmp(text, "unix:", 5) == 0)
        return parse_local(text + 5, address);
    bool is_v6 = text[0] == '[';
    const char *host = is_v6 ? text + 1 : text;
    const char *end = strstr(host, is_v6 ? "]:" : ":");
    char copy[INET6_ADDRSTRLEN];
    if (!end || (size_t)(end - host) >= sizeof copy)
        return EXPECTED;
    memcpy(copy, host, (size_t)(end - host));
    copy[end - host] = '\0';
    if (is_v6) {
        address->v6.sin6_family = AF_INET6;
        address->length = sizeof address->v6;
        bool read =
            inet_pton(AF_INET6, copy, &address->v6.sin6_addr) == 1 && parse_port(end + 2, &address->v6.sin6_port);
        return read ? NULL : EXPECTED;
    }
    address->v4.sin_family = AF_INET;
    address->length = sizeof address->v4;
    bool read = inet_pton(AF_INET, copy, &address->v4.sin_addr) == 1 && parse_port(end + 1, &address->v4.sin_port);
    return read ? NULL : EXPECTED;
}

static const char *reason_of(int error) {
    switch (error) {
    case EADDRINUSE:
        return "the address is in use by another program";
    case EADDRNOTAVAIL:
        return "this device does not have that address";
    case EACCES:
    case EPERM:
        return "this user may not do that; a port below 1024 needs the capability CAP_NET_BIND_SERVICE, a path needs a "
               "folder "
               "that the user may write to";
    case EAFNOSUPPORT:
        return "this kernel does not know that kind of address";
    case ENOENT:
    case ENOTDIR:
        return "there is no such folder to make the socket in";
    case EROFS:
        return "the folder is on a file system that is read-only";
    case EMFILE:
    case ENFILE:
        return "too many files are open";
    default:
        return strerror(error);
    }
}

/* Sets what an IP socket needs. Returns 0, or -1 with errno set. */
static int set_options(int fd, int family) {
    int on = 1;
    /* This makes a port available at once, even if connections of an earlier process are still in TIME_WAIT. */
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) < 0)
        return -1;
    /* On Linux, each accepted connection inherits this option, which saves one system call for each. */
    if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) < 0)
        return -1;
    /* [::] means IPv6 alone, whatever net.ipv6.bindv6only says, so that the program can also listen on 0.0.0.0. */
    return family == AF_INET6 ? setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) : 0;
}

/*
 * Finds out what is at the path of a Unix socket. The file of a socket outlives the program that bound it; then nothing
 * answers on it. Returns NULL for such a stale socket, else why the file must stay.
 */
static const char *why_not_stale(const struct net_address *address) {
    struct stat status;
    if (lstat(address->local.sun_path, &status) < 0)
        return reason_of(errno);
    if (!S_ISSOCK(status.st_mode))
        return "a file that is not a socket has that path";
    /* Non-blocking, because a connect to a live socket with a full backlog would wait. With this, unix(7) returns
     * EAGAIN instead. */
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return reason_of(errno);
    int error = connect(fd, &address->any, address->length) < 0 ? errno : 0;
    close(fd);
    if (error == ECONNREFUSED)
        return NULL;
    return error == EACCES ? "another user's socket has that path" : reason_of(EADDRINUSE);
}

/* Binds with the final mode of the path. A later change could hit another file that was put in its place. */
static bool bind_path(int fd, const struct net_address *address) {
    mode_t before = umask(0777 & ~address->mode);
    bool bound = bind(fd, &address->any, address->length) == 0;
    umask(before); /* changes no errno */
    return bound;
}

static bool bind_local(int fd, const struct net_address *address, const char **reason) {
    if (bind_path(fd, address))
        return true;
    *reason = errno == EADDRINUSE ? why_not_stale(address) : reason_of(errno);
    if (*reason)
        return false;
    if (unlink(address->local.sun_path) == 0 && bind_path(fd, address))
        return true;
    *reason = reason_of(errno);
    return false;
}

/* Gives a socket that was just bound to its group, and never another file that was put in its place. */
static const char *give_to_group(int path, const struct net_address *address) {
    struct stat status;
    if (fstat(path, &status) < 0)
        return strerror(errno);
    if (!S_ISSOCK(status.st_mode) || status.st_nlink != 1 || status.st_uid != geteuid())
        return "another file took its place";
    if (fchownat(path, "", (uid_t)-1, address->group, AT_EMPTY_PATH) == 0)
        return NULL;
    return errno == EPERM ? "this user may not give the socket to that group, because the user is not in it"
                          : strerror(errno);
}

/* Sets who may connect. Nobody can connect before the socket listens, so at no moment can too many users connect. */
static const char *admit(const struct net_address *address) {
    if (!address->has_group)
        return NULL;
    int path = open(address->local.sun_path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (path < 0)
        return strerror(errno);
    const char *reason = give_to_group(path, address);
    close(path);
    return reason;
}

/* Binds a Unix socket and has it listen. The path is locked. Returns NULL, or why not. */
static const char *listen_locally(int fd, const struct net_address *address) {
    const char *reason = NULL;
    if (!bind_local(fd, address, &reason))
        return reason;
    reason = admit(address);
    if (!reason && listen(fd, BACKLOG) < 0)
        reason = reason_of(errno);
    if (reason)
        unlink(address->local.sun_path);
    return reason;
}

/* Locks the path of a Unix socket, then as above. */
static const char *lock_and_listen(int fd, const struct net_address *address, int *lock) {
    const char *path = address->local.sun_path;
    *lock = socket_lock_take(path);
    if (*lock < 0)
        return reason_of(errno == EWOULDBLOCK ? EADDRINUSE : errno);
    const char *reason = listen_locally(fd, address);
    if (reason) {
        socket_lock_release(*lock, AT_FDCWD, path);
        *lock = -1;
    }
    return reason;
}

/* Returns NULL, or why the address cannot be listened on. Of two that bound one port, the second to listen fails. */
static const char *listen_on_port(int fd, const struct net_address *address) {
    bool listens = set_options(fd, address->any.sa_family) == 0 && bind(fd, &address->any, address->length) == 0 &&
                   listen(fd, BACKLOG) == 0;
    return listens ? NULL : reason_of(errno);
}

int net_address_listen(const struct net_address *address, int *lock, const char **reason) {
    int family = address->any.sa_family;
    int fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    *lock = -1;
    if (fd < 0) {
        *reason = reason_of(errno);
        return -1;
    }
    *reason = family == AF_UNIX ? lock_and_listen(fd, address, lock) : listen_on_port(fd, address);
    if (!*reason)
        return fd;
    close(fd);
    return -1;
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
