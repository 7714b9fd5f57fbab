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

/*
 * Links a compiled module, evaluates it, and handles its errors as runtime_evaluate does. Consumes the module. Returns
 * false with an exception when it cannot be linked; nothing of it has run then.
 */
bool runtime_evaluate_module(struct runtime *runtime, JSValue module);

/* Calls a function from the loop, with undefined as `this`. Returns false when it threw; that is dealt with already. */
bool runtime_call(struct runtime *runtime, JSValueConst function, int argc, JSValueConst *argv);

/* Calls a method of an object from the loop, otherwise like runtime_call. */
bool runtime_invoke(struct runtime *runtime, JSValueConst object, JSAtom method, int argc, JSValueConst *argv);

/* Registers a class with the members of its prototype. Returns false when there is no memory. */
bool runtime_register_class(struct runtime *runtime, JSClassID *id, const JSClassDef *definition,
                            const JSCFunctionListEntry *members, int count);

/* Sets the exports of a C module. Returns 0, or -1 with an exception when there is no memory. */
int runtime_set_exports(JSContext *context, JSModuleDef *module, const JSCFunctionListEntry *exports, int count);

/* The C modules, each in its room. Each registers itself by its name; returns false when there is no memory. */
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

/* Release the JavaScript values and kernel resources of the modules. The engine still runs. */
void mod_loop_release(struct runtime *runtime);
void mod_net_release(struct runtime *runtime);
void mod_gpio_release(struct runtime *runtime);
void mod_serial_release(struct runtime *runtime);

#endif
