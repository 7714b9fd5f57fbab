/*
 * Handles: script objects, each of which represents a C object. The class of the handle is the C object's type
 * (runtime_register_class). JS_GetOpaque2 leads from a handle that a script passes to its C object.
 *
 * A C object that waits for events holds its handle while it is open, so that it lives on when the script forgets it.
 */
#ifndef NOUND_HANDLE_H
#define NOUND_HANDLE_H

#include <quickjs.h>

#include "engine/list.h"

/* Returns a new handle of `object`, or an exception without memory. NULL counts as an object without memory. */
JSValue handle_new(JSContext *context, JSClassID class, void *object);

/* Returns the C object of a handle, for finalizers and mark functions; NULL when handle_new has not finished it. */
void *handle_object(JSValueConst handle);

/* What an object that waits for events begins with. Its memory comes from calloc. */
struct handle_hold {
    struct list_link link; /* in the list of the open objects */
    JSValue handle;        /* counted while open */
    JSValue callback;      /* the script's function or object for the events; counted */
};

/* Holds the handle and adds the object to a list of open ones. */
void handle_hold(JSContext *context, struct list_link **open, struct handle_hold *hold, JSValueConst handle);

/* Replaces the callback. */
void handle_set_callback(JSContext *context, struct handle_hold *hold, JSValueConst callback);

/* The finalizer and the mark function of a class whose objects begin with a handle_hold. A closed object needs no more.
 */
void handle_finalize(JSRuntime *engine, JSValueConst handle);
void handle_mark(JSRuntime *engine, JSValueConst handle, JS_MarkFunc *mark_value);

/* Ends the hold. The C object's memory may be gone when this returns. */
void handle_let_go(JSContext *context, struct handle_hold *hold);

#endif
