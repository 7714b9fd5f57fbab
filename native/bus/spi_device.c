/* SPI by the kernel's spidev (Documentation/spi/spidev.rst). */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <linux/spi/spidev.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "bus/bus_device.h"

static bool exchange(struct bus_transfer *transfer, struct sentence *reason) {
    const struct bus_device *device = transfer->device;
    struct spi_ioc_transfer message = {
        .tx_buf = (uintptr_t)transfer->sent,
        .rx_buf = (uintptr_t)transfer->received,
        .len = (uint32_t)transfer->sent_length,
        .speed_hz = device->spi.speed,
        .bits_per_word = device->spi.bits_per_word,
    };
    int done;
    do
        done = ioctl(device->fd, SPI_IOC_MESSAGE(1), &message);
    while (done < 0 && errno == EINTR);
    if (done >= 0)
        return true;
    if (errno == EMSGSIZE)
        sentence_say(reason,
                     "%s: the kernel takes fewer than %zu bytes at once; its parameter spidev.bufsiz says how many",
                     device->path,
                     transfer->sent_length);
    else
        sentence_say(reason, "%s: the transfer failed: %s", device->path, strerror(errno));
    return false;
}

/* Returns the setting that the device does not have, or NULL. */
static const char *apply(int fd, const struct spi_settings *settings) {
    uint8_t mode = settings->mode | (settings->lsb_first ? SPI_LSB_FIRST : 0);
    if (ioctl(fd, SPI_IOC_WR_MODE, &mode) < 0)
        return settings->lsb_first ? "mode, or cannot send the lowest bit first" : "mode";
    if (ioctl(fd, SPI_IOC_WR_BITS_PER_WORD, &settings->bits_per_word) < 0)
        return "number of bits per word";
    return ioctl(fd, SPI_IOC_WR_MAX_SPEED_HZ, &settings->speed) < 0 ? "speed" : NULL;
}

bool spi_open(const char *path, const struct spi_settings *settings, struct bus_device *device,
              struct sentence *reason) {
    const char *name = strrchr(path, '/');
    device->exchange = exchange;
    device->sends_what_it_receives = true;
    device->spi.speed = settings->speed;
    device->spi.bits_per_word = settings->bits_per_word;
    snprintf(device->path, sizeof device->path, "%s", path);
    snprintf(device->order, sizeof device->order, "%s", name ? name + 1 : path);
    device->fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (device->fd < 0) {
        bus_refuse(reason, path, "spidev", "spidev", errno);
        return false;
    }
    uint8_t mode;
    if (ioctl(device->fd, SPI_IOC_RD_MODE, &mode) < 0) {
        bus_refuse(reason, path, "spidev", "spidev", ENOTTY);
    } else {
        const char *missing = apply(device->fd, settings);
        if (!missing)
            return true;
        sentence_say(reason, "cannot open %.64s: it does not have this %s", path, missing);
    }
    close(device->fd);
    return false;
}
