#define _GNU_SOURCE 1
#include "text/failure.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/runtime.h"
#include "engine/value.h"

#define NAME(error) {error, #error}

/* The errors that sentences know. Their numbers are not the same on each processor. */
static const struct {
    int error;
    const char *name;
} names[] = {
    NAME(E2BIG),     NAME(EACCES),     NAME(EADDRINUSE), NAME(EADDRNOTAVAIL), NAME(EAFNOSUPPORT), NAME(EAGAIN),
    NAME(EBUSY),     NAME(EDQUOT),     NAME(EFBIG),      NAME(EILSEQ),        NAME(EINVAL),       NAME(EIO),
    NAME(EISDIR),    NAME(ELOOP),      NAME(EMFILE),     NAME(EMSGSIZE),      NAME(ENAMETOOLONG), NAME(ENFILE),
    NAME(ENODEV),    NAME(ENODATA),    NAME(ENOENT),     NAME(ENOSPC),        NAME(ENOTDIR),      NAME(ENOTTY),
    NAME(ENXIO),     NAME(EOPNOTSUPP), NAME(EPERM),      NAME(ERANGE),        NAME(EREMOTEIO),    NAME(EROFS),
    NAME(ETIMEDOUT),
};

static const char *name_of(int error) {
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].error == error)
            return names[i].name;
    return "";
}

static void append(struct failure *failure, const char *values, va_list arguments) {
    const size_t length = strlen(failure->values);
    vsnprintf(failure->values + length, sizeof failure->values - length, values, arguments);
}

static void note(struct failure *failure, const char *what, int error, const char *values, va_list arguments) {
    *failure = (struct failure){.what = what, .error = error};
    append(failure, values, arguments);
}

void failure_note(struct failure *failure, const char *what, int error, const char *values, ...) {
    va_list arguments;
    va_start(arguments, values);
    note(failure, what, error, values, arguments);
    va_end(arguments);
}

void failure_add(struct failure *failure, const char *values, ...) {
    va_list arguments;
    va_start(arguments, values);
    append(failure, values, arguments);
    va_end(arguments);
}

void failure_add_names(struct failure *failure, const char *folder, const char *prefix) {
    struct dirent **entries = NULL;
    const int count = scandir(folder, &entries, NULL, versionsort);
    const char *comma = "";
    for (int i = 0; i < count; i++) {
        if (entries[i]->d_name[0] != '.' && strncmp(entries[i]->d_name, prefix, strlen(prefix)) == 0) {
            failure_add(failure, "%s%s", comma, entries[i]->d_name);
            comma = ", ";
        }
        free(entries[i]);
    }
    free(entries);
}

static JSValue new_values(JSContext *context, const char *values) {
    JSValue array = JS_NewArray(context);
    for (uint32_t i = 0; values; i++) {
        const char *end = strstr(values, AND);
        const size_t length = end ? (size_t)(end - values) : strlen(values);
        value_set_element(context, &array, i, JS_NewStringLen(context, values, length));
        values = end ? end + 1 : NULL;
    }
    return array;
}

/* Returns the sentence: a string, or an exception. */
static JSValue explain(JSContext *context, const struct failure *failure) {
    JSValueConst function = runtime_of(context)->explain;
    if (JS_IsUndefined(function)) /* of a program that is none of nound's */
        return JS_NewString(context, failure->what);
    JSValue facts[] = {
        JS_NewString(context, failure->what),
        JS_NewString(context, name_of(failure->error)),
        JS_NewString(context, strerror(failure->error)),
        new_values(context, failure->values),
    };
    JSValue sentence = JS_UNDEFINED;
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        if (JS_IsException(facts[i]))
            sentence = JS_EXCEPTION;
    if (!JS_IsException(sentence))
        sentence = JS_Call(context, function, JS_UNDEFINED, 4, (JSValueConst *)facts);
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        JS_FreeValue(context, facts[i]);
    return sentence;
}

JSValue failure_throw(JSContext *context, const struct failure *failure) {
    return value_throw_error(context, explain(context, failure));
}

JSValue failure_throw_new(JSContext *context, const char *what, int error, const char *values, ...) {
    struct failure failure;
    va_list arguments;
    va_start(arguments, values);
    note(&failure, what, error, values, arguments);
    va_end(arguments);
    return failure_throw(context, &failure);
}
