/* The JS module `nound:interruption` (ts/native/interruption.ts): calls that are interrupted when they use the
 * processor too long. */
#include "engine/interruption.h"
#include "engine/runtime.h"

SCRIPT_FUNCTION(script_limit_calls) {
    uint32_t limit;
    if (JS_ToUint32(context, &limit, argv[0]) < 0)
        return JS_EXCEPTION;
    interruption_set_limit(runtime_of(context), limit);
    return JS_UNDEFINED;
}

SCRIPT_FUNCTION(script_call) {
    return interruption_call(runtime_of(context), argv[0], argc > 1 ? argc - 1 : 0, argv + 1);
}

SCRIPT_FUNCTION(script_exempt) {
    return interruption_exempt(runtime_of(context), argv[0], argc > 1 ? argc - 1 : 0, argv + 1);
}

SCRIPT_FUNCTION(script_is_interruption) {
    return JS_NewBool(context, interruption_is(runtime_of(context), argv[0]));
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("limitCalls", 1, script_limit_calls),
    JS_CFUNC_DEF("call", 1, script_call),
    JS_CFUNC_DEF("exempt", 1, script_exempt),
    JS_CFUNC_DEF("isInterruption", 1, script_is_interruption),
};

const struct native_module mod_interruption = {.name = "nound:interruption", NATIVE_EXPORTS(exports)};
