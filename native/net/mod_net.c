/* The JS module `nound:net` (ts/native/net.ts): stream sockets on the event loop. C moves the bytes and reads none of
 * them. */
#include <errno.h>
#include <stdlib.h>

#include "base/descriptor.h"
#include "loop/loop.h"
#include "net/net.h"
#include "net/net_listen.h"
#include "net/net_stream.h"
#include "text/byte_string.h"
#include "text/failure.h"
#include "text/text_argument.h"

SCRIPT_FUNCTION(net_listen) {
    struct net_address address;
    if (!JS_IsFunction(context, argv[1]))
        return JS_ThrowTypeError(context, "listen expects an address and a function");
    TEXT_ARGUMENT(text, context, argv[0], "an address");
    if (!text)
        return JS_EXCEPTION;
    const char *what = net_address_parse(text, &address);
    int lock = -1;
    int fd = what ? -1 : net_listen_on(&address, text, &lock, &what);
    return fd < 0 ? failure_throw_new(context, what, errno, "%s", text)
                  : net_listener_new(runtime_of(context)->net, fd, lock, &address, argv[1]);
}

SCRIPT_FUNCTION(net_broadcast) {
    return net_socket_broadcast(runtime_of(context)->net, argv[0], argv[1]);
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("listen", 2, net_listen),
    JS_CFUNC_DEF("broadcast", 2, net_broadcast),
    JS_PROP_INT32_DEF("mostRead", BYTE_STRING_LIMIT, JS_PROP_ENUMERABLE),
};

static void release(struct runtime *runtime) {
    struct net *net = runtime->net;
    if (!net)
        return;
    net_stream_close_all(net);
    descriptor_close(net->reserve);
}

static void turn_ended(void *opaque) {
    struct net *net = opaque;
    while (net->outbox.count > 0)
        net_stream_send_posted(net);
}

static bool open_module(struct runtime *runtime) {
    struct net *net = runtime->net = calloc(1, sizeof *net);
    if (!net)
        return false;
    net->runtime = runtime;
    loop_at_turn_end(runtime->loop, turn_ended, net);
    net->reserve = -1;
    return true;
}

const struct native_module mod_net = {
    .name = "nound:net", NATIVE_EXPORTS(exports), .open = open_module, .release = release};
