/*
 * The JS module `nound:script` (ts/native/script.ts): evaluates an application that was not built in.
 *
 * The text comes from a file of the device, like the configuration; nothing of the network gets here.
 */
#include "runtime.h"

/*
 * Compiles and links first, so that what is wrong with the text is thrown at the caller. What the module itself throws
 * is reported as that of the embedded script is.
 */
static JSValue script_run(JSContext *context, JSValueConst this_value, int argc, JSValueConst *argv) {
    (void)this_value, (void)argc;
    size_t length;
    const char *name = JS_ToCString(context, argv[0]);
    const char *text = name ? JS_ToCStringLen(context, &length, argv[1]) : NULL;
    JSValue module = JS_EXCEPTION;
    /* With the barrier, stack traces end at the application: who runs it is nobody's business there. */
    if (text)
        module = JS_Eval(context,
                         text,
                         length,
                         name,
                         JS_EVAL_TYPE_MODULE | JS_EVAL_FLAG_COMPILE_ONLY | JS_EVAL_FLAG_BACKTRACE_BARRIER);
    JS_FreeCString(context, text);
    JS_FreeCString(context, name);
    if (JS_IsException(module))
        return JS_EXCEPTION;
    if (!mod_system_replace_args(runtime_of(context), argv[2])) {
        JS_FreeValue(context, module);
        return JS_EXCEPTION;
    }
    return runtime_evaluate_module(runtime_of(context), module) ? JS_UNDEFINED : JS_EXCEPTION;
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("run", 3, script_run),
};

static int initialize(JSContext *context, JSModuleDef *module) {
    return JS_SetModuleExportList(context, module, exports, 1);
}

bool mod_script_register(struct runtime *runtime) {
    JSModuleDef *module = JS_NewCModule(runtime->context, "nound:script", initialize);
    return module && JS_AddModuleExportList(runtime->context, module, exports, 1) == 0;
}
