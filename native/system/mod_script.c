/*
 * The JS module `nound:script` (ts/native/script.ts): evaluates parts of the script that are loaded when they are
 * needed. Their names are in the script itself (tools/bundle/deferred.mjs).
 */
#include "engine/runtime.h"
#include "engine/script_part.h"
#include "guard/memory.h"

/* Throws the error that the module has thrown. A module that waits at its top level is not ready yet. */
static JSValue expect_evaluated(JSContext *context, JSValueConst promise) {
    if (JS_PromiseState(context, promise) == JS_PROMISE_FULFILLED)
        return JS_UNDEFINED;
    if (JS_PromiseState(context, promise) == JS_PROMISE_REJECTED)
        return JS_Throw(context, JS_PromiseResult(context, promise));
    return JS_ThrowTypeError(context, "a part of the script waits at its top level");
}

SCRIPT_FUNCTION(script_load) {
    const char *name = JS_ToCString(context, argv[0]);
    JSValue module = name ? script_part_read(context, name) : JS_EXCEPTION;
    JS_FreeCString(context, name);
    if (JS_IsException(module))
        return JS_EXCEPTION;
    if (JS_VALUE_GET_TAG(module) != JS_TAG_MODULE)
        return JS_EvalFunction(context, module); /* a script: nothing but its value holds it */
    if (JS_ResolveModule(context, module) < 0) {
        JS_FreeValue(context, module);
        return JS_EXCEPTION;
    }
    JSModuleDef *definition = JS_VALUE_GET_PTR(module);
    JSValue promise = JS_EvalFunction(context, module); /* which frees the value; the context holds the module */
    JSValue result = JS_IsException(promise) ? JS_EXCEPTION : expect_evaluated(context, promise);
    JS_FreeValue(context, promise);
    return JS_IsException(result) ? result : JS_GetModuleNamespace(context, definition);
}

SCRIPT_FUNCTION(script_collect) {
    (void)argv;
    memory_collect(runtime_of(context));
    return JS_UNDEFINED;
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("collect", 0, script_collect),
    JS_CFUNC_DEF("load", 1, script_load),
};

const struct native_module mod_script = {.name = "nound:script", NATIVE_EXPORTS(exports)};
