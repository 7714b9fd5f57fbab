/* The JS module `nound:memory` (ts/native/memory.ts): how much memory the script may have. */
#include "engine/quota.h"
#include "engine/runtime.h"
#include "guard/memory.h"

SCRIPT_FUNCTION(memory_limit_memory_js) {
    uint32_t limit;
    if (JS_ToUint32(context, &limit, argv[0]) < 0)
        return JS_EXCEPTION;
    memory_set_limit(runtime_of(context), limit);
    return JS_UNDEFINED;
}

SCRIPT_FUNCTION(memory_is_scarce_js) {
    return JS_NewBool(context, memory_is_scarce(runtime_of(context)));
}

SCRIPT_FUNCTION(memory_used_bytes_js) {
    return JS_NewInt64(context, (int64_t)runtime_of(context)->quota->used);
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("limitMemory", 1, memory_limit_memory_js),
    JS_CFUNC_DEF("isScarce", 0, memory_is_scarce_js),
    JS_CFUNC_DEF("usedBytes", 0, memory_used_bytes_js),
};

const struct native_module mod_memory = {.name = "nound:memory", NATIVE_EXPORTS(exports)};
