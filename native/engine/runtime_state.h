/* What the rooms of the C layer share: the engine, the loop, and what each of them keeps for the script. */
#ifndef NOUND_RUNTIME_STATE_H
#define NOUND_RUNTIME_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <quickjs.h>

struct account;
struct handle_type;
struct list_link;
struct engine_heap;
struct quota;
struct net;
struct connector;
struct acceptor_client;
struct script_timers;
struct rejection;
struct loop;
struct memory;
struct watchdog;
struct worker;

/* The kinds of C objects that the script has handles of (handle.h). */
enum handle_kind {
    HANDLE_SOCKET,
    HANDLE_LISTENER,
    HANDLE_LINE,
    HANDLE_PORT,
    HANDLE_SOURCE,
    HANDLE_BUS_DEVICE,
    HANDLE_FOLDER,
    HANDLE_STORE,
    HANDLE_KINDS,
};

/* The methods of the script's objects that are told of bytes: sockets' and serial ports' handlers. */
enum handler_method { ON_BYTES, ON_END, ON_BLOCKED, ON_DRAIN, ON_GONE, HANDLER_METHODS };

/* The head of a function that the script calls. Few functions need all of these parameters. */
#define SCRIPT_FUNCTION(name)                                                                                          \
    static JSValue name(JSContext *context,                                                                            \
                        __attribute__((unused)) JSValueConst this_value,                                               \
                        __attribute__((unused)) int argc,                                                              \
                        __attribute__((unused)) JSValueConst *argv)

struct runtime {
    struct engine_heap *heap; /* the engine's memory */
    struct quota *quota;      /* how much of it the script may have */
    JSRuntime *engine;
    JSContext *context;
    struct loop *loop;
    int argc;
    char **argv;

    JSValue on_signal, on_unhandled_rejection, on_uncaught_error, on_standstill; /* functions, or undefined */
    JSValue explain;              /* the script's function for failures (text/failure.h), or undefined */
    struct rejection *rejections; /* not handled so far in this turn */
    size_t rejection_count, rejection_capacity;
    JSAtom origin; /* the property by which a promise knows the function that interruption_call called when it was made;
                      of rejection.c */
    bool is_running; /* the loop, after the start */
    bool failed;     /* an error was reported that ends the process */

    struct busy {
        bool is_guarded; /* a noun's code runs, which may be interrupted */
        uint64_t since;  /* µs of processor time when the engine first asked about it, or 0 */
    } busy;              /* of interruption.c, as what follows */
    uint64_t busy_limit; /* µs of processor time, or 0 */
    unsigned busy_phase;
    JSValue interruption; /* the last one's error, or undefined */
    JSValueConst called;  /* the function that interruption_call calls now, or undefined */

    struct handle_class {
        JSClassID id;
        const struct handle_type *type;
        struct list_link *open; /* the objects that wait for events */
    } handles[HANDLE_KINDS];    /* of handle.c */

    JSAtom methods[HANDLER_METHODS];

    struct memory *memory; /* of memory.c */

    struct account *account;          /* the one to become; of mod_privileges.c */
    struct net *net;                  /* of mod_net.c */
    struct connector *connector;      /* of mod_connector.c */
    struct acceptor_client *acceptor; /* of mod_acceptor.c; NULL until https is wanted */
    struct script_timers *timers;     /* of mod_loop.c */
    struct watchdog *watchdog;        /* of mod_system.c; NULL without one */
    struct worker *worker;            /* of job.c; NULL until something needs it */
};

/* Returns the runtime a context belongs to. */
static inline struct runtime *runtime_of(JSContext *context) {
    return (struct runtime *)JS_GetRuntimeOpaque(JS_GetRuntime(context));
}

#endif
