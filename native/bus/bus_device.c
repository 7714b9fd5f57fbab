/* The class BusDevice of `nound:bus` (ts/native/bus.ts). */
#define _GNU_SOURCE 1
#include "bus/bus_device.h"

#include <errno.h>
#include <grp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/owner.h"
#include "engine/handle.h"
#include "loop/job.h"

struct transfer_job {
    struct job job;
    struct bus_transfer transfer;
};

static void let_go(void *held) {
    struct bus_device *device = held;
    if (--device->holders > 0)
        return;
    close(device->fd);
    free(device);
}

void bus_refuse(struct failure *failure, const char *path, const char *prefix, const char *driver, int error) {
    struct stat status;
    const bool has_group = stat(path, &status) == 0 && status.st_gid != 0 && (status.st_mode & S_IWGRP);
    const struct group *group = has_group ? getgrgid(status.st_gid) : NULL;
    failure_note(failure, "bus", error, "%.64s" AND "%s" AND "%.32s" AND, path, driver, group ? group->gr_name : "");
    failure_add_names(failure, "/dev", prefix);
}

static void run_transfer(struct job *job) {
    struct transfer_job *transfer = owner_of(job, struct transfer_job, job);
    transfer->transfer.device->exchange(&transfer->transfer, &job->failure);
}

static JSValue received(JSContext *context, struct job *job) {
    const struct bus_transfer *transfer = &owner_of(job, struct transfer_job, job)->transfer;
    return JS_NewUint8ArrayCopy(context, transfer->received, transfer->received_length);
}

static void free_transfer(JSContext *context, struct job *job) {
    (void)context;
    struct transfer_job *transfer = owner_of(job, struct transfer_job, job);
    free(transfer->transfer.sent);
    free(transfer->transfer.received);
    let_go(transfer->transfer.device);
    free(transfer);
}

/* Makes a transfer with buffers for both directions and the bytes to send. Returns NULL with an exception. */
static struct transfer_job *new_transfer(JSContext *context, struct bus_device *device, const uint8_t *bytes,
                                         size_t sent, size_t wanted) {
    struct transfer_job *transfer = calloc(1, sizeof *transfer);
    uint8_t *copy = malloc(sent + 1), *room = malloc(wanted + 1); /* never 0 */
    if (!transfer || !copy || !room) {
        free(transfer);
        free(copy);
        free(room);
        JS_ThrowOutOfMemory(context);
        return NULL;
    }
    if (sent > 0)
        memcpy(copy, bytes, sent);
    device->holders++;
    transfer->transfer = (struct bus_transfer){
        .device = device, .sent = copy, .sent_length = sent, .received = room, .received_length = wanted};
    return transfer;
}

SCRIPT_FUNCTION(device_transfer) {
    static const struct job_type type = {
        .must_run = true, .run = run_transfer, .result = received, .free = free_transfer};
    struct bus_device *device = handle_of(context, this_value, HANDLE_BUS_DEVICE);
    size_t sent = 0;
    int64_t wanted = 0;
    if (!device)
        return JS_EXCEPTION;
    const uint8_t *bytes = JS_GetUint8Array(context, &sent, argv[0]);
    if (!bytes && sent > 0)
        return JS_EXCEPTION;
    if (!bytes && JS_GetTypedArrayType(argv[0]) != JS_TYPED_ARRAY_UINT8)
        return JS_ThrowTypeError(context, "bytes to send are a Uint8Array");
    if (device->sends_what_it_receives)
        wanted = (int64_t)sent;
    else if (JS_ToInt64(context, &wanted, argv[1]) < 0)
        return JS_EXCEPTION;
    if (wanted < 0 || wanted > BUS_LONGEST || sent > BUS_LONGEST || (wanted == 0 && sent == 0))
        return JS_ThrowRangeError(context, "a transfer moves 1 to %d bytes each way", BUS_LONGEST);
    if (device->closed)
        return JS_ThrowPlainError(context, "%s is closed", device->path);
    struct transfer_job *transfer = new_transfer(context, device, bytes, sent, (size_t)wanted);
    return transfer ? job_start(context, &transfer->job, &type, device->order) : JS_EXCEPTION;
}

static void close_device(void *closing) {
    ((struct bus_device *)closing)->closed = true;
}

JSValue bus_device_new(JSContext *context, struct bus_device *device) {
    device->holders = 1;
    JSValue object = handle_new(context, HANDLE_BUS_DEVICE, device);
    if (JS_IsException(object)) {
        let_go(device);
        return object;
    }
    /* Transfers may begin after restrict(), when no thread can be started any more. So start the threads now. */
    if (job_prepare(runtime_of(context), true))
        return object;
    int error = errno;
    JS_FreeValue(context, object);
    return JS_ThrowPlainError(context, "cannot start a thread for the transfers: %s", strerror(error));
}

static const JSCFunctionListEntry members[] = {
    HANDLE_TEXT("path", HANDLE_BUS_DEVICE),
    JS_CFUNC_DEF("transfer", 2, device_transfer),
    HANDLE_CLOSE(HANDLE_BUS_DEVICE),
};

const struct handle_type bus_device_type = {"BusDevice",
                                            HANDLE_MEMBERS(members),
                                            .text = offsetof(struct bus_device, path),
                                            .close = close_device,
                                            .free = let_go};
