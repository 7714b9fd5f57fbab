#include "engine/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "engine/engine_heap.h"
#include "engine/interruption.h"
#include "engine/log_output.h"
#include "engine/quota.h"
#include "engine/rejection.h"
#include "engine/script_part.h"
#include "guard/memory.h"
#include "loop/worker.h"

/* Small enough for any device's main thread; the deepest legitimate recursion, that of a regular expression, needs
 * less. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define STACK_SIZE                                                                                                     \
    (4 * 1024 * 1024) /* with the sanitizer's space around each variable, a frame of the interpreter takes 16 KB */
#else
#define STACK_SIZE (256 * 1024)
#endif

/*
 * Bytes at which garbage is collected for the first time: more than a start needs, because collecting took a tenth of a
 * start. From then on the engine collects when memory use has grown by half.
 */
#define GC_THRESHOLD (768 * 1024)

struct runtime *runtime_of(JSContext *context) {
    return JS_GetRuntimeOpaque(JS_GetRuntime(context));
}

/* Prints an error for people: its message, and the stack if there is one. */
static void print_error(JSContext *context, JSValueConst error) {
    const char *message = JS_ToCString(context, error);
    char line[1024];
    int length = snprintf(line, sizeof line, "nound: %s", message ? message : "an error that cannot be shown");
    log_output_line(line, length < (int)sizeof line ? (size_t)length : sizeof line - 1);
    JS_FreeCString(context, message);
    if (!JS_IsError(error))
        return;
    JSValue stack = JS_GetPropertyStr(context, error, "stack");
    const char *text = JS_IsString(stack) ? JS_ToCString(context, stack) : NULL;
    size_t size = text ? strlen(text) : 0;
    if (size > 1)
        log_output_line(text, text[size - 1] == '\n' ? size - 1 : size);
    JS_FreeCString(context, text);
    JS_FreeValue(context, stack);
}

/* Reports an error that nobody caught and ends the process after this turn. */
static void fail(struct runtime *runtime, JSValueConst error) {
    if (interruption_tame(runtime, error)) /* of a start that never ends */
        interruption_restart(runtime);
    print_error(runtime->context, error);
    JS_FreeValue(runtime->context, JS_GetException(runtime->context)); /* of an error whose text throws */
    runtime->failed = true;
    loop_exit(runtime->loop, EX_SOFTWARE);
}

/*
 * Takes the pending exception to the script's handler, or fails. Where the handler itself throws, there is most likely
 * no memory for a report. Once the loop runs, that report is dropped, because clients can use up the memory.
 */
static void handle_exception(struct runtime *runtime) {
    JSContext *context = runtime->context;
    JSValue error = JS_GetException(context);
    /* An interruption leaves promises that nobody can settle. Code that waits for such a promise is told by the call's
     * end. */
    if (interruption_tame(runtime, error)) {
        interruption_restart(runtime);
        JS_RunGC(runtime->engine);
    }
    if (JS_IsUndefined(runtime->on_uncaught_error)) {
        fail(runtime, error);
    } else {
        JSValue handler = JS_DupValue(context, runtime->on_uncaught_error);
        JSValue result = JS_Call(context, handler, JS_UNDEFINED, 1, (JSValueConst[]){error});
        if (JS_IsException(result)) {
            JSValue second = JS_GetException(context);
            if (!runtime->is_running)
                fail(runtime, second);
            JS_FreeValue(context, second);
        }
        JS_FreeValue(context, result);
        JS_FreeValue(context, handler);
    }
    JS_FreeValue(context, error);
}

static void drain_jobs(struct runtime *runtime) {
    JSContext *context;
    int result;
    while ((result = JS_ExecutePendingJob(runtime->engine, &context)) != 0) {
        quota_leave(runtime->quota, runtime->quota->reserve);
        if (result < 0)
            handle_exception(runtime);
        else
            interruption_persist(runtime);
    }
}

/* What follows every call from the loop. Consumes its result. */
static bool finish_call(struct runtime *runtime, JSValue result) {
    bool threw = JS_IsException(result);
    quota_leave(runtime->quota, runtime->quota->reserve);
    if (threw)
        handle_exception(runtime);
    JS_FreeValue(runtime->context, result);
    drain_jobs(runtime);
    return !threw;
}

bool runtime_call(struct runtime *runtime, JSValueConst function, int argc, JSValueConst *argv) {
    /* Held, because the call may replace the variable that holds the function. */
    JSValue held = JS_DupValue(runtime->context, function);
    interruption_restart(runtime);
    bool returned = finish_call(runtime, JS_Call(runtime->context, held, JS_UNDEFINED, argc, argv));
    JS_FreeValue(runtime->context, held);
    return returned;
}

bool runtime_invoke(struct runtime *runtime, JSValueConst object, JSAtom method, int argc, JSValueConst *argv) {
    JSValue held = JS_DupValue(runtime->context, object);
    interruption_restart(runtime);
    bool returned = finish_call(runtime, JS_Invoke(runtime->context, held, method, argc, argv));
    JS_FreeValue(runtime->context, held);
    return returned;
}

bool runtime_register_class(struct runtime *runtime, JSClassID *id, const JSClassDef *definition,
                            const JSCFunctionListEntry *members, int count) {
    JSContext *context = runtime->context;
    JS_NewClassID(runtime->engine, id);
    if (JS_NewClass(runtime->engine, *id, definition) < 0)
        return false;
    JSValue prototype = JS_NewObject(context);
    if (JS_IsException(prototype))
        return false;
    JS_SetClassProto(context, *id, prototype); /* which owns it from here on */
    return JS_SetPropertyFunctionList(context, prototype, members, count) == 0;
}

int runtime_set_exports(JSContext *context, JSModuleDef *module, const JSCFunctionListEntry *exports, int count) {
    if (JS_SetModuleExportList(context, module, exports, count) < 0)
        return -1;
    /* The engine (0.17.0) does not check whether there was memory for each function, and would export none. */
    return JS_HasException(context) ? -1 : 0;
}

/* The module's evaluation was rejected: start-up failed. */
static JSValue evaluation_rejected(JSContext *context, JSValueConst this_value, int argc, JSValueConst *argv) {
    (void)this_value;
    (void)argc;
    fail(runtime_of(context), argv[0]);
    return JS_UNDEFINED;
}

/* Returns the promise of the script's evaluation, or an exception. */
static JSValue evaluate(JSContext *context) {
    JSValue module = script_read(context);
    if (JS_IsException(module))
        return module;
    if (JS_ResolveModule(context, module) < 0) {
        JS_FreeValue(context, module);
        return JS_EXCEPTION;
    }
    return JS_EvalFunction(context, module);
}

/* Calls `evaluation_rejected` when the promise is rejected, now or later. Returns false when it threw instead. */
static bool watch_evaluation(JSContext *context, JSValueConst promise) {
    JSAtom then = JS_NewAtom(context, "then");
    JSValue rejected = JS_NewCFunction(context, evaluation_rejected, "evaluationRejected", 1);
    JSValue result = JS_EXCEPTION;
    if (then != JS_ATOM_NULL && !JS_IsException(rejected))
        result = JS_Invoke(context, promise, then, 2, (JSValueConst[]){JS_UNDEFINED, rejected});
    bool watched = !JS_IsException(result);
    JS_FreeValue(context, result);
    JS_FreeValue(context, rejected);
    JS_FreeAtom(context, then);
    return watched;
}

void runtime_evaluate(struct runtime *runtime) {
    JSContext *context = runtime->context;
    JSValue promise = evaluate(context);
    if (JS_IsException(promise) || !watch_evaluation(context, promise)) {
        JSValue error = JS_GetException(context);
        fail(runtime, error);
        JS_FreeValue(context, error);
    }
    JS_FreeValue(context, promise);
    drain_jobs(runtime);
}

bool runtime_evaluate_module(struct runtime *runtime, JSValue module) {
    JSValue promise = JS_EvalFunction(runtime->context, module);
    bool watched = !JS_IsException(promise) && watch_evaluation(runtime->context, promise);
    JS_FreeValue(runtime->context, promise);
    return watched;
}

bool runtime_turn(struct runtime *runtime) {
    rejection_report(runtime);
    return loop_turn(runtime->loop);
}

int runtime_run(struct runtime *runtime) {
    runtime->is_running = true;
    while (runtime_turn(runtime))
        ;
    return runtime->failed ? EX_SOFTWARE : loop_status(runtime->loop);
}

/* Besides the C modules, which are registered, there are the parts of the script, and no others. */
static JSModuleDef *load_module(JSContext *context, const char *name, void *opaque) {
    (void)opaque;
    JSValue module = script_part_read(context, name);
    if (JS_IsException(module))
        return NULL;
    JSModuleDef *definition = JS_VALUE_GET_PTR(module);
    JS_FreeValue(context, module); /* the context holds it */
    return definition;
}

/* The C modules. */
static bool (*const modules[])(struct runtime *runtime) = {
    mod_loop_register,
    mod_net_register,
    mod_system_register,
    mod_gpio_register,
    mod_sysfs_register,
    mod_storage_register,
    mod_serial_register,
    mod_hash_register,
    mod_utf8_register,
    mod_lexer_register,
    mod_files_register,
    mod_bus_register,
    mod_privileges_register,
    mod_script_register,
    mod_page_register,
    mod_guard_register,
    mod_memory_register,
};

static bool create_engine(struct runtime *runtime) {
    runtime->heap = engine_heap_create();
    if (!runtime->heap)
        return false;
    runtime->quota = engine_heap_quota(runtime->heap);
    runtime->engine = JS_NewRuntime2(&engine_heap_functions, runtime->heap);
    if (!runtime->engine)
        return false;
    JS_SetRuntimeOpaque(runtime->engine, runtime);
    JS_SetMaxStackSize(runtime->engine, STACK_SIZE);
    JS_SetGCThreshold(runtime->engine, GC_THRESHOLD);
    interruption_watch(runtime);
    memory_watch(runtime);
#ifndef NDEBUG
    /* What leaked is printed before the abort. Both have an effect when the engine is built with ENABLE_DUMPS. */
    JS_SetDumpFlags(runtime->engine, JS_ABORT_ON_LEAKS);
    setvbuf(stdout, NULL, _IONBF, 0);
#endif
    runtime->context = JS_NewContext(runtime->engine);
    if (!runtime->context) {
        /* quickjs-ng 0.17.0 may have freed the context and left it in the collector's list, which JS_FreeRuntime reads.
         * The heap gives the memory back, or the end of the process. */
        runtime->engine = NULL;
        return false;
    }
    JS_SetModuleLoaderFunc(runtime->engine, NULL, load_module, NULL);
    rejection_track(runtime);
    for (size_t i = 0; i < sizeof modules / sizeof modules[0]; i++)
        if (!modules[i](runtime))
            return false;
    return true;
}

struct runtime *runtime_create(int argc, char **argv) {
    struct runtime *runtime = calloc(1, sizeof *runtime);
    if (!runtime)
        return NULL;
    runtime->argc = argc;
    runtime->argv = argv;
    runtime->on_signal = runtime->on_unhandled_rejection = runtime->on_uncaught_error = JS_UNDEFINED;
    runtime->loop = loop_create();
    if (runtime->loop && create_engine(runtime))
        return runtime;
    runtime_free(runtime);
    return NULL;
}

void runtime_free(struct runtime *runtime) {
    if (runtime->context) {
        rejection_clear(runtime);
        JS_FreeAtom(runtime->context, runtime->origin);
        JS_FreeValue(runtime->context, runtime->interruption);
        worker_free(runtime->worker);
        mod_serial_release(runtime);
        mod_gpio_release(runtime);
        mod_net_release(runtime);
        mod_loop_release(runtime);
        loop_stop_timer(runtime->loop, &runtime->memory.cleaner);
        JS_FreeContext(runtime->context);
    }
    if (runtime->engine)
        JS_FreeRuntime(runtime->engine);
    if (runtime->heap)
        engine_heap_free(runtime->heap);
    free(runtime->gpio); /* finalizers run until here */
    free(runtime->net);
    free(runtime->serial);
    free(runtime->timers);
    free(runtime->account);
    if (runtime->loop)
        loop_free(runtime->loop);
    free(runtime);
}
