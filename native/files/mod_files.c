/*
 * The JS module `nound:files` (ts/native/files.ts): files read and written by the worker threads, because those of
 * devices may be slow.
 */
#define _GNU_SOURCE 1
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/owner.h"
#include "engine/value.h"
#include "files/file_text.h"
#include "loop/job.h"
#include "text/text_argument.h"
#include "text/utf8.h"

#define LARGEST_LIMIT (1 << 20) /* bytes of a text, names of a folder */
#define MOST_TEXTS 16           /* files that one job reads */

struct file_job {
    struct job job;
    char *path;
    char *within;          /* the folder whose file system it must be on, or NULL */
    size_t limit;          /* bytes to read, or names to list */
    char *text;            /* what was read, or is to be written; names of a folder with a NUL after each */
    size_t length;         /* bytes of it */
    struct file_job *next; /* is done next by the same job, and freed with this one; NULL for the last */
};

static void free_file_job(JSContext *context, struct job *job) {
    (void)context;
    for (struct file_job *file = owner_of(job, struct file_job, job), *next; file; file = next) {
        next = file->next;
        free(file->path);
        free(file->within);
        free(file->text);
        free(file);
    }
}

static bool has_parent_segment(const char *path) {
    for (const char *at = strstr(path, "/.."); at; at = strstr(at + 3, "/.."))
        if (at[3] == '/' || at[3] == '\0')
            return true;
    return false;
}

/* Returns whether the path's own text leads to where it must. */
static bool path_is_within(const struct file_job *file) {
    size_t length = file->within ? strlen(file->within) : 0;
    return !file->within || (strncmp(file->path, file->within, length) == 0 && file->path[length] == '/' &&
                             !has_parent_segment(file->path));
}

/* Returns whether a file is where it must be: a symbolic link may have led to another file system. */
static bool is_within(const struct file_job *file, int fd) {
    struct stat folder, status;
    return !file->within ||
           (stat(file->within, &folder) == 0 && fstat(fd, &status) == 0 && folder.st_dev == status.st_dev);
}

/* Opens the file. Returns its descriptor, or -1; the job has failed then. */
static int open_file(struct file_job *file, const char *what, int flags) {
    if (!path_is_within(file)) {
        failure_note(&file->job.failure, "outside", 0, "%s" AND "%.256s" AND "%.128s", what, file->path, file->within);
        return -1;
    }
    /* Non-blocking, as opening a FIFO would wait for its other end. */
    int fd = open(file->path, flags | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        failure_note(&file->job.failure, "open", errno, "%s" AND "%.256s", what, file->path);
        return -1;
    }
    if (is_within(file, fd))
        return fd;
    failure_note(&file->job.failure, "link", 0, "%s" AND "%.256s" AND "%.128s", what, file->path, file->within);
    close(fd);
    return -1;
}

static void read_text(struct job *job) {
    struct file_job *file = owner_of(job, struct file_job, job);
    int fd = open_file(file, "read", O_RDONLY);
    if (fd < 0)
        return;
    file->text = file_text_read(fd, file->limit, &file->length);
    if (!file->text)
        failure_note(&job->failure, "use", errno, "read" AND "%.256s", file->path);
    close(fd);
}

static JSValue text_result(JSContext *context, struct job *job) {
    const struct file_job *file = owner_of(job, struct file_job, job);
    return JS_NewStringLen(context, file->text, file->length);
}

static void read_texts(struct job *job) {
    for (struct file_job *file = owner_of(job, struct file_job, job); file && !job->failure.what; file = file->next) {
        read_text(&file->job);
        job->failure = file->job.failure;
    }
}

static JSValue texts_result(JSContext *context, struct job *job) {
    JSValue texts = JS_NewArray(context);
    uint32_t index = 0;
    for (struct file_job *file = owner_of(job, struct file_job, job); file; file = file->next)
        value_set_element(context, &texts, index++, text_result(context, &file->job));
    return texts;
}

static void write_text(struct job *job) {
    struct file_job *file = owner_of(job, struct file_job, job);
    int fd = open_file(file, "write", O_WRONLY);
    if (fd < 0)
        return;
    struct stat status;
    errno = EISDIR;
    if (fstat(fd, &status) < 0 || !S_ISREG(status.st_mode) || !descriptor_write_value(fd, file->text, file->length))
        failure_note(&job->failure, "use", errno, "write \"%.64s\" to" AND "%.256s", file->text, file->path);
    close(fd);
}

static JSValue no_result(JSContext *context, struct job *job) {
    (void)context, (void)job;
    return JS_UNDEFINED;
}

/* Adds a name to the list. Returns false without memory. */
static bool add_name(struct file_job *file, size_t *capacity, const char *name) {
    size_t size = strlen(name) + 1;
    if (file->length + size > *capacity) {
        size_t wanted = 2 * *capacity + size + 256;
        char *text = realloc(file->text, wanted);
        if (!text)
            return false;
        file->text = text;
        *capacity = wanted;
    }
    memcpy(file->text + file->length, name, size);
    file->length += size;
    return true;
}

/* Returns 0, or an error's number: E2BIG with too many entries. */
static int list_names(struct file_job *file, DIR *entries) {
    size_t capacity = 0, count = 0;
    errno = 0;
    for (const struct dirent *entry; (entry = readdir(entries)); errno = 0) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            !utf8_is_valid(entry->d_name, strlen(entry->d_name)))
            continue;
        if (++count > file->limit)
            return E2BIG;
        if (!add_name(file, &capacity, entry->d_name))
            return ENOMEM;
    }
    return errno;
}

static void list_folder(struct job *job) {
    struct file_job *file = owner_of(job, struct file_job, job);
    int fd = open_file(file, "list", O_RDONLY | O_DIRECTORY);
    if (fd < 0)
        return;
    DIR *entries = fdopendir(fd);
    const int error = entries ? list_names(file, entries) : errno;
    if (entries)
        closedir(entries);
    else
        close(fd);
    if (error != 0)
        failure_note(&job->failure, "use", error, "list" AND "%.256s", file->path);
}

static JSValue names_result(JSContext *context, struct job *job) {
    const struct file_job *file = owner_of(job, struct file_job, job);
    JSValue names = JS_NewArray(context);
    uint32_t index = 0;
    for (size_t at = 0; at < file->length; at += strlen(file->text + at) + 1)
        value_set_element(context, &names, index++, JS_NewString(context, file->text + at));
    return names;
}

/* Copies a text argument. Returns NULL with an exception. */
static char *copy_text(JSContext *context, JSValueConst value, const char *what) {
    const char *text = text_argument(context, value, what);
    char *copy = text ? strdup(text) : NULL;
    if (text && !copy)
        JS_ThrowOutOfMemory(context);
    JS_FreeCString(context, text);
    return copy;
}

/* Makes the job of a path and of the folder it must be within, if any. Returns NULL with an exception. */
static struct file_job *new_file_job(JSContext *context, JSValueConst path, JSValueConst within) {
    struct file_job *file = calloc(1, sizeof *file);
    if (!file) {
        JS_ThrowOutOfMemory(context);
        return NULL;
    }
    bool copied = (file->path = copy_text(context, path, "the path of a file")) &&
                  (JS_IsUndefined(within) || (file->within = copy_text(context, within, "the path of a folder")));
    if (copied && file->path[0] != '/') {
        JS_ThrowPlainError(
            context, "\"%.64s\" is not the path of a file or folder; such a path begins with /", file->path);
        copied = false;
    }
    if (copied)
        return file;
    free_file_job(context, &file->job);
    return NULL;
}

/* Starts the job in the order that is named. Consumes the job. */
static JSValue start(JSContext *context, struct file_job *file, const struct job_type *type, JSValueConst order) {
    const char *name = JS_IsUndefined(order) ? NULL : JS_ToCString(context, order);
    JSValue promise = JS_EXCEPTION;
    if (name || JS_IsUndefined(order))
        promise = job_start(context, &file->job, type, name ? name : "");
    else
        free_file_job(context, &file->job);
    JS_FreeCString(context, name);
    return promise;
}

static bool read_limit(JSContext *context, JSValueConst value, size_t *limit) {
    double number;
    if (JS_ToFloat64(context, &number, value) < 0)
        return false;
    *limit = number >= 0 && number <= LARGEST_LIMIT ? (size_t)number : 0;
    if (number >= 0 && number <= LARGEST_LIMIT)
        return true;
    JS_ThrowRangeError(context, "a limit is a number from 0 to %d", LARGEST_LIMIT);
    return false;
}

/* readText(path, limit, within?, order?) and listFolder(path, limit, within?, order?) */
static JSValue read_or_list(JSContext *context, JSValueConst *argv, const struct job_type *type) {
    size_t limit;
    struct file_job *file = read_limit(context, argv[1], &limit) ? new_file_job(context, argv[0], argv[2]) : NULL;
    if (!file)
        return JS_EXCEPTION;
    file->limit = limit;
    return start(context, file, type, argv[3]);
}

SCRIPT_FUNCTION(files_read_text) {
    static const struct job_type type = {.run = read_text, .result = text_result, .free = free_file_job};
    return read_or_list(context, argv, &type);
}

/* Makes a job of several files. Returns its first one, or NULL with an exception. */
static struct file_job *new_file_jobs(JSContext *context, JSValueConst paths, size_t limit, JSValueConst within) {
    struct file_job *first = NULL, **end = &first;
    int64_t count;
    if (JS_GetLength(context, paths, &count) < 0)
        return NULL;
    if (count < 1 || count > MOST_TEXTS) {
        JS_ThrowRangeError(context, "readTexts expects 1 to %d paths", MOST_TEXTS);
        return NULL;
    }
    for (uint32_t index = 0; index < count; index++, end = &(*end)->next) {
        JSValue path = JS_GetPropertyUint32(context, paths, index);
        *end = JS_IsException(path) ? NULL : new_file_job(context, path, within);
        JS_FreeValue(context, path);
        if (!*end) {
            if (first)
                free_file_job(context, &first->job);
            return NULL;
        }
        (*end)->limit = limit;
    }
    return first;
}

/* readTexts(paths, limit, within?, order?) */
SCRIPT_FUNCTION(files_read_texts) {
    static const struct job_type type = {.run = read_texts, .result = texts_result, .free = free_file_job};
    size_t limit;
    struct file_job *files =
        read_limit(context, argv[1], &limit) ? new_file_jobs(context, argv[0], limit, argv[2]) : NULL;
    return files ? start(context, files, &type, argv[3]) : JS_EXCEPTION;
}

SCRIPT_FUNCTION(files_list_folder) {
    static const struct job_type type = {.run = list_folder, .result = names_result, .free = free_file_job};
    return read_or_list(context, argv, &type);
}

/* writeText(path, text, within?, order?) */
SCRIPT_FUNCTION(files_write_text) {
    static const struct job_type type = {
        .must_run = true, .run = write_text, .result = no_result, .free = free_file_job};
    struct file_job *file = new_file_job(context, argv[0], argv[2]);
    if (!file)
        return JS_EXCEPTION;
    file->text = copy_text(context, argv[1], "a text for the kernel");
    if (!file->text) {
        free_file_job(context, &file->job);
        return JS_EXCEPTION;
    }
    file->length = strlen(file->text);
    return start(context, file, &type, argv[3]);
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("readText", 4, files_read_text),
    JS_CFUNC_DEF("readTexts", 4, files_read_texts),
    JS_CFUNC_DEF("listFolder", 4, files_list_folder),
    JS_CFUNC_DEF("writeText", 4, files_write_text),
};

const struct native_module mod_files = {.name = "nound:files", NATIVE_EXPORTS(exports)};
