#include "engine/runtime.h"

#include <string.h>

#include "base/log_output.h"
#include "engine/interruption.h"
#include "engine/quota.h"
#include "engine/script_part.h"

/* Jobs that follow a call from the loop and are each as long as a call may be. */
#define SEPARATE_JOBS 1000

/* Prints an error for people: its message, and the stack if there is one. */
static void print_error(JSContext *context, JSValueConst error) {
    const char *message = JS_ToCString(context, error);
    log_output_print("nound: %.1016s", message ? message : "an error that cannot be shown");
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
    if (interruption_is(runtime, error)) {
        interruption_restart(runtime);
        JS_RunGC(runtime->engine);
    }
    if (JS_IsUndefined(runtime->on_uncaught_error)) {
        fail(runtime, error);
    } else {
        JSValue handler = JS_DupValue(context, runtime->on_uncaught_error);
        JSValue result = interruption_exempt(runtime, handler, 1, (JSValueConst[]){error});
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

/*
 * Jobs are the code of nouns after an `await`. The first ones may be those of many nouns, so each of them may use the
 * processor as long as a call may. The others count together, because they may be one chain without an end.
 */
static void drain_jobs(struct runtime *runtime) {
    JSContext *context;
    int result;
    struct busy outer = interruption_enter(runtime);
    for (uint32_t jobs = 0; (result = JS_ExecutePendingJob(runtime->engine, &context)) != 0; jobs++) {
        quota_leave(runtime->quota, runtime->quota->reserve);
        if (result < 0)
            handle_exception(runtime);
        else
            interruption_persist(runtime);
        if (jobs < SEPARATE_JOBS)
            interruption_restart(runtime);
    }
    interruption_leave(runtime, outer);
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
    bool returned = finish_call(runtime, JS_Call(runtime->context, held, JS_UNDEFINED, argc, argv));
    JS_FreeValue(runtime->context, held);
    return returned;
}

bool runtime_call_noun(struct runtime *runtime, JSValueConst function) {
    JSValue held = JS_DupValue(runtime->context, function);
    bool returned = finish_call(runtime, interruption_call(runtime, held, 0, NULL));
    JS_FreeValue(runtime->context, held);
    return returned;
}

bool runtime_invoke(struct runtime *runtime, JSValueConst object, JSAtom method, int argc, JSValueConst *argv) {
    JSValue held = JS_DupValue(runtime->context, object);
    bool returned = finish_call(runtime, JS_Invoke(runtime->context, held, method, argc, argv));
    JS_FreeValue(runtime->context, held);
    return returned;
}

/* The module's evaluation was rejected: start-up failed. */
SCRIPT_FUNCTION(evaluation_rejected) {
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
    struct busy outer = interruption_enter(runtime);
    JSValue promise = evaluate(context);
    if (JS_IsException(promise) || !watch_evaluation(context, promise)) {
        JSValue error = JS_GetException(context);
        fail(runtime, error);
        JS_FreeValue(context, error);
    }
    JS_FreeValue(context, promise);
    drain_jobs(runtime);
    interruption_leave(runtime, outer);
}
