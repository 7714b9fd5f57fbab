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

/* The buffer is a part of the constant itself: nothing is copied to the engine's heap. */
static JSValue buffer_of(JSContext *context, size_t part) {
    const size_t begin = part == 0 ? 0 : nound_page_ends[part - 1];
    const size_t size = nound_page_ends[part] - begin;
    JSValue buffer =
        JS_NewArrayBuffer(context, (uint8_t *)(uintptr_t)(nound_page + begin), size, 0, release, NULL, false);
    if (!JS_IsException(buffer))
        JS_SetImmutableArrayBuffer(buffer, true);
    return buffer;
}

SCRIPT_FUNCTION(page_bytes) {
    return buffer_of(context, 0);
}

SCRIPT_FUNCTION(page_words) {
    uint32_t place;
    if (JS_ToUint32(context, &place, argv[0]) != 0)
        return JS_EXCEPTION;
    if (place >= nound_page_parts - 1)
        return JS_ThrowRangeError(context, "there is no such language");
    return buffer_of(context, (size_t)place + 1);
}

SCRIPT_FUNCTION(page_languages) {
    return JS_NewString(context, nound_page_languages);
}

SCRIPT_FUNCTION(page_tag) {
    return JS_NewString(context, nound_page_tag);
}

SCRIPT_FUNCTION(page_policy) {
    return JS_NewString(context, nound_page_policy);
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("bytes", 0, page_bytes),
    JS_CFUNC_DEF("words", 1, page_words),
    JS_CFUNC_DEF("languages", 0, page_languages),
    JS_CFUNC_DEF("tag", 0, page_tag),
    JS_CFUNC_DEF("policy", 0, page_policy),
};

static bool open_module(struct runtime *runtime) {
    (void)runtime;
    constant_pages_set_apart(nound_page, nound_page_size);
    return true;
}

const struct native_module mod_page = {.name = "nound:page", NATIVE_EXPORTS(exports), .open = open_module};
