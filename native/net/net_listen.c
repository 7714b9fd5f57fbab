#define _GNU_SOURCE 1
#include "net/net_listen.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/log_output.h"
#include "keeper/keeper.h"
#include "net/socket_lock.h"

/*
 * Connections that wait to be accepted, as far as net.core.somaxconn lets them. When there is no room, the kernel
 * ignores a new connection, and the client tries again after a second. musl's SOMAXCONN, 128, is too small for a burst.
 */
#define BACKLOG 512

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
 * answers on it. Returns whether it is such a stale socket; otherwise sets errno.
 */
static bool is_stale(const struct net_address *address, const char **what) {
    struct stat status;
    if (lstat(address->local.sun_path, &status) < 0)
        return false;
    if (!S_ISSOCK(status.st_mode)) {
        *what = "listenFile";
        return false;
    }
    /* Non-blocking, because a connect to a live socket with a full backlog would wait. With this, unix(7) returns
     * EAGAIN instead. */
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return false;
    int error = connect(fd, &address->any, address->length) < 0 ? errno : 0;
    close(fd);
    if (error == EACCES)
        *what = "listenForeign";
    errno = EADDRINUSE;
    return error == ECONNREFUSED;
}

/* Binds with the final mode of the path. A later change could hit another file that was put in its place. */
static bool bind_path(int fd, const struct net_address *address) {
    mode_t before = umask(0777 & ~address->mode);
    bool bound = bind(fd, &address->any, address->length) == 0;
    umask(before); /* changes no errno */
    return bound;
}

static bool bind_local(int fd, const struct net_address *address, const char **what) {
    return bind_path(fd, address) || (errno == EADDRINUSE && is_stale(address, what) &&
                                      unlink(address->local.sun_path) == 0 && bind_path(fd, address));
}

/* Gives a socket that was just bound to its group, and never another file that was put in its place. */
static bool give_to_group(int path, const struct net_address *address, const char **what) {
    struct stat status;
    if (fstat(path, &status) < 0)
        return false;
    *what = "listenReplaced";
    if (!S_ISSOCK(status.st_mode) || status.st_nlink != 1 || status.st_uid != geteuid())
        return false;
    const bool is_given = fchownat(path, "", (uid_t)-1, address->group, AT_EMPTY_PATH) == 0;
    *what = is_given ? "listen" : "listenGroup";
    return is_given;
}

/* Sets who may connect. Nobody can connect before the socket listens, so at no moment can too many users connect. */
static bool admit(const struct net_address *address, const char **what) {
    if (!address->has_group)
        return true;
    int path = open(address->local.sun_path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    const bool is_given = path >= 0 && give_to_group(path, address, what);
    descriptor_close(path);
    return is_given;
}

/* Binds a Unix socket and has it listen. The path is locked. */
static bool listen_locally(int fd, const struct net_address *address, const char **what) {
    if (!bind_local(fd, address, what))
        return false;
    if (admit(address, what) && listen(fd, BACKLOG) == 0)
        return true;
    int error = errno;
    unlink(address->local.sun_path);
    errno = error;
    return false;
}

/* Locks the path of a Unix socket, then as above. */
static bool lock_and_listen(int fd, const struct net_address *address, int *lock, const char **what) {
    const char *path = address->local.sun_path;
    *lock = socket_lock_take(path);
    if (*lock < 0) {
        errno = errno == EWOULDBLOCK ? EADDRINUSE : errno;
        return false;
    }
    if (listen_locally(fd, address, what))
        return true;
    int error = errno;
    socket_lock_release(*lock, AT_FDCWD, path);
    *lock = -1;
    errno = error;
    return false;
}

/* Binds to an address that this device may get later, such as by DHCP. It answers from that moment on. */
static bool bind_early(int fd, const struct net_address *address, const char *text) {
    int on = 1;
    if (setsockopt(fd, IPPROTO_IP, IP_FREEBIND, &on, sizeof on) < 0 || bind(fd, &address->any, address->length) < 0)
        return false;
    log_output_print("%s: this device does not have this address yet: nound answers there as soon as it does", text);
    return true;
}

/* Of two sockets that bound one port, the second to listen fails. */
static bool listen_on_port(int fd, const struct net_address *address, const char *text) {
    if (set_options(fd, address->any.sa_family) < 0)
        return false;
    const bool is_bound =
        bind(fd, &address->any, address->length) == 0 || (errno == EADDRNOTAVAIL && bind_early(fd, address, text));
    return is_bound && listen(fd, BACKLOG) == 0;
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

int net_listen_on(const struct net_address *address, const char *text, int *lock, const char **what) {
    int family = address->any.sa_family;
    int fd = take_over(text, family == AF_UNIX, lock);
    bool listens = fd >= 0;
    *what = "listen";
    if (!listens && (fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) >= 0)
        listens = family == AF_UNIX ? lock_and_listen(fd, address, lock, what) : listen_on_port(fd, address, text);
    if (listens) {
        keep(KEEPER_LISTENER, text, fd);
        keep(KEEPER_LOCK, text, *lock);
        return fd;
    }
    descriptor_close(fd);
    return -1;
}
