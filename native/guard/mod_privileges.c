/*
 * The JS module `nound:privileges` (ts/native/privileges.ts): gives up rights of the process once everything is open.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/runtime.h"
#include "guard/landlock.h"
#include "guard/privileges.h"
#include "guard/seccomp.h"
#include "keeper/keeper.h"
#include "loop/job.h"
#include "text/sentence.h"
#include "text/text_argument.h"

struct path_list {
    size_t count, capacity;
    struct landlock_path *paths; /* the text of each is for JS_FreeCString */
};

enum { CHOOSE, FIND };

/* chooseAccount(user, group?) and findAccount(user, group?) */
static JSValue privileges_account(JSContext *context, JSValueConst this_value, int argc, JSValueConst *argv, int what) {
    (void)this_value, (void)argc;
    struct runtime *runtime = runtime_of(context);
    struct failure failure;
    bool has_group = !JS_IsUndefined(argv[1]);
    TEXT_ARGUMENT(user, context, argv[0], "a user");
    TEXT_ARGUMENT(given, context, argv[1], "a group");
    const char *group = has_group ? given : NULL;
    if (!user || !given)
        return JS_EXCEPTION;
    bool found = what == CHOOSE ? privileges_find(user, group, runtime->account, &failure)
                                : privileges_exist(user, group, &failure);
    return found ? JS_UNDEFINED : failure_throw(context, &failure);
}

static bool add_path(JSContext *context, struct path_list *list, JSValueConst value, bool writable) {
    if (list->count == list->capacity) {
        size_t capacity = list->capacity > 0 ? 2 * list->capacity : 4;
        struct landlock_path *paths = realloc(list->paths, capacity * sizeof *paths);
        if (!paths) {
            JS_ThrowOutOfMemory(context);
            return false;
        }
        list->paths = paths;
        list->capacity = capacity;
    }
    const char *path = text_argument(context, value, "a path");
    if (path)
        list->paths[list->count++] = (struct landlock_path){.path = path, .writable = writable};
    return path != NULL;
}

/* Adds the paths of an array in a property; undefined is none. Returns false with an exception. */
static bool add_paths(JSContext *context, struct path_list *list, JSValueConst options, const char *name,
                      bool writable) {
    JSValue paths = JS_IsObject(options) ? JS_GetPropertyStr(context, options, name) : JS_UNDEFINED;
    int64_t length = 0;
    bool added = !JS_IsException(paths) && (JS_IsUndefined(paths) || JS_GetLength(context, paths, &length) == 0);
    for (int64_t i = 0; added && i < length; i++) {
        JSValue path = JS_GetPropertyInt64(context, paths, i);
        added = !JS_IsException(path) && add_path(context, list, path, writable);
        JS_FreeValue(context, path);
    }
    JS_FreeValue(context, paths);
    return added;
}

static JSValue describe(JSContext *context, const struct account *account, int landlock, const char *obstacle) {
    struct sentence said = {0};
    if (account->chosen)
        sentence_say(&said, "user %lu, group %lu, ", (unsigned long)account->user, (unsigned long)account->group);
    sentence_add(&said, "no capabilities, ");
    if (landlock > 0)
        sentence_add(&said, "files restricted by Landlock %d, ", landlock);
    else
        sentence_add(&said, "files not restricted, because this kernel has no Landlock, ");
    if (obstacle)
        sentence_add(&said, "system calls not restricted, %s", obstacle);
    else
        sentence_add(&said, "system calls restricted by seccomp");
    return JS_NewStringLen(context, said.text, said.length);
}

/* Returns whether the process may write to attributes later: outputs, which have a thread of their own. */
static bool has_outputs(const struct path_list *list) {
    for (size_t i = 0; i < list->count; i++)
        if (list->paths[i].writable && strncmp(list->paths[i].path, "/sys/", strlen("/sys/")) == 0)
            return true;
    return false;
}

/*
 * Gives up all rights. The kernel restricts one thread and those that it starts later, so there must be no other thread
 * meanwhile. The worker's threads are started again if it had some, or has files or devices to open later. Returns the
 * version of Landlock, or -1 with the reason.
 */
static int give_up(struct runtime *runtime, const struct path_list *list, struct sentence *reason) {
    bool needs_threads = runtime->worker != NULL || list->count > 0;
    if (runtime->worker && !worker_pause(runtime->worker)) {
        sentence_say(reason, "cannot restrict the process: a device does not answer and blocks a thread");
        return -1;
    }
    int landlock =
        privileges_drop(runtime->account, reason)
            ? landlock_restrict(&(struct landlock_reach){.paths = list->paths, .path_count = list->count}, reason)
            : -1;
    if (landlock < 0)
        return -1;
    keeper_end_with(); /* another user has cleared that */
    if (needs_threads && !job_prepare(runtime, has_outputs(list))) {
        sentence_say(reason, "cannot start a thread: %s", strerror(errno));
        return -1;
    }
    if (needs_threads)
        worker_settle(runtime->worker);
    return seccomp_restrict(&seccomp_nouns, reason) ? landlock
                                                    : -1; /* the last: no thread can be started from here on */
}

SCRIPT_FUNCTION(privileges_restrict) {
    struct runtime *runtime = runtime_of(context);
    struct sentence reason = {0};
    struct path_list list = {0};
    JSValue result = JS_EXCEPTION;
    if (add_paths(context, &list, argv[0], "readable", false) && add_paths(context, &list, argv[0], "writable", true)) {
        tzset(); /* reads /etc/localtime, which cannot be opened later */
        const char *obstacle = seccomp_obstacle();
        int landlock = give_up(runtime, &list, &reason);
        runtime->account->given_up = landlock >= 0;
        result =
            landlock < 0 ? sentence_throw(context, &reason) : describe(context, runtime->account, landlock, obstacle);
    }
    for (size_t i = 0; i < list.count; i++)
        JS_FreeCString(context, list.paths[i].path);
    free(list.paths);
    return result;
}

SCRIPT_FUNCTION(privileges_is_restricted) {
    return JS_NewBool(context, runtime_of(context)->account->given_up);
}

SCRIPT_FUNCTION(privileges_restrictions) {
    return describe(context, runtime_of(context)->account, landlock_version(), seccomp_obstacle());
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_MAGIC_DEF("chooseAccount", 2, privileges_account, CHOOSE),
    JS_CFUNC_MAGIC_DEF("findAccount", 2, privileges_account, FIND),
    JS_CFUNC_DEF("restrict", 1, privileges_restrict),
    JS_CFUNC_DEF("isRestricted", 0, privileges_is_restricted),
    JS_CFUNC_DEF("restrictions", 0, privileges_restrictions),
};

static bool open_module(struct runtime *runtime) {
    runtime->account = calloc(1, sizeof *runtime->account);
    return runtime->account != NULL;
}

const struct native_module mod_privileges = {.name = "nound:privileges", NATIVE_EXPORTS(exports), .open = open_module};
