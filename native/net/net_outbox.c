#include "net/net_outbox.h"

#include "net/net_sending.h"

/* Sends a text that has left the outbox, and frees it. The stream's object stays held. */
static void send_text(const struct outbox_text *posted) {
    posted->stream->posted = false;
    stream_send(posted->stream, posted->text, posted->length, 0);
    JS_FreeCString(posted->stream->net->runtime->context, posted->text);
}

bool outbox_take(struct net *net, struct stream *stream, const char *text, size_t length) {
    struct outbox *outbox = &net->outbox;
    if (length > OUTBOX_LONGEST || outbox->count == OUTBOX_PLACES || stream->posted)
        return false;
    JS_DupValue(net->runtime->context, stream->self);
    outbox->texts[outbox->count++] = (struct outbox_text){.stream = stream, .text = text, .length = length};
    stream->posted = true;
    return true;
}

void outbox_send_text_of(struct stream *stream) {
    if (!stream->posted)
        return;
    struct outbox *outbox = &stream->net->outbox;
    JSContext *context = stream->net->runtime->context;
    int place = 0;
    while (outbox->texts[place].stream != stream)
        place++;
    struct outbox_text posted = outbox->texts[place];
    outbox->texts[place] = outbox->texts[--outbox->count];
    send_text(&posted);
    JS_FreeValue(context, stream->self);
}

int outbox_send_all(struct net *net, struct stream *streams[OUTBOX_PLACES]) {
    int count = net->outbox.count;
    net->outbox.count = 0; /* a handler that is told of this may fill it again */
    for (int i = 0; i < count; i++) {
        streams[i] = net->outbox.texts[i].stream;
        send_text(&net->outbox.texts[i]);
    }
    return count;
}
