/* Settings that a script passes as the members of an object, read into a struct of C. A wrong one is the script's bug.
 */
#ifndef NOUND_SETTINGS_H
#define NOUND_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include <quickjs.h>

struct setting {
    const char *name; /* of the member */
    enum {
        SETTING_FLAG,   /* a bool */
        SETTING_LEVEL,  /* an int: 0 or 1; -1 for undefined */
        SETTING_NUMBER, /* a uint32_t, at most INT32_MAX */
        SETTING_WORD,   /* an int: the place of the word among `words` */
        SETTING_TEXT,   /* a const char *, for JS_FreeCString; NULL for undefined */
    } type;
    size_t at;                /* where it is in the struct */
    const char *const *words; /* which end in NULL */
};

/* Reads them. Returns false with an exception; the texts that were read are to be freed in either case. */
bool settings_read(JSContext *context, JSValueConst object, const struct setting *settings, size_t count, void *into);

/* Copies a text, which has less than `size` bytes. Returns false with an exception. */
bool settings_read_text(JSContext *context, JSValueConst object, const char *name, char *text, size_t size);

/* Reads a word: its place among those that end in NULL. name: of what it is for. Returns false with an exception. */
bool settings_read_word(JSContext *context, JSValueConst value, const char *name, const char *const *words, int *place);

#endif
