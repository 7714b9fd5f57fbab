/* Devices on an I2C or SPI bus: script objects whose transfers run on the worker threads. */
#ifndef NOUND_BUS_DEVICE_H
#define NOUND_BUS_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include "engine/runtime.h"
#include "text/failure.h"

#define BUS_LONGEST 8192 /* bytes of a transfer each way; i2c-dev takes no more */

struct bus_device;

/* The bytes of a transfer: on I2C, bytes are written and then read; on SPI, as many are read as are written, at the
 * same time. */
struct bus_transfer {
    struct bus_device *device;
    uint8_t *sent, *received;
    size_t sent_length, received_length;
};

/* An open device. */
struct bus_device {
    unsigned holders; /* the script's object, and each transfer that is under way */
    int fd;
    bool closed; /* closed by the script; the descriptor is closed when nothing holds the device any more */
    /* Runs on a worker thread. Notes a failure. */
    void (*exchange)(struct bus_transfer *transfer, struct failure *failure);
    bool sends_what_it_receives; /* SPI: both ways have the same length */
    union {
        struct {
            int bus;
            uint16_t address;
        } i2c;
        struct {
            uint32_t speed; /* Hz */
            uint8_t bits_per_word;
        } spi;
    };
    char order[24]; /* of its transfers (worker.h): the bus's name */
    char path[64];  /* for people */
};

/*
 * Open a device and claim it as far as the kernel allows. Return false with a failure; otherwise the device owns the
 * descriptor.
 */
bool i2c_open(int bus, int address, struct bus_device *device, struct failure *failure);

struct spi_settings {
    uint8_t mode; /* 0 to 3 */
    uint32_t speed;
    uint8_t bits_per_word;
    bool lsb_first;
};

bool spi_open(const char *path, const struct spi_settings *settings, struct bus_device *device,
              struct failure *failure);

/* Returns the object of an open device, or an exception. In both cases it owns the device. */
JSValue bus_device_new(JSContext *context, struct bus_device *device);

/* Notes that a device file could not be opened, the group that has the permission, and the device files there are. */
void bus_refuse(struct failure *failure, const char *path, const char *prefix, const char *driver, int error);

#endif
