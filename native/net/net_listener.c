/* The class Listener of `nound:net` (ts/native/net.ts): a listening socket. While it is open the loop holds its object.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "engine/handle.h"
#include "keeper/keeper.h"
#include "loop/loop.h"
#include "net/net.h"
#include "net/socket_lock.h"

#define ACCEPTS_A_TURN 32 /* so that a flood of connections does not starve those that are open */
#define PAUSE 100         /* ms without accepting, when the kernel has nothing left to accept with */

struct listener {
    struct handle_hold hold;     /* its callback is onAccept */
    struct loop_watcher watcher; /* its descriptor is -1 once closed */
    struct loop_timer pause;
    struct net *net;
    struct stat identity; /* identifies the file of a Unix socket, which others may have replaced since */
    int folder;           /* the folder of the path, to remove the path although files are restricted; or -1 */
    int lock;             /* on the path (socket_lock.h), or -1 */
    char address[];       /* as bound */
};

static bool is_open(const struct listener *listener) {
    return listener->watcher.fd >= 0;
}

static bool is_local(const struct listener *listener) {
    return strncmp(listener->address, "unix:", 5) == 0;
}

static const char *path_of(const struct listener *listener) {
    return listener->address + strlen("unix:");
}

/* Opens the folder of a Unix socket (landlock.h says what for). Without it, the path is removed by its whole name. */
static int open_folder(const char *path) {
    char folder[sizeof((struct sockaddr_un *)0)->sun_path + 1];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    return open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static void remove_path(const struct listener *listener) {
    struct stat status;
    const char *path = path_of(listener), *slash = strrchr(path, '/');
    const char *name = listener->folder >= 0 && slash ? slash + 1 : path;
    int folder = listener->folder >= 0 ? listener->folder : AT_FDCWD;
    if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_dev == listener->identity.st_dev &&
        status.st_ino == listener->identity.st_ino)
        unlinkat(folder, name, 0); /* where this is not allowed, the stale socket is replaced at the next start */
    if (listener->lock >= 0)
        socket_lock_release(listener->lock, folder, name);
}

static void close_descriptor(struct listener *listener) {
    loop_stop_timer(listener->net->runtime->loop, &listener->pause);
    if (is_local(listener) && !keeper_is_handing_over())
        remove_path(listener);
    descriptor_close(listener->folder);
    /* The keeper has a duplicate, on which clients would wait in vain. After a reload that fails it needs that. */
    if (keeper_has_started() && !keeper_is_handing_over())
        (void)shutdown(listener->watcher.fd, SHUT_RDWR);
    loop_close(listener->net->runtime->loop, &listener->watcher);
}

static void close_listener(void *closing) {
    struct listener *listener = closing;
    if (!is_open(listener))
        return;
    JSContext *context = listener->net->runtime->context;
    close_descriptor(listener);
    handle_set_callback(context, &listener->hold, JS_UNDEFINED);
    handle_let_go(context, &listener->hold);
}

static void pause_accepting(struct listener *listener) {
    if (loop_start_timer(listener->net->runtime->loop, &listener->pause, PAUSE))
        loop_rewatch(listener->net->runtime->loop, &listener->watcher, 0);
}

static void resume_accepting(struct loop_timer *timer) {
    struct listener *listener = owner_of(timer, struct listener, pause);
    loop_rewatch(listener->net->runtime->loop, &listener->watcher, EPOLLIN);
}

static void hold_reserve(struct net *net) {
    if (net->reserve < 0)
        net->reserve =
            eventfd(0, EFD_CLOEXEC); /* a file without a path, because files with a path may be out of reach */
}

/*
 * Refuses a connection when the process may not open another file. Level-triggered epoll would report it for ever, and
 * the loop would spin. So this function closes the reserve descriptor, accepts the connection and closes it. Returns
 * false if there is no reserve.
 */
static bool shed_connection(struct listener *listener) {
    struct net *net = listener->net;
    if (net->reserve < 0)
        return false;
    close(net->reserve);
    net->reserve = -1;
    int fd = accept4(listener->watcher.fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    descriptor_close(fd);
    hold_reserve(net);
    return fd >= 0 && net->reserve >= 0;
}

static void deliver(struct listener *listener, int fd, const struct sockaddr_storage *address) {
    struct net *net = listener->net;
    JSContext *context = net->runtime->context;
    struct net_endpoint peer = net_endpoint_of(address);
    JSValue socket = net_socket_new(net, fd, &peer);
    if (JS_IsException(socket)) { /* no memory: the connection is closed already */
        JS_FreeValue(context, JS_GetException(context));
        return;
    }
    bool returned = runtime_call(net->runtime, listener->hold.callback, 1, (JSValueConst[]){socket});
    net_stream_start(net, socket, !returned);
    JS_FreeValue(context, socket);
}

/* Handles an error of accept(2). Returns true if the next connection can be accepted. */
static bool accept_failed(struct listener *listener, int error) {
    switch (error) {
    case EINTR:
    case ECONNABORTED: /* the peer gave up before it was accepted */
    /* Linux passes errors of the connection on to accept; accept(2) says to treat them like EAGAIN by retrying. */
    case EPROTO:
    case ENOPROTOOPT:
    case ENETDOWN:
    case ENETUNREACH:
    case EHOSTDOWN:
    case EHOSTUNREACH:
    case ENONET:
    case EOPNOTSUPP:
    case EPERM: /* a firewall's doing */
    case ETIMEDOUT:
        return true;
    case EAGAIN:
        return false;
    case EMFILE:
    case ENFILE:
        if (shed_connection(listener))
            return true;
        break;
    default:
        break; /* ENOBUFS, ENOMEM, or undocumented errors */
    }
    pause_accepting(listener);
    return false;
}

static void listener_ready(struct loop_watcher *watcher, uint32_t events) {
    (void)events;
    struct listener *listener = owner_of(watcher, struct listener, watcher);
    JSContext *context = listener->net->runtime->context;
    JSValue held = JS_DupValue(context, listener->hold.handle); /* a callback may close it */
    for (int i = 0; i < ACCEPTS_A_TURN && is_open(listener); i++) {
        struct sockaddr_storage address = {0};
        socklen_t length = sizeof address;
        int fd = accept4(watcher->fd, (struct sockaddr *)&address, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd >= 0)
            deliver(listener, fd, &address);
        else if (!accept_failed(listener, errno))
            break;
    }
    JS_FreeValue(context, held);
}

/* Returns a listener that knows its address as bound, or NULL with errno set. */
static struct listener *new_listener(struct net *net, int fd, const struct net_address *address) {
    char text[sizeof "unix:" + sizeof address->local.sun_path];
    if (address->any.sa_family == AF_UNIX) {
        snprintf(text, sizeof text, "unix:%s", address->local.sun_path);
    } else {
        struct sockaddr_storage bound;
        socklen_t length = sizeof bound;
        if (getsockname(fd, (struct sockaddr *)&bound, &length) < 0)
            return NULL;
        struct net_endpoint endpoint = net_endpoint_of(&bound);
        net_endpoint_print(&endpoint, text);
    }
    struct listener *listener = calloc(1, sizeof *listener + strlen(text) + 1);
    if (!listener)
        return NULL;
    strcpy(listener->address, text);
    if (is_local(listener) && lstat(address->local.sun_path, &listener->identity) < 0) {
        free(listener);
        return NULL;
    }
    listener->folder = is_local(listener) ? open_folder(path_of(listener)) : -1;
    listener->watcher = (struct loop_watcher){.ready = listener_ready, .fd = fd};
    listener->pause.fired = resume_accepting;
    listener->net = net;
    return listener;
}

static void abandon(struct listener *listener, int fd, int lock, const struct net_address *address) {
    if (listener)
        descriptor_close(listener->folder);
    free(listener);
    if (lock >= 0) {
        unlink(address->local.sun_path);
        socket_lock_release(lock, AT_FDCWD, address->local.sun_path);
    }
    close(fd);
}

JSValue net_listener_new(struct net *net, int fd, int lock, const struct net_address *address, JSValueConst on_accept) {
    JSContext *context = net->runtime->context;
    struct listener *listener = new_listener(net, fd, address);
    if (!listener || !loop_watch(net->runtime->loop, &listener->watcher, EPOLLIN)) {
        int error = errno;
        abandon(listener, fd, lock, address);
        return JS_ThrowPlainError(context, "cannot listen: %s", strerror(error));
    }
    JSValue object = handle_new(context, HANDLE_LISTENER, listener);
    if (JS_IsException(object)) {
        loop_unwatch(net->runtime->loop, &listener->watcher);
        abandon(listener, fd, lock, address);
        return object;
    }
    listener->lock = lock;
    hold_reserve(net);
    handle_hold(context, HANDLE_LISTENER, &listener->hold, object);
    handle_set_callback(context, &listener->hold, on_accept);
    return object;
}

static const JSCFunctionListEntry members[] = {
    HANDLE_TEXT("address", HANDLE_LISTENER),
    HANDLE_CLOSE(HANDLE_LISTENER),
};

const struct handle_type net_listener_type = {"Listener",
                                              HANDLE_MEMBERS(members),
                                              HANDLE_HOLD,
                                              .text = offsetof(struct listener, address),
                                              .close = close_listener};
