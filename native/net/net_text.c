#include "net/net_text.h"

#include "net/net.h"
#include "text/string_text.h"

/* Whether a value is the string whose text is kept. That one is held, so no other string has its address. */
static bool is_kept(const struct net_text *kept, JSValueConst string) {
    return JS_IsString(string) && JS_VALUE_GET_TAG(string) == JS_VALUE_GET_TAG(kept->string) &&
           JS_VALUE_GET_PTR(string) == JS_VALUE_GET_PTR(kept->string);
}

const char *net_text_of(struct net *net, JSValueConst string, size_t *length) {
    struct net_text *kept = &net->text;
    if (is_kept(kept, string)) {
        *length = kept->length;
        return kept->bytes;
    }
    const char *text = string_text(net->runtime->context, string, length);
    if (text && text == kept->bytes) {
        /* The string is not the same, but its text is: the engine joins the parts of a string only once. */
        JS_FreeCString(net->runtime->context, text);
        return kept->bytes;
    }
    /* A text in the outbox may be the one that is kept. Then it must stay. */
    if (text && *length <= OUTBOX_LONGEST && net->outbox.count == 0) {
        net_text_forget(net);
        *kept = (struct net_text){JS_DupValue(net->runtime->context, string), text, *length};
    }
    return text;
}

void net_text_free(struct net *net, const char *text) {
    if (text != net->text.bytes)
        JS_FreeCString(net->runtime->context, text);
}

void net_text_forget(struct net *net) {
    struct net_text old = net->text;
    net->text = (struct net_text){.string = JS_UNDEFINED};
    JS_FreeCString(net->runtime->context, old.bytes);
    JS_FreeValue(net->runtime->context, old.string);
}
