/* The JS module `nound:guard` (ts/native/guard.ts): calls that are interrupted when they use the processor too long. */
#include "engine/interruption.h"
#include "engine/runtime.h"

SCRIPT_FUNCTION(guard_limit_calls) {
    uint32_t limit;
    if (JS_ToUint32(context, &limit, argv[0]) < 0)
        return JS_EXCEPTION;
    interruption_set_limit(runtime_of(context), limit);
    return JS_UNDEFINED;
}

SCRIPT_FUNCTION(guard_call) {
    return interruption_call(runtime_of(context), argv[0], argc > 1 ? argc - 1 : 0, argv + 1);
}

SCRIPT_FUNCTION(guard_exempt) {
    return interruption_exempt(runtime_of(context), argv[0], argc > 1 ? argc - 1 : 0, argv + 1);
}

SCRIPT_FUNCTION(guard_is_interruption) {
    return JS_NewBool(context, interruption_is(runtime_of(context), argv[0]));
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("limitCalls", 1, guard_limit_calls),
    JS_CFUNC_DEF("call", 1, guard_call),
    JS_CFUNC_DEF("exempt", 1, guard_exempt),
    JS_CFUNC_DEF("isInterruption", 1, guard_is_interruption),
};

const struct native_module mod_guard = {.name = "nound:guard", NATIVE_EXPORTS(exports)};
