/* The JS module `nound:guard` (ts/native/guard.ts): calls that are interrupted when they use the processor too long. */
#include "engine/interruption.h"
#include "engine/runtime.h"

static JSValue guard_limit_calls(JSContext *context, JSValueConst this_value, int argc, JSValueConst *argv) {
    (void)this_value, (void)argc;
    uint32_t limit;
    if (JS_ToUint32(context, &limit, argv[0]) < 0)
        return JS_EXCEPTION;
    interruption_set_limit(runtime_of(context), limit);
    return JS_UNDEFINED;
}

static JSValue guard_call(JSContext *context, JSValueConst this_value, int argc, JSValueConst *argv) {
    (void)this_value;
    return interruption_call(runtime_of(context), argv[0], argc > 1 ? argc - 1 : 0, argv + 1);
}

static JSValue guard_exempt(JSContext *context, JSValueConst this_value, int argc, JSValueConst *argv) {
    (void)this_value;
    return interruption_exempt(runtime_of(context), argv[0], argc > 1 ? argc - 1 : 0, argv + 1);
}

static JSValue guard_is_interruption(JSContext *context, JSValueConst this_value, int argc, JSValueConst *argv) {
    (void)this_value, (void)argc;
    return JS_NewBool(context, interruption_is(runtime_of(context), argv[0]));
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("limitCalls", 1, guard_limit_calls),
    JS_CFUNC_DEF("call", 1, guard_call),
    JS_CFUNC_DEF("exempt", 1, guard_exempt),
    JS_CFUNC_DEF("isInterruption", 1, guard_is_interruption),
};
static const int export_count = sizeof exports / sizeof exports[0];

static int initialize(JSContext *context, JSModuleDef *module) {
    return runtime_set_exports(context, module, exports, export_count);
}

bool mod_guard_register(struct runtime *runtime) {
    JSContext *context = runtime->context;
    JSModuleDef *module = JS_NewCModule(context, "nound:guard", initialize);
    return module && JS_AddModuleExportList(context, module, exports, export_count) == 0;
}
