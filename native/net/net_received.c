#include "net/net_received.h"

#include <string.h>

#include "net/net.h"
#include "text/byte_string.h"

JSValue net_received_string(struct net *net, const uint8_t *bytes, size_t length) {
    JSContext *context = net->runtime->context;
    struct net_received *kept = &net->received;
    if (length == kept->length && byte_string_equal(bytes, kept->bytes, length))
        return JS_DupValue(context, kept->string);
    JSValue string = byte_string_new(context, bytes, length);
    if (length <= NET_RECEIVED_LONGEST && !JS_IsException(string)) {
        JS_FreeValue(context, kept->string);
        kept->string = JS_DupValue(context, string);
        kept->length = length;
        memcpy(kept->bytes, bytes, length);
    }
    return string;
}

void net_received_forget(struct net *net) {
    JS_FreeValue(net->runtime->context, net->received.string);
    net->received.string = JS_UNDEFINED;
    net->received.length = 0;
}
