/** What is said of GPIO lines and devices that are not there. Those that are there are the board tests' subject. */
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { callHardware } from "../harness/hardware-calls.ts";

const settings = {
  consumer: "nound:relay",
  direction: "output",
  value: 0,
  keepValue: false,
  activeLow: false,
  bias: "as-is",
  drive: "push-pull",
  edges: "none",
  debounce: 0,
};

const hasCharacterDevice = existsSync("/dev/gpiochip0");
const hasSysfsInterface = existsSync("/sys/class/gpio");

test("the message lists the built-in backends, the character device first", async () => {
  expect(await callHardware(["gpio", "backends"])).toEqual([{ returned: ["gpiod", "sysfs"] }]);
});

test.skipIf(hasCharacterDevice)("a system without GPIO chips lists none", async () => {
  expect(await callHardware(["gpio", "listChips"])).toEqual([{ returned: [] }]);
});

test.skipIf(hasCharacterDevice)("a backend that was chosen says what it misses: the character device", async () => {
  expect(await callHardware(["gpio", "openLine", "gpiod", { chip: "gpiochip0", offset: 4 }, settings])).toEqual([
    { thrown: 'there is no GPIO chip "/dev/gpiochip0"; `nound --find` lists the chips' },
  ]);
});

test.skipIf(hasSysfsInterface)("a backend that was chosen says what it misses: the sysfs interface", async () => {
  const address = { chip: "gpiochip0", offset: 4, number: 4 };
  expect(await callHardware(["gpio", "openLine", "sysfs", address, settings])).toEqual([
    { thrown: "this kernel has no sysfs interface of GPIO: there is no /sys/class/gpio" },
  ]);
});

test("a backend that is not built in is refused with those that are", async () => {
  expect(await callHardware(["gpio", "openLine", "wiringpi", { name: "RELAY" }, settings])).toEqual([
    { thrown: 'the GPIO backend "wiringpi" is not built into this program; available: gpiod, sysfs' },
  ]);
});

test.each([
  [{ bias: "pull-up" }, "a bias"],
  [{ drive: "open-drain" }, "an open drain or source"],
  [{ direction: "input", debounce: 5000 }, "a debounce period"],
  [{ edges: "both" }, "edges of an output"],
])("the sysfs interface refuses what it does not have: %j", async (setting, missing) => {
  const address = { chip: "gpiochip0", offset: 4, number: 4 };
  expect(await callHardware(["gpio", "openLine", "sysfs", address, { ...settings, ...setting }])).toEqual([
    { thrown: `the kernel's sysfs interface of GPIO does not have ${missing}; a kernel from 5.10 on has it` },
  ]);
});

describe("a script's mistake is an error, and no request of a line:", () => {
  test.each([
    ["an offset that is no integer", [{ chip: "gpiochip0", offset: 1.5 }, settings], "offset to be an integer"],
    ["an offset below 0", [{ chip: "gpiochip0", offset: -1 }, settings], "offset to be an integer"],
    ["a name with a NUL", [{ name: "RELAY\0" }, settings], "name must not contain a NUL"],
    ["an unknown direction", [{ name: "RELAY" }, { ...settings, direction: "up" }], '"up" is not a word for direction'],
    ["no consumer", [{ name: "RELAY" }, { ...settings, consumer: undefined }], "and a consumer"],
    ["a debounce period below 0", [{ name: "RELAY" }, { ...settings, debounce: -1 }], "debounce to be an integer"],
  ])("%s", async (_, args, part) => {
    expect(await callHardware(["gpio", "openLine", "sysfs", ...args])).toEqual([
      { thrown: expect.stringContaining(part) },
    ]);
  });
});

test.each([
  ["leds", "LED", "/sys/class/leds"],
  ["pwm", "PWM chip", "/sys/class/pwm"],
])("a device of %s that is not there is refused with where it was looked for", async (deviceClass, kind, path) => {
  const [result] = await callHardware(["sysfs", "openDevice", deviceClass, "no-such-device"]);
  expect(result).toEqual({ thrown: expect.stringContaining(`there is no ${kind} "no-such-device"`) });
  expect(result).toEqual({ thrown: expect.stringContaining(path) });
});

test.each(["..", ".", "", "../../block/sda", "/etc", "a/b", "a b", "a\nb"])(
  "a device name that leads elsewhere is refused: %j",
  async (name) => {
    expect(await callHardware(["sysfs", "openDevice", "leds", name])).toEqual([
      { thrown: expect.stringContaining("is not the name of a device in /sys/class/leds") },
    ]);
  },
);

describe("devices on buses", () => {
  test.skipIf(existsSync("/dev/i2c-255"))("a missing bus is reported, with a list of the buses", async () => {
    const [result] = await callHardware(["bus", "openI2c", 255, 0x48]);
    expect(result).toEqual({
      thrown: expect.stringMatching(
        /^cannot open \/dev\/i2c-255: there is no such bus; the kernel's module i2c-dev may not be loaded; (this device has none|available: \/dev\/i2c-.*)$/,
      ),
    });
  });

  test("an address and a bus that there cannot be are refused", async () => {
    const address = { thrown: "an I2C device has an address from 0x03 to 0x77" };
    expect(
      await callHardware(["bus", "openI2c", 0, 0x78], ["bus", "openI2c", 0, 2], ["bus", "openI2c", -1, 0x48]),
    ).toEqual([address, address, { thrown: "an I2C bus has a number from 0 to 255" }]);
  });

  test("a file that is no SPI device, and one that is not there, are refused with a sentence", async () => {
    const open = (path: string, mode = 0) => ["bus", "openSpi", path, mode, 1_000_000, 8, false];
    expect(await callHardware(open("/dev/null"), open("/dev/spidev99.0"), open("/dev/null", 4))).toEqual([
      { thrown: "cannot open /dev/null: it is not a device of spidev" },
      {
        thrown: expect.stringMatching(
          /^cannot open \/dev\/spidev99.0: there is no such bus; the kernel's module spidev may not be loaded; (this device has none|available: .*)$/,
        ),
      },
      { thrown: "a mode of SPI is 0, 1, 2 or 3" },
    ]);
    expect(await callHardware(["bus", "openSpi", "/dev/\0null", 0, 1, 8, false])).toEqual([
      { thrown: "the path of a device must not contain a NUL" },
    ]);
  });
});
