/* The JS module `nound:memory` (ts/native/memory.ts): how much memory the script may have. */
#include "engine/quota.h"
#include "engine/runtime.h"
#include "guard/memory.h"

static JSValue memory_limit_memory_js(JSContext *context, JSValueConst this_value, int argc, JSValueConst *argv) {
    (void)this_value, (void)argc;
    uint32_t limit;
    if (JS_ToUint32(context, &limit, argv[0]) < 0)
        return JS_EXCEPTION;
    memory_set_limit(runtime_of(context), limit);
    return JS_UNDEFINED;
}

static JSValue memory_is_scarce_js(JSContext *context, JSValueConst this_value, int argc, JSValueConst *argv) {
    (void)this_value, (void)argc, (void)argv;
    return JS_NewBool(context, memory_is_scarce(runtime_of(context)));
}

static JSValue memory_used_bytes_js(JSContext *context, JSValueConst this_value, int argc, JSValueConst *argv) {
    (void)this_value, (void)argc, (void)argv;
    return JS_NewInt64(context, (int64_t)runtime_of(context)->quota->used);
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("limitMemory", 1, memory_limit_memory_js),
    JS_CFUNC_DEF("isScarce", 0, memory_is_scarce_js),
    JS_CFUNC_DEF("usedBytes", 0, memory_used_bytes_js),
};
static const int export_count = sizeof exports / sizeof exports[0];

static int initialize(JSContext *context, JSModuleDef *module) {
    return runtime_set_exports(context, module, exports, export_count);
}

bool mod_memory_register(struct runtime *runtime) {
    JSContext *context = runtime->context;
    JSModuleDef *module = JS_NewCModule(context, "nound:memory", initialize);
    return module && JS_AddModuleExportList(context, module, exports, export_count) == 0;
}
