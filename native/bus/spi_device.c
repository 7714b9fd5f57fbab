/* SPI by the kernel's spidev (Documentation/spi/spidev.rst). */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <linux/spi/spidev.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "bus/bus_device.h"

static void exchange(struct bus_transfer *transfer, struct failure *failure) {
    const struct bus_device *device = transfer->device;
    struct spi_ioc_transfer message = {
        .tx_buf = (uintptr_t)transfer->sent,
        .rx_buf = (uintptr_t)transfer->received,
        .len = (uint32_t)transfer->sent_length,
        .speed_hz = device->spi.speed,
        .bits_per_word = device->spi.bits_per_word,
    };
    if (UNINTERRUPTED(ioctl(device->fd, SPI_IOC_MESSAGE(1), &message)) < 0)
        failure_note(failure, "spi", errno, "%s" AND "%zu", device->path, transfer->sent_length);
}

/* Returns the setting that the device does not have, or NULL. */
static const char *apply(int fd, const struct spi_settings *settings) {
    uint8_t mode = settings->mode | (settings->lsb_first ? SPI_LSB_FIRST : 0);
    if (ioctl(fd, SPI_IOC_WR_MODE, &mode) < 0)
        return settings->lsb_first ? "modeOrOrder" : "mode";
    if (ioctl(fd, SPI_IOC_WR_BITS_PER_WORD, &settings->bits_per_word) < 0)
        return "bits";
    return ioctl(fd, SPI_IOC_WR_MAX_SPEED_HZ, &settings->speed) < 0 ? "speed" : NULL;
}

bool spi_open(const char *path, const struct spi_settings *settings, struct bus_device *device,
              struct failure *failure) {
    const char *name = strrchr(path, '/');
    device->exchange = exchange;
    device->sends_what_it_receives = true;
    device->spi.speed = settings->speed;
    device->spi.bits_per_word = settings->bits_per_word;
    snprintf(device->path, sizeof device->path, "%s", path);
    snprintf(device->order, sizeof device->order, "%s", name ? name + 1 : path);
    device->fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (device->fd < 0) {
        bus_refuse(failure, path, "spidev", "spidev", errno);
        return false;
    }
    uint8_t mode;
    if (ioctl(device->fd, SPI_IOC_RD_MODE, &mode) < 0) {
        bus_refuse(failure, path, "spidev", "spidev", ENOTTY);
    } else {
        const char *missing = apply(device->fd, settings);
        if (!missing)
            return true;
        failure_note(failure, "spiSetting", errno, "%.64s" AND "%s", path, missing);
    }
    close(device->fd);
    return false;
}
