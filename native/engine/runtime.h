/*
 * The JavaScript runtime: QuickJS with the C modules, and the one way from the loop into JavaScript.
 *
 * Every call runs to its end, then the job queue drains. What a call throws goes to the handler of uncaught errors;
 * without one, it ends the process. Rejected promises that nobody handles by the end of the loop's turn go to their own
 * handler.
 */
#ifndef NOUND_RUNTIME_H
#define NOUND_RUNTIME_H

#include "engine/runtime_state.h"

/*
 * Evaluates the embedded script (script.h). An error it throws is printed and ends the process with EX_SOFTWARE, also
 * when it comes after an `await` at the module's top level.
 */
void runtime_evaluate(struct runtime *runtime);

/* Calls a function from the loop, with undefined as `this`. Returns false when it threw; that is dealt with already. */
bool runtime_call(struct runtime *runtime, JSValueConst function, int argc, JSValueConst *argv);

/* The same without arguments, for a function that may be a noun's code: it is interrupted after its time. */
bool runtime_call_noun(struct runtime *runtime, JSValueConst function);

/* Calls a method of an object from the loop, otherwise like runtime_call. */
bool runtime_invoke(struct runtime *runtime, JSValueConst object, JSAtom method, int argc, JSValueConst *argv);

/* A C module, in the room of its subject: what the script imports by a name. */
struct native_module {
    const char *name;                    /* such as nound:net */
    const JSCFunctionListEntry *exports; /* this and the next by NATIVE_EXPORTS */
    int export_count;
    const char *values[2]; /* names of further exports, which `initialize` sets; NULL behind the last */
    /* Sets them when the script first imports the module. Returns 0, or -1 with an exception. NULL if there are none.
     */
    int (*initialize)(JSContext *context, JSModuleDef *module);
    /* Makes what the module keeps in the runtime. Returns false when there is no memory. NULL if it keeps nothing. */
    bool (*open)(struct runtime *runtime);
    /* Releases its JavaScript values and kernel resources, also after `open` failed. The engine still runs. */
    void (*release)(struct runtime *runtime);
};

#define NATIVE_EXPORTS(list) .exports = (list), .export_count = sizeof(list) / sizeof(list)[0]

extern const struct native_module mod_loop;
extern const struct native_module mod_net;
extern const struct native_module mod_connector;
extern const struct native_module mod_acceptor;
extern const struct native_module mod_system;
extern const struct native_module mod_gpio;
extern const struct native_module mod_input;
extern const struct native_module mod_sysfs;
extern const struct native_module mod_storage;
extern const struct native_module mod_serial;
extern const struct native_module mod_hash;
extern const struct native_module mod_interruption;
extern const struct native_module mod_memory;
extern const struct native_module mod_files;
extern const struct native_module mod_utf8;
extern const struct native_module mod_lexer;
extern const struct native_module mod_registers;
extern const struct native_module mod_bus;
extern const struct native_module mod_privileges;
extern const struct native_module mod_script;
extern const struct native_module mod_page;
extern const struct native_module mod_keeper;

#endif
