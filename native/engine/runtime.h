/*
 * The JavaScript runtime: QuickJS with the C modules, and the one way from the loop into JavaScript.
 *
 * Every call runs to its end, then the job queue drains. What a call throws goes to the handler of uncaught errors;
 * without one, it ends the process. Rejected promises that nobody handles by the end of the loop's turn go to their own
 * handler.
 */
#ifndef NOUND_RUNTIME_H
#define NOUND_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <quickjs.h>

#include "loop/loop.h"

struct account;
struct engine_heap;
struct quota;
struct gpio;
struct net;
struct serial;
struct script_timers;
struct rejection;
struct worker;

struct runtime {
    struct engine_heap *heap; /* the engine's memory */
    struct quota *quota;      /* how much of it the script may have */
    JSRuntime *engine;
    JSContext *context;
    struct loop *loop;
    int argc;
    char **argv;

    JSValue on_signal, on_unhandled_rejection, on_uncaught_error; /* functions, or undefined */
    struct rejection *rejections;                                 /* not handled so far in this turn */
    size_t rejection_count, rejection_capacity;
    JSAtom origin; /* the property by which a promise knows the function that interruption_call called when it was made;
                      of rejection.c */
    bool is_running; /* the loop, after the start */
    bool failed;     /* an error was reported that ends the process */

    uint64_t busy_since, busy_limit; /* µs of processor time, or 0; of interruption.c */
    unsigned busy_phase;
    JSValue interruption; /* the last one's error, or undefined */
    JSValueConst called;  /* the function that interruption_call calls now, or undefined */

    struct memory {
        size_t limit;              /* bytes the script may have, or 0 */
        uint64_t collected;        /* ms on CLOCK_MONOTONIC when a collection was last asked for here, or 0 */
        size_t left;               /* bytes that were in use after it */
        struct loop_timer cleaner; /* runs while more has come into use than before */
    } memory;                      /* of memory.c */

    struct account *account;      /* the one to become; of mod_privileges.c */
    struct gpio *gpio;            /* of mod_gpio.c */
    struct net *net;              /* of mod_net.c */
    struct serial *serial;        /* of mod_serial.c */
    struct script_timers *timers; /* of mod_loop.c */
    JSModuleDef *system_module;   /* of mod_system.c */
    JSClassID folder_class;       /* of mod_sysfs.c */
    JSClassID bus_device_class;   /* of bus_device.c */
    JSClassID store_class;        /* of mod_storage.c */
    struct worker *worker;        /* of job.c; NULL until something needs it */
};

/*
 * Returns a runtime with its loop and the C modules, or NULL when there is no memory or no epoll.
 * argc, argv: main's; they must outlive the runtime.
 */
struct runtime *runtime_create(int argc, char **argv);

/*
 * Evaluates the embedded script (script.h). An error it throws is printed and ends the process with EX_SOFTWARE, also
 * when it comes after an `await` at the module's top level.
 */
void runtime_evaluate(struct runtime *runtime);

/*
 * Links a compiled module, evaluates it, and handles its errors as runtime_evaluate does. Consumes the module. Returns
 * false with an exception when it cannot be linked; nothing of it has run then.
 */
bool runtime_evaluate_module(struct runtime *runtime, JSValue module);

/* Runs one turn of the loop. Returns false, without waiting, when it has ended. */
bool runtime_turn(struct runtime *runtime);

/* Runs the loop until it ends. Returns the exit status of the process. */
int runtime_run(struct runtime *runtime);

/* Closes and frees everything. */
void runtime_free(struct runtime *runtime);

/* Returns the runtime a context belongs to. */
struct runtime *runtime_of(JSContext *context);

/* Calls a function from the loop, with undefined as `this`. Returns false when it threw; that is dealt with already. */
bool runtime_call(struct runtime *runtime, JSValueConst function, int argc, JSValueConst *argv);

/* Calls a method of an object from the loop, otherwise like runtime_call. */
bool runtime_invoke(struct runtime *runtime, JSValueConst object, JSAtom method, int argc, JSValueConst *argv);

/* Registers a class with the members of its prototype. Returns false when there is no memory. */
bool runtime_register_class(struct runtime *runtime, JSClassID *id, const JSClassDef *definition,
                            const JSCFunctionListEntry *members, int count);

/* Sets the exports of a C module. Returns 0, or -1 with an exception when there is no memory. */
int runtime_set_exports(JSContext *context, JSModuleDef *module, const JSCFunctionListEntry *exports, int count);

/* The C modules. Each registers itself by its name; returns false when there is no memory. */
bool mod_loop_register(struct runtime *runtime);
bool mod_net_register(struct runtime *runtime);
bool mod_system_register(struct runtime *runtime);
bool mod_gpio_register(struct runtime *runtime);
bool mod_sysfs_register(struct runtime *runtime);
bool mod_storage_register(struct runtime *runtime);
bool mod_serial_register(struct runtime *runtime);
bool mod_hash_register(struct runtime *runtime);
bool mod_guard_register(struct runtime *runtime);
bool mod_memory_register(struct runtime *runtime);
bool mod_files_register(struct runtime *runtime);
bool mod_utf8_register(struct runtime *runtime);
bool mod_lexer_register(struct runtime *runtime);
bool mod_bus_register(struct runtime *runtime);
bool mod_privileges_register(struct runtime *runtime);
bool mod_script_register(struct runtime *runtime);
bool mod_page_register(struct runtime *runtime);

/* Gives `args` of nound:system another value, for an application that runs instead of the program. Returns false
 * with an exception. */
bool mod_system_replace_args(struct runtime *runtime, JSValueConst args);

/* Release the JavaScript values and kernel resources of the modules. The engine still runs. */
void mod_loop_release(struct runtime *runtime);
void mod_net_release(struct runtime *runtime);
void mod_gpio_release(struct runtime *runtime);
void mod_serial_release(struct runtime *runtime);

#endif
