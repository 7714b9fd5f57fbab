/* The JS module `nound:page` (ts/native/page.ts): the page that the build has embedded. No code here interprets it. */
#include "engine/constant_pages.h"
#include "engine/page.h"
#include "engine/runtime.h"

/* Called with size 0 when the buffer is collected. It never gets another size, as the engine copies what it may not
 * change. */
static void *release(JSRuntime *engine, void *opaque, void *bytes, size_t size) {
    (void)engine, (void)opaque, (void)bytes, (void)size;
    constant_pages_release(nound_page, nound_page_size);
    return NULL;
}

/* The buffer is the constant itself: nothing is copied to the engine's heap. */
static JSValue page_bytes(JSContext *context, JSValueConst this_value, int argc, JSValueConst *argv) {
    (void)this_value, (void)argc, (void)argv;
    JSValue buffer =
        JS_NewArrayBuffer(context, (uint8_t *)(uintptr_t)nound_page, nound_page_size, 0, release, NULL, false);
    if (!JS_IsException(buffer))
        JS_SetImmutableArrayBuffer(buffer, true);
    return buffer;
}

static JSValue page_tag(JSContext *context, JSValueConst this_value, int argc, JSValueConst *argv) {
    (void)this_value, (void)argc, (void)argv;
    return JS_NewString(context, nound_page_tag);
}

static JSValue page_policy(JSContext *context, JSValueConst this_value, int argc, JSValueConst *argv) {
    (void)this_value, (void)argc, (void)argv;
    return JS_NewString(context, nound_page_policy);
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("bytes", 0, page_bytes),
    JS_CFUNC_DEF("tag", 0, page_tag),
    JS_CFUNC_DEF("policy", 0, page_policy),
};
static const int export_count = sizeof exports / sizeof exports[0];

static int initialize(JSContext *context, JSModuleDef *module) {
    return runtime_set_exports(context, module, exports, export_count);
}

bool mod_page_register(struct runtime *runtime) {
    constant_pages_set_apart(nound_page, nound_page_size);
    JSModuleDef *module = JS_NewCModule(runtime->context, "nound:page", initialize);
    return module && JS_AddModuleExportList(runtime->context, module, exports, export_count) == 0;
}
