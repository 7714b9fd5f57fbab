/*
 * The JS module `nound:sysfs` (ts/native/sysfs.ts): attributes of LEDs and PWM chips. This file has the directories; it
 * refuses a name that leads out of one.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "engine/handle.h"
#include "engine/runtime.h"
#include "files/sysfs_attribute.h"
#include "text/failure.h"
#include "text/text_argument.h"
#include "text/utf8.h"

struct device_class {
    const char *name; /* as the script says it */
    const char *path;
    const char *device; /* for people */
};

static const struct device_class classes[] = {
    {.name = "leds", .path = "/sys/class/leds", .device = "LED"},
    {.name = "pwm", .path = "/sys/class/pwm", .device = "PWM chip"},
};
static const size_t class_count = sizeof classes / sizeof classes[0];

struct attribute_folder {
    int fd;
    char path[]; /* for people */
};

/* Makes the object of an open folder. The object then owns the descriptor. If this fails, the descriptor is closed. */
static JSValue new_folder(JSContext *context, int fd, const char *parent, const char *name) {
    size_t size = strlen(parent) + strlen(name) + 2;
    struct attribute_folder *folder = malloc(sizeof *folder + size);
    JSValue object = handle_new(context, HANDLE_FOLDER, folder);
    if (JS_IsException(object)) {
        free(folder);
        close(fd);
        return object;
    }
    folder->fd = fd;
    snprintf(folder->path, size, "%s/%s", parent, name);
    return object;
}

#define TEXT "a name or a value in sysfs"

/* Throws why a device cannot be opened. If its class is there, and it is not, the failure has the devices there are. */
static JSValue throw_no_device(JSContext *context, const struct device_class *class, const char *device, int error) {
    struct failure failure;
    const bool has_class = access(class->path, F_OK) == 0;
    failure_note(&failure, "device", error, "%s" AND "%.128s" AND "%s" AND, class->device, device, class->path);
    failure_add(&failure, "%s" AND, has_class ? "has class" : "");
    if (error == ENOENT)
        failure_add_names(&failure, class->path, "");
    return failure_throw(context, &failure);
}

SCRIPT_FUNCTION(sysfs_open_device) {
    const struct device_class *class = NULL;
    TEXT_ARGUMENT(class_name, context, argv[0], TEXT);
    TEXT_ARGUMENT(device, context, argv[1], TEXT);
    if (!class_name || !device)
        return JS_EXCEPTION;
    for (size_t i = 0; i < class_count; i++)
        if (strcmp(classes[i].name, class_name) == 0)
            class = &classes[i];
    if (!class)
        return JS_ThrowTypeError(context, "openDevice expects the class \"leds\" or \"pwm\"");
    if (!sysfs_name_is_valid(device))
        return JS_ThrowPlainError(
            context,
            "\"%.64s\" is not the name of a device in %s; such a name has letters, digits and : . _ - @ , and "
            "does not begin with a dot",
            device,
            class->path);
    int directory = open(class->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int fd = directory >= 0 ? openat(directory, device, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    descriptor_close(directory);
    return fd >= 0 ? new_folder(context, fd, class->path, device) : throw_no_device(context, class, device, errno);
}

SCRIPT_FUNCTION(folder_has) {
    struct attribute_folder *folder = handle_of(context, this_value, HANDLE_FOLDER);
    TEXT_ARGUMENT(attribute, context, argv[0], TEXT);
    if (!folder || !attribute)
        return JS_EXCEPTION;
    struct stat status;
    bool has = sysfs_name_is_valid(attribute) && fstatat(folder->fd, attribute, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
               S_ISREG(status.st_mode);
    return JS_NewBool(context, has);
}

SCRIPT_FUNCTION(folder_read) {
    char text[SYSFS_PAGE + 1];
    struct attribute_folder *folder = handle_of(context, this_value, HANDLE_FOLDER);
    TEXT_ARGUMENT(attribute, context, argv[0], TEXT);
    if (!folder || !attribute)
        return JS_EXCEPTION;
    errno = EILSEQ;
    if (sysfs_read(folder->fd, attribute, text) && utf8_is_valid(text, strlen(text)))
        return JS_NewString(context, text);
    return failure_throw_new(context, "attribute", errno, "read %s/%s", folder->path, attribute);
}

SCRIPT_FUNCTION(folder_write) {
    struct attribute_folder *folder = handle_of(context, this_value, HANDLE_FOLDER);
    TEXT_ARGUMENT(attribute, context, argv[0], TEXT);
    TEXT_ARGUMENT(text, context, argv[1], TEXT);
    if (!folder || !attribute || !text)
        return JS_EXCEPTION;
    if (sysfs_write(folder->fd, attribute, text))
        return JS_UNDEFINED;
    return failure_throw_new(context, "attribute", errno, "write \"%.64s\" to %s/%s", text, folder->path, attribute);
}

SCRIPT_FUNCTION(folder_open) {
    struct attribute_folder *folder = handle_of(context, this_value, HANDLE_FOLDER);
    TEXT_ARGUMENT(name, context, argv[0], TEXT);
    if (!folder || !name)
        return JS_EXCEPTION;
    int fd = sysfs_await_folder(folder->fd, name);
    return fd >= 0 ? new_folder(context, fd, folder->path, name)
                   : failure_throw_new(context, "folder", errno, "%s/%s", folder->path, name);
}

static void free_folder(void *freeing) {
    close(((struct attribute_folder *)freeing)->fd);
    free(freeing);
}

static const JSCFunctionListEntry members[] = {
    HANDLE_TEXT("path", HANDLE_FOLDER),
    JS_CFUNC_DEF("has", 1, folder_has),
    JS_CFUNC_DEF("read", 1, folder_read),
    JS_CFUNC_DEF("write", 2, folder_write),
    JS_CFUNC_DEF("open", 1, folder_open),
};

const struct handle_type attribute_folder_type = {
    "AttributeFolder", HANDLE_MEMBERS(members), .text = offsetof(struct attribute_folder, path), .free = free_folder};

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("openDevice", 2, sysfs_open_device),
};

const struct native_module mod_sysfs = {.name = "nound:sysfs", NATIVE_EXPORTS(exports)};
