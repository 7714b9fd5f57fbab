// SPDX-License-Identifier: GPL-2.0
/*
 * A master of a one-wire bus with one thermometer on it, a DS18B20, for the emulated board, which has none. The
 * kernel's own drivers, wire and w1_therm, speak to it as to a real one.
 *
 *     /sys/module/w1_thermometer/parameters/thousandths   what it measures, in thousandths of a degree Celsius
 *     /sys/module/w1_thermometer/parameters/present       whether it is on the bus
 *     /sys/module/w1_thermometer/parameters/weak          whether each conversion resets it, as a weak supply does
 */
#include <linux/module.h>
#include <linux/w1.h>

static int thousandths = 20000;
module_param(thousandths, int, 0644);
static bool present = true;
module_param(present, bool, 0644);
static bool weak;
module_param(weak, bool, 0644);

/* Family 0x28, serial number 0316a2796ee1, and the checksum that the kernel computes. */
static u8 rom[8] = {0x28, 0xe1, 0x6e, 0x79, 0xa2, 0x16, 0x03};

static u8 scratchpad[9] = {0, 0, 0x4b, 0x46, 0x7f, 0xff, 0, 0x10};
static int skipped;    /* bytes that are to come and mean nothing: the rest of an address, or of settings */
static bool addressed; /* the next byte is a function, not the choice of a device */
static int given;      /* bytes of the scratchpad that were read, or -1 */

static u8 reset_bus(void *data) {
    skipped = 0;
    addressed = false;
    given = -1;
    return present ? 0 : 1;
}

/* After a reset, the temperature is 85 degrees, and byte 6 is 0x0c, which it never is beside 85 degrees measured. */
static void measure(void) {
    int sixteenths = weak ? 85 * 16 : DIV_ROUND_CLOSEST(thousandths * 16, 1000);

    scratchpad[6] = weak ? 0x0c : 0x10 - (sixteenths & 0x0f);
    scratchpad[0] = sixteenths & 0xff;
    scratchpad[1] = (sixteenths >> 8) & 0xff;
    scratchpad[8] = w1_calc_crc8(scratchpad, 8);
}

static void write_byte(void *data, u8 byte) {
    if (skipped > 0) {
        skipped--;
    } else if (!addressed) {
        addressed = true;
        skipped = byte == 0x55 ? 8 : 0; /* match ROM */
    } else if (byte == 0x44) {
        measure(); /* convert */
    } else if (byte == 0xbe) {
        given = 0; /* read scratchpad */
    } else if (byte == 0x4e) {
        skipped = 3; /* write scratchpad */
    }
}

static u8 read_byte(void *data) {
    return present && given >= 0 && given < 9 ? scratchpad[given++] : 0xff;
}

/* A 1 that is read says that the device has power of its own, and that a conversion is done. */
static u8 touch_bit(void *data, u8 bit) {
    return 1;
}

static void search(void *data, struct w1_master *master, u8 type, w1_slave_found_callback found) {
    if (present)
        found(master, le64_to_cpu(*(__le64 *)rom));
}

static struct w1_bus_master bus = {
    .reset_bus = reset_bus,
    .touch_bit = touch_bit,
    .read_byte = read_byte,
    .write_byte = write_byte,
    .search = search,
};

static int __init begin(void) {
    rom[7] = w1_calc_crc8(rom, 7);
    measure();
    return w1_add_master_device(&bus);
}

static void __exit end(void) {
    w1_remove_master_device(&bus);
}

module_init(begin);
module_exit(end);
MODULE_DESCRIPTION("A one-wire bus with one thermometer, for tests");
MODULE_LICENSE("GPL");
