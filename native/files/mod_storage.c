/* The JS module `nound:storage` (ts/native/storage.ts): small texts that survive the process. store.c keeps them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/handle.h"
#include "engine/runtime.h"
#include "files/store.h"
#include "guard/privileges.h"
#include "text/failure.h"
#include "text/text_argument.h"

struct script_store {
    int folder;
    char path[]; /* for people */
};

/* Makes the object of an open folder. The object then owns the descriptor. If this fails, the descriptor is closed. */
static JSValue new_store(JSContext *context, int folder, const char *path) {
    struct script_store *store = malloc(sizeof *store + strlen(path) + 1);
    JSValue object = handle_new(context, HANDLE_STORE, store);
    if (JS_IsException(object)) {
        free(store);
        close(folder);
        return object;
    }
    store->folder = folder;
    strcpy(store->path, path);
    return object;
}

SCRIPT_FUNCTION(storage_open_store) {
    const struct account *account = runtime_of(context)->account;
    struct failure distrust = {0};
    TEXT_ARGUMENT(path, context, argv[0], "the path of a folder");
    if (!path)
        return JS_EXCEPTION;
    int folder = store_open(path, account, &distrust);
    if (folder >= 0)
        return new_store(context, folder, path);
    if (!distrust.what)
        return failure_throw_new(context, "openStore", errno, "%s", path);
    failure_add(&distrust, AND "store states in %s", path);
    return failure_throw(context, &distrust);
}

/* Returns a text's name, for JS_FreeCString, or NULL with an exception. */
static const char *name_of(JSContext *context, JSValueConst value) {
    const char *name = text_argument(context, value, "the name of a text");
    if (name && store_name_is_valid(name))
        return name;
    if (name)
        JS_ThrowPlainError(
            context,
            "\"%.200s\" cannot be stored: a name has letters, digits and . _ ~ - and does not begin with a dot",
            name);
    JS_FreeCString(context, name);
    return NULL;
}

SCRIPT_FUNCTION(store_read_js) {
    struct script_store *store = handle_of(context, this_value, HANDLE_STORE);
    const char *name = store ? name_of(context, argv[0]) : NULL;
    if (!name)
        return JS_EXCEPTION;
    size_t length;
    char *text = store_read(store->folder, name, &length);
    /* A damaged text is another one than a text that was never kept: it fits nobody. */
    JSValue result = text              ? JS_NewStringLen(context, text, length)
                     : errno == ENOENT ? JS_UNDEFINED
                                       : JS_NewString(context, "");
    free(text);
    JS_FreeCString(context, name);
    return result;
}

static JSValue write_text(JSContext *context, const struct script_store *store, const char *name, const char *text,
                          size_t length) {
    errno = EFBIG;
    if (length <= STORE_LIMIT && store_write(store->folder, name, text, length))
        return JS_UNDEFINED;
    return failure_throw_new(context, "writeStore", errno, "%s/%s" AND "%d", store->path, name, STORE_LIMIT);
}

SCRIPT_FUNCTION(store_write_js) {
    size_t length;
    struct script_store *store = handle_of(context, this_value, HANDLE_STORE);
    const char *name = store ? name_of(context, argv[0]) : NULL;
    const char *text = name ? JS_ToCStringLen(context, &length, argv[1]) : NULL;
    JSValue result = text ? write_text(context, store, name, text, length) : JS_EXCEPTION;
    JS_FreeCString(context, text);
    JS_FreeCString(context, name);
    return result;
}

SCRIPT_FUNCTION(store_remove_js) {
    struct script_store *store = handle_of(context, this_value, HANDLE_STORE);
    const char *name = store ? name_of(context, argv[0]) : NULL;
    if (!name)
        return JS_EXCEPTION;
    JSValue result = store_remove(store->folder, name)
                         ? JS_UNDEFINED
                         : JS_ThrowPlainError(context, "cannot delete %s/%s: %s", store->path, name, strerror(errno));
    JS_FreeCString(context, name);
    return result;
}

struct name_list {
    JSContext *context;
    JSValue array;
    int64_t count;
};

static bool add_name(void *context, const char *name) {
    struct name_list *list = context;
    JSValue text = JS_NewString(list->context, name);
    return !JS_IsException(text) && JS_SetPropertyInt64(list->context, list->array, list->count++, text) >= 0;
}

SCRIPT_FUNCTION(store_names_js) {
    (void)argv;
    struct script_store *store = handle_of(context, this_value, HANDLE_STORE);
    struct name_list list = {.context = context, .array = store ? JS_NewArray(context) : JS_EXCEPTION};
    if (JS_IsException(list.array) || store_list(store->folder, add_name, &list))
        return list.array;
    JS_FreeValue(context, list.array);
    if (JS_HasException(context))
        return JS_EXCEPTION;
    return JS_ThrowPlainError(context, "cannot list %s: %s", store->path, strerror(errno));
}

static void free_store(void *freeing) {
    close(((struct script_store *)freeing)->folder);
    free(freeing);
}

static const JSCFunctionListEntry members[] = {
    JS_CFUNC_DEF("read", 1, store_read_js),
    JS_CFUNC_DEF("write", 2, store_write_js),
    JS_CFUNC_DEF("names", 0, store_names_js),
    JS_CFUNC_DEF("remove", 1, store_remove_js),
};

const struct handle_type store_type = {"Store", HANDLE_MEMBERS(members), .free = free_store};

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("openStore", 1, storage_open_store),
};

const struct native_module mod_storage = {.name = "nound:storage", NATIVE_EXPORTS(exports)};
