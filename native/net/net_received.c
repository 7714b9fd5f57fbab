#include "net/net_received.h"

#include <string.h>

#include "net/net.h"
#include "text/byte_string.h"

/*
 * Compares all bytes, whether the first ones differ or not. Otherwise the time would tell a client how much of its
 * guess is in the last request, which may hold another client's token.
 */
static bool are_equal(const uint8_t *one, const uint8_t *other, size_t length) {
    uint64_t difference = 0;
    size_t i = 0;
    for (; i + sizeof difference <= length; i += sizeof difference) {
        uint64_t a, b;
        memcpy(&a, one + i, sizeof a);
        memcpy(&b, other + i, sizeof b);
        difference |= a ^ b;
    }
    for (; i < length; i++)
        difference |= one[i] ^ other[i];
    return difference == 0;
}

JSValue net_received_string(struct net *net, const uint8_t *bytes, size_t length) {
    JSContext *context = net->runtime->context;
    struct net_received *kept = &net->received;
    if (length == kept->length && are_equal(bytes, kept->bytes, length))
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
