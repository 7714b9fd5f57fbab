/* The class SerialPort of `nound:serial` (ts/native/serial.ts): an open serial device. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "bus/serial.h"
#include "bus/serial_device.h"
#include "engine/handle.h"
#include "engine/interruption.h"
#include "loop/byte_queue.h"
#include "loop/loop.h"
#include "text/byte_string.h"

/* Bytes passed to the script at once: a line discipline holds at most so many. */
#define RECEIVE_SIZE 4096

/* An open device. While it is open the module holds its object. */
struct script_port {
    struct handle_hold hold;     /* its callback is the handler: an object, or null */
    struct loop_watcher watcher; /* its descriptor is -1 once closed */
    struct runtime *runtime;
    struct byte_queue unsent; /* what the kernel has not taken yet */
    bool broken;              /* writing failed; onGone is to come from the loop */
    char path[];              /* for people */
};

static bool is_open(const struct script_port *port) {
    return port->watcher.fd >= 0;
}

static bool has_unsent(const struct script_port *port) {
    return byte_queue_length(&port->unsent) > 0;
}

static uint32_t events_wanted(const struct script_port *port) {
    return (JS_IsNull(port->hold.callback) ? 0u : EPOLLIN) | (has_unsent(port) || port->broken ? EPOLLOUT : 0u);
}

static void close_port(void *closing) {
    struct script_port *port = closing;
    if (!is_open(port))
        return;
    JSContext *context = port->runtime->context;
    loop_unwatch(port->runtime->loop, &port->watcher);
    serial_device_close(port->watcher.fd);
    port->watcher.fd = -1;
    byte_queue_clear(&port->unsent);
    handle_set_callback(context, &port->hold, JS_NULL);
    handle_let_go(context, &port->hold); /* the last use of it: its memory may be gone now */
}

/* Calls a method of a handler, from the loop. */
static void tell(struct runtime *runtime, JSValueConst handler, enum handler_method method, int argc,
                 JSValueConst *argv) {
    if (JS_IsNull(handler))
        return;
    struct busy outer = interruption_enter(runtime);
    runtime_invoke(runtime, handler, runtime->methods[method], argc, argv);
    interruption_leave(runtime, outer);
}

/* Closes a device that is gone and tells its handler. Only from the loop; the caller holds the handle. */
static void gone(struct script_port *port) {
    struct runtime *runtime = port->runtime;
    JSValue handler = JS_DupValue(runtime->context, port->hold.callback);
    close_port(port);
    tell(runtime, handler, ON_GONE, 0, NULL);
    JS_FreeValue(runtime->context, handler);
}

/* Returns the bytes the kernel took, which may be 0; or -1 when the device is gone. */
static ssize_t write_some(const struct script_port *port, const char *bytes, size_t length) {
    const ssize_t written = UNINTERRUPTED(write(port->watcher.fd, bytes, length));
    return written < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? 0 : written;
}

static void send_unsent(struct script_port *port) {
    ssize_t written = write_some(port, byte_queue_first(&port->unsent), byte_queue_length(&port->unsent));
    if (written < 0) {
        gone(port);
        return;
    }
    byte_queue_drop(&port->unsent, (size_t)written);
    if (has_unsent(port))
        return;
    loop_rewatch(port->runtime->loop, &port->watcher, events_wanted(port));
    tell(port->runtime, port->hold.callback, ON_DRAIN, 0, NULL);
}

static void receive(struct script_port *port) {
    JSContext *context = port->runtime->context;
    uint8_t received[RECEIVE_SIZE];
    ssize_t length = read(port->watcher.fd, received, sizeof received);
    if (length < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
        return;
    /* 0, or EIO from a terminal whose other end is closed */
    JSValue bytes = length > 0 ? byte_string_new(context, received, (size_t)length) : JS_UNDEFINED;
    if (length <= 0 || JS_IsException(bytes)) { /* without memory, bytes are lost, and the handler must know that */
        JS_FreeValue(context, JS_GetException(context));
        gone(port);
        return;
    }
    tell(port->runtime, port->hold.callback, ON_BYTES, 1, (JSValueConst[]){bytes});
    JS_FreeValue(context, bytes);
}

static void port_ready(struct loop_watcher *watcher, uint32_t events) {
    struct script_port *port = owner_of(watcher, struct script_port, watcher);
    JSContext *context = port->runtime->context;
    JSValue held = JS_DupValue(context, port->hold.handle); /* a callback may close it, and the script forget it */
    bool wants_bytes = !JS_IsNull(port->hold.callback);
    if (port->broken)
        gone(port);
    else if ((events & EPOLLOUT) && has_unsent(port))
        send_unsent(port);
    /* What came before the end is read before the end is told; reading tells the end, too. */
    if (is_open(port) && wants_bytes && (events & (EPOLLIN | EPOLLHUP | EPOLLERR)))
        receive(port);
    else if (is_open(port) && (events & (EPOLLHUP | EPOLLERR)))
        gone(port);
    JS_FreeValue(context, held);
}

static JSValue port_set_handler(JSContext *context, JSValueConst this_value, JSValueConst value, int kind) {
    struct script_port *port = handle_of(context, this_value, kind);
    if (!port)
        return JS_EXCEPTION;
    if (!JS_IsObject(value) && !JS_IsNull(value))
        return JS_ThrowTypeError(context, "a port's handler must be an object or null");
    if (!is_open(port))
        return JS_UNDEFINED; /* no event follows: nothing to keep it for */
    handle_set_callback(context, &port->hold, value);
    loop_rewatch(port->runtime->loop, &port->watcher, events_wanted(port));
    return JS_UNDEFINED;
}

/* Sends bytes, or keeps what the kernel does not take. Returns true when nothing waits. */
static bool write_bytes(struct script_port *port, const char *bytes, size_t length) {
    if (!is_open(port) || port->broken)
        return true;
    ssize_t written = has_unsent(port) || length == 0 ? 0 : write_some(port, bytes, length);
    if (written < 0 || !byte_queue_append(&port->unsent, bytes + written, length - (size_t)written)) {
        port->broken = true;
        byte_queue_clear(&port->unsent);
    }
    loop_rewatch(port->runtime->loop, &port->watcher, events_wanted(port));
    return !has_unsent(port);
}

SCRIPT_FUNCTION(port_write) {
    size_t length;
    struct script_port *port = handle_of(context, this_value, HANDLE_PORT);
    char *bytes = port ? byte_string_read(context, argv[0], &length) : NULL;
    if (!bytes)
        return JS_EXCEPTION;
    bool sent = write_bytes(port, bytes, length);
    free(bytes);
    return JS_NewBool(context, sent);
}

JSValue serial_port_new(struct runtime *runtime, int fd, const char *path) {
    JSContext *context = runtime->context;
    struct script_port *port = calloc(1, sizeof *port + strlen(path) + 1);
    JSValue object = handle_new(context, HANDLE_PORT, port);
    if (JS_IsException(object)) {
        serial_device_close(fd);
        free(port);
        return object;
    }
    port->runtime = runtime;
    port->unsent.engine = runtime->engine;
    port->watcher = (struct loop_watcher){.ready = port_ready, .fd = fd};
    port->hold.callback = JS_NULL;
    strcpy(port->path, path);
    handle_hold(context, HANDLE_PORT, &port->hold, object);
    if (loop_watch(runtime->loop, &port->watcher, events_wanted(port)))
        return object;
    int error = errno;
    close_port(port);
    JS_FreeValue(context, object);
    return JS_ThrowPlainError(context, "cannot watch %s: %s", path, strerror(error));
}

static const JSCFunctionListEntry members[] = {
    HANDLE_TEXT("path", HANDLE_PORT),
    JS_CGETSET_MAGIC_DEF("handler", handle_get_callback, port_set_handler, HANDLE_PORT),
    JS_CFUNC_DEF("write", 1, port_write),
    HANDLE_CLOSE(HANDLE_PORT),
};

const struct handle_type serial_port_type = {"SerialPort",
                                             HANDLE_MEMBERS(members),
                                             HANDLE_HOLD,
                                             .text = offsetof(struct script_port, path),
                                             .close = close_port};
