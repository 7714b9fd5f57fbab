/*
 * Handles: script objects, each of which represents a C object. The kind of the handle is the C object's type.
 * handle_of leads from a handle that a script passes to its C object.
 *
 * A C object that waits for events holds its handle while it is open, so that it lives on when the script forgets it.
 */
#ifndef NOUND_HANDLE_H
#define NOUND_HANDLE_H

#include "base/list.h"
#include "engine/runtime_state.h"

/* The class of a kind of handles. */
struct handle_type {
    const char *name;
    const JSCFunctionListEntry *members;
    int member_count;
    size_t callback;             /* where the object has a counted value that the script has given it; 0 for nowhere */
    size_t text;                 /* where it has a text, for HANDLE_TEXT */
    void (*close)(void *object); /* for HANDLE_CLOSE and handle_close_all */
    void (*free)(void *object);  /* closes and frees; NULL: free(3) */
};

#define HANDLE_MEMBERS(list) .members = (list), .member_count = sizeof(list) / sizeof(list)[0]

/* The types of the rooms, one for each kind. */
extern const struct handle_type net_socket_type, net_listener_type, gpio_line_type, serial_port_type;
extern const struct handle_type input_source_type, bus_device_type, attribute_folder_type, store_type;

/* Registers the class. Returns false when there is no memory. */
bool handle_register(struct runtime *runtime, enum handle_kind kind, const struct handle_type *type);

/* Returns a new handle of `object`, or an exception without memory. NULL counts as an object without memory. */
JSValue handle_new(JSContext *context, enum handle_kind kind, void *object);

/* Returns the C object of a value, or NULL with an exception if the value is no handle of this kind. */
void *handle_of(JSContext *context, JSValueConst value, enum handle_kind kind);

/* What an object that waits for events begins with. Its memory comes from calloc. */
struct handle_hold {
    struct list_link link; /* in the list of the open objects */
    JSValue handle;        /* counted while open */
    JSValue callback;      /* the script's function or object for the events; counted */
};

#define HANDLE_HOLD .callback = offsetof(struct handle_hold, callback)

/* Holds the handle and adds the object to the open ones of its kind. */
void handle_hold(JSContext *context, enum handle_kind kind, struct handle_hold *hold, JSValueConst handle);

/* Replaces the callback. */
void handle_set_callback(JSContext *context, struct handle_hold *hold, JSValueConst callback);

/* Ends the hold. The C object's memory may be gone when this returns. */
void handle_let_go(JSContext *context, struct handle_hold *hold);

/* Closes all open objects, at the end of the program. */
void handle_close_all(struct runtime *runtime);

/* Members that kinds share: a function or null as the callback, a text, and close(). */
JSValue handle_get_callback(JSContext *context, JSValueConst handle, int kind);
JSValue handle_set_function(JSContext *context, JSValueConst handle, JSValueConst value, int kind);
JSValue handle_get_text(JSContext *context, JSValueConst handle, int kind);
JSValue handle_close(JSContext *context, JSValueConst handle, int argc, JSValueConst *argv, int kind);
#define HANDLE_FUNCTION(name, kind) JS_CGETSET_MAGIC_DEF(name, handle_get_callback, handle_set_function, kind)
#define HANDLE_TEXT(name, kind) JS_CGETSET_MAGIC_DEF(name, handle_get_text, NULL, kind)
#define HANDLE_CLOSE(kind) JS_CFUNC_MAGIC_DEF("close", 0, handle_close, kind)

#endif
