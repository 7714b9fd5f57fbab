#define _GNU_SOURCE 1
#include "net/net_listen.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keeper/keeper.h"
#include "net/socket_lock.h"

/*
 * Connections that wait to be accepted, as far as net.core.somaxconn lets them. When there is no room, the kernel
 * ignores a new connection, and the client tries again after a second. musl's SOMAXCONN, 128, is too small for a burst.
 */
#define BACKLOG 512

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
        return "this kernel does not support that kind of address";
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

/* Takes over the socket of a server before this one. Returns -1 without one. */
static int take_over(const char *text, bool is_local, int *lock) {
    *lock = is_local ? keeper_take(keeper_find(KEEPER_LOCK, text, 0)) : -1;
    return is_local && *lock < 0 ? -1 : keeper_take(keeper_find(KEEPER_LISTENER, text, 0));
}

static void keep(enum keeper_kind kind, const char *text, int fd) {
    const struct keeper_thing thing = keeper_thing_of(kind, text, 0, "", 0);
    if (fd >= 0)
        keeper_keep(&thing, fd);
}

int net_listen_on(const struct net_address *address, const char *text, int *lock, const char **reason) {
    int family = address->any.sa_family;
    int fd = take_over(text, family == AF_UNIX, lock);
    *reason = NULL;
    if (fd >= 0) {
        keep(KEEPER_LISTENER, text, fd);
        keep(KEEPER_LOCK, text, *lock);
        return fd;
    }
    fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    *lock = -1;
    if (fd < 0) {
        *reason = reason_of(errno);
        return -1;
    }
    *reason = family == AF_UNIX ? lock_and_listen(fd, address, lock) : listen_on_port(fd, address);
    if (!*reason) {
        keep(KEEPER_LISTENER, text, fd);
        keep(KEEPER_LOCK, text, *lock);
        return fd;
    }
    close(fd);
    return -1;
}
