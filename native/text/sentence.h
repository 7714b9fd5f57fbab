/* Errors for people: a sentence that is put together in C and thrown in JavaScript, without the engine's limit of 255
 * bytes. */
#ifndef NOUND_SENTENCE_H
#define NOUND_SENTENCE_H

#include <stddef.h>

#include <quickjs.h>

/* A sentence without its full stop. The end is cut off if it does not fit. */
struct sentence {
    size_t length;
    char text[1024];
};

/* Begins the sentence again (printf(3)). */
void sentence_say(struct sentence *sentence, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Goes on with the sentence. */
void sentence_add(struct sentence *sentence, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Throws an Error with this message. Returns JS_EXCEPTION. */
JSValue sentence_throw(JSContext *context, const struct sentence *sentence);

/* Throws an Error with a sentence (printf(3)). Returns JS_EXCEPTION. */
JSValue sentence_throw_new(JSContext *context, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
