/*
 * The texts to send. Most answers are the same string again and again. So the text of the last one is kept: to look
 * through a short answer for characters beyond ASCII costs 700 instructions.
 */
#ifndef NOUND_NET_TEXT_H
#define NOUND_NET_TEXT_H

#include <stddef.h>

#include <quickjs.h>

struct net;

struct net_text {
    JSValue string;    /* held, or undefined */
    const char *bytes; /* its text, or NULL */
    size_t length;
};

/* Returns the UTF-8 of a string, for net_text_free; or NULL with an exception. */
const char *net_text_of(struct net *net, JSValueConst string, size_t *length);

/* Frees a text of net_text_of, unless it is the one that is kept. */
void net_text_free(struct net *net, const char *text);

/* Keeps no text any longer. The outbox is empty. */
void net_text_forget(struct net *net);

#endif
