/*
 * The JS module `nound:system` (ts/native/system.ts): the process's surroundings.
 * The build gives NOUND_VERSION, NOUND_TARGET and NOUND_PARTS, all of them strings.
 */
#define _GNU_SOURCE 1

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/log_output.h"
#include "engine/runtime.h"
#include "engine/value.h"
#include "files/file_text.h"
#include "guard/privileges.h"
#include "system/system_clock.h"
#include "system/watchdog.h"
#include "text/failure.h"
#include "text/hexadecimal.h"
#include "text/text_argument.h"
#include "text/utf8.h"
#include "trust/file_trust.h"

#define RANDOM_BYTES 256     /* what getrandom(2) returns in one piece, even if signals come */
#define HOST_NAME_BYTES 256  /* _POSIX_HOST_NAME_MAX with its end */
#define OUTPUT_PATIENCE 1000 /* ms to wait for a reader that made its pipe non-blocking, before the rest is dropped */

/* Makes a string of text from the operator; each byte that is not UTF-8 becomes U+FFFD. */
static JSValue string_of_operator(JSContext *context, const char *text) {
    static const char replacement[] = "\xef\xbf\xbd";
    size_t size = strlen(text), length = 0;
    if (utf8_is_valid(text, size))
        return JS_NewStringLen(context, text, size);
    char *corrected = malloc(3 * size);
    if (!corrected)
        return JS_ThrowOutOfMemory(context);
    while (size > 0) {
        size_t character = utf8_character(text, size);
        const char *from = character > 0 ? text : replacement;
        size_t bytes = character > 0 ? character : sizeof replacement - 1;
        memcpy(corrected + length, from, bytes);
        length += bytes;
        text += character > 0 ? character : 1;
        size -= character > 0 ? character : 1;
    }
    JSValue string = JS_NewStringLen(context, corrected, length);
    free(corrected);
    return string;
}

SCRIPT_FUNCTION(system_environment) {
    TEXT_ARGUMENT(name, context, argv[0], "the name of a variable");
    if (!name)
        return JS_EXCEPTION;
    const char *value = getenv(name);
    return value ? string_of_operator(context, value) : JS_UNDEFINED;
}

/* The users who may have written a file. */
enum trust { TRUST_ANYONE, TRUST_ROOT_AND_SELF };

static JSValue read_text_file(JSContext *context, const char *path, size_t limit, enum trust trust) {
    const struct account *account = runtime_of(context)->account;
    size_t length = 0;
    struct failure distrust = {0};
    /* Non-blocking, as opening a FIFO would wait for its writer. */
    const int flags = O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK;
    int fd = trust == TRUST_ANYONE
                 ? open(path, flags)
                 : file_trust_open(path, flags, account->chosen ? account->user : geteuid(), &distrust);
    if (fd < 0 && !distrust.what)
        return failure_throw_new(context, "open", errno, "read" AND "%s", path);
    if (fd < 0) {
        failure_add(&distrust, AND "trust %s", path);
        return failure_throw(context, &distrust);
    }
    char *text = file_text_read(fd, limit, &length);
    const int error = errno;
    close(fd);
    if (!text)
        return failure_throw_new(context, "use", error, "read" AND "%s", path);
    JSValue string = JS_NewStringLen(context, text, length);
    free(text);
    return string;
}

/* Reads the third argument of readTextFile. Returns false with an exception. */
static bool read_trust(JSContext *context, JSValueConst value, enum trust *trust) {
    *trust = TRUST_ANYONE;
    if (JS_IsUndefined(value))
        return true;
    const char *word = JS_ToCString(context, value);
    if (!word)
        return false;
    bool is_known = strcmp(word, "always") == 0 || strcmp(word, "asRoot") == 0;
    if (!is_known)
        JS_ThrowTypeError(context, "readTextFile expects \"always\" or \"asRoot\" for when to demand trust");
    else if (strcmp(word, "always") == 0 || geteuid() == 0)
        *trust = TRUST_ROOT_AND_SELF;
    JS_FreeCString(context, word);
    return is_known;
}

SCRIPT_FUNCTION(system_read_text_file) {
    double limit;
    enum trust trust;
    if (JS_ToFloat64(context, &limit, argv[1]) < 0 || !read_trust(context, argv[2], &trust))
        return JS_EXCEPTION;
    if (!(limit >= 0 && limit <= INT32_MAX))
        return JS_ThrowRangeError(context, "readTextFile expects a limit of 0 to 2147483647 bytes");
    TEXT_ARGUMENT(path, context, argv[0], "the path of a file");
    return path ? read_text_file(context, path, (size_t)limit, trust) : JS_EXCEPTION;
}

/* Returns the name of the group, or its number without one; "" for root's. */
static JSValue group_name(JSContext *context, gid_t number) {
    const struct group *group = getgrgid(number);
    char digits[24];
    snprintf(digits, sizeof digits, "%lu", (unsigned long)number);
    return string_of_operator(context, number == 0 ? "" : group ? group->gr_name : digits);
}

static JSValue new_access(JSContext *context, const char *path, const struct stat *status) {
    const mode_t both = S_IRGRP | S_IWGRP;
    const bool is_readable = faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0;
    const bool is_writable = faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0;
    JSValue group = group_name(context, (status->st_mode & both) == both ? status->st_gid : 0);
    JSValue access = JS_NewObject(context);
    value_define(context, &access, "group", group);
    value_define(context, &access, "isReadable", JS_NewBool(context, is_readable));
    value_define(context, &access, "isWritable", JS_NewBool(context, is_writable));
    const mode_t all = S_ISDIR(status->st_mode) ? S_IXOTH : S_IROTH;
    value_define(context, &access, "isPublic", JS_NewBool(context, (status->st_mode & all) != 0));
    return access;
}

SCRIPT_FUNCTION(system_access_of) {
    struct stat status;
    TEXT_ARGUMENT(path, context, argv[0], "the path of a file");
    if (!path)
        return JS_EXCEPTION;
    return stat(path, &status) == 0 ? new_access(context, path, &status) : JS_UNDEFINED;
}

/* Leaves out `.` and `..`. */
static int is_entry(const struct dirent *entry) {
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/* names(folder, prefix): a folder that cannot be read has none. */
SCRIPT_FUNCTION(system_names) {
    TEXT_ARGUMENT(folder, context, argv[0], "the path of a folder");
    TEXT_ARGUMENT(prefix, context, argv[1], "a prefix");
    struct dirent **entries = NULL;
    if (!folder || !prefix)
        return JS_EXCEPTION;
    const int count = scandir(folder, &entries, is_entry, versionsort);
    JSValue names = JS_NewArray(context);
    uint32_t length = 0;
    for (int i = 0; i < count; i++) {
        if (strncmp(entries[i]->d_name, prefix, strlen(prefix)) == 0)
            value_set_element(context, &names, length++, string_of_operator(context, entries[i]->d_name));
        free(entries[i]);
    }
    free(entries);
    return names;
}

SCRIPT_FUNCTION(system_kernel_release) {
    struct utsname name;
    return string_of_operator(context, uname(&name) == 0 ? name.release : "");
}

SCRIPT_FUNCTION(system_random_hex) {
    uint8_t bytes[RANDOM_BYTES];
    uint32_t count;
    if (JS_ToUint32(context, &count, argv[0]) < 0)
        return JS_EXCEPTION;
    if (count < 1 || count > RANDOM_BYTES)
        return JS_ThrowRangeError(context, "randomHex expects 1 to %d bytes", RANDOM_BYTES);
    /* Until the kernel has gathered randomness after boot, this waits or fails. Signals may interrupt the wait. */
    unsigned flags = JS_ToBool(context, argv[1]) ? 0 : GRND_NONBLOCK;
    if (UNINTERRUPTED(getrandom(bytes, count, flags)) != (ssize_t)count)
        return JS_ThrowPlainError(context, "the kernel gives no random numbers: %s", strerror(errno));
    return hexadecimal_new(context, bytes, count);
}

SCRIPT_FUNCTION(system_host_name) {
    char name[HOST_NAME_BYTES];
    if (gethostname(name, sizeof name) < 0)
        return JS_ThrowPlainError(context, "this host has no name: %s", strerror(errno));
    name[sizeof name - 1] = 0; /* a longer name need not be terminated */
    name[strcspn(name, ".")] = 0;
    return string_of_operator(context, name);
}

SCRIPT_FUNCTION(system_source_date) {
    return JS_NewInt64(context, system_clock_source_date());
}

SCRIPT_FUNCTION(system_is_access_required) {
    (void)context;
#ifdef NOUND_ACCESS_REQUIRED
    return JS_TRUE;
#else
    return JS_FALSE;
#endif
}

SCRIPT_FUNCTION(system_is_clock_synchronized) {
    return JS_NewBool(context, system_clock_is_synchronized());
}

/* Writes all of it and ignores failures such as a broken pipe or a full disk. */
static void write_whole(int fd, const char *text, size_t length) {
    while (length > 0) {
        ssize_t written = write(fd, text, length);
        if (written >= 0) {
            text += written;
            length -= (size_t)written;
        } else if (errno == EAGAIN) {
            struct pollfd wait = {.fd = fd, .events = POLLOUT};
            if (poll(&wait, 1, OUTPUT_PATIENCE) <= 0)
                return;
        } else if (errno != EINTR) {
            return;
        }
    }
}

/* magic: the descriptor to write to. */
static JSValue system_print(JSContext *context, JSValueConst this_value, int argc, JSValueConst *argv, int magic) {
    (void)this_value, (void)argc;
    size_t length;
    const char *text = JS_ToCStringLen(context, &length, argv[0]);
    if (!text)
        return JS_EXCEPTION;
    write_whole(magic, text, length);
    JS_FreeCString(context, text);
    return JS_UNDEFINED;
}

SCRIPT_FUNCTION(system_log) {
    size_t length;
    const char *line = JS_ToCStringLen(context, &length, argv[0]);
    if (!line)
        return JS_EXCEPTION;
    log_output_line(line, length);
    JS_FreeCString(context, line);
    return JS_UNDEFINED;
}

SCRIPT_FUNCTION(system_on_failure) {
    struct runtime *runtime = runtime_of(context);
    JSValue before = runtime->explain;
    runtime->explain = JS_DupValue(context, argv[0]);
    JS_FreeValue(context, before);
    return JS_UNDEFINED;
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("environment", 1, system_environment),
    JS_CFUNC_DEF("readTextFile", 3, system_read_text_file),
    JS_CFUNC_DEF("accessOf", 1, system_access_of),
    JS_CFUNC_DEF("names", 2, system_names),
    JS_CFUNC_DEF("kernelRelease", 0, system_kernel_release),
    JS_CFUNC_DEF("randomHex", 2, system_random_hex),
    JS_CFUNC_DEF("hostName", 0, system_host_name),
    JS_CFUNC_DEF("sourceDate", 0, system_source_date),
    JS_CFUNC_DEF("isAccessRequired", 0, system_is_access_required),
    JS_CFUNC_DEF("isClockSynchronized", 0, system_is_clock_synchronized),
    JS_CFUNC_MAGIC_DEF("printOutput", 1, system_print, STDOUT_FILENO),
    JS_CFUNC_MAGIC_DEF("printError", 1, system_print, STDERR_FILENO),
    JS_CFUNC_DEF("log", 1, system_log),
    JS_CFUNC_DEF("onFailure", 1, system_on_failure),
    JS_PROP_STRING_DEF("version", NOUND_VERSION, JS_PROP_ENUMERABLE),
    JS_PROP_STRING_DEF("parts", NOUND_PARTS, JS_PROP_ENUMERABLE),
    JS_PROP_STRING_DEF("contact", NOUND_CONTACT, JS_PROP_ENUMERABLE),
};

static JSValue new_args(JSContext *context, int argc, char **argv) {
    JSValue args = JS_NewArray(context);
    for (int i = 1; i < argc; i++)
        value_set_element(context, &args, (uint32_t)i - 1, string_of_operator(context, argv[i]));
    if (!JS_IsException(args) && JS_FreezeObject(context, args) < 0)
        value_spoil(context, &args);
    return args;
}

static JSValue new_build(JSContext *context) {
    char text[128];
    snprintf(text, sizeof text, "quickjs-ng %s, %s", JS_GetVersion(), NOUND_TARGET);
    return JS_NewString(context, text);
}

static int initialize(JSContext *context, JSModuleDef *module) {
    struct runtime *runtime = runtime_of(context);
    JSValue args = new_args(context, runtime->argc, runtime->argv);
    if (JS_IsException(args) || JS_SetModuleExport(context, module, "args", args) < 0)
        return -1;
    JSValue build = new_build(context);
    if (JS_IsException(build) || JS_SetModuleExport(context, module, "build", build) < 0)
        return -1;
    return 0;
}

static bool open_module(struct runtime *runtime) {
    runtime->watchdog = watchdog_begin(runtime->loop);
    return true;
}

static void release(struct runtime *runtime) {
    watchdog_end(runtime->watchdog);
    JS_FreeValue(runtime->context, runtime->explain);
}

const struct native_module mod_system = {
    .name = "nound:system",
    NATIVE_EXPORTS(exports),
    .values = {"args", "build"},
    .initialize = initialize,
    .open = open_module,
    .release = release,
};
