/** What is said of GPIO lines and devices that are not there. Those that are there are the board tests' subject. */
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { callHardware } from "./harness/hardware-calls.ts";

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

test("the backends that are built in are told, the character device first", async () => {
  expect(await callHardware(["gpio", "backends"])).toEqual([{ returned: ["gpiod", "sysfs"] }]);
});

test.skipIf(hasCharacterDevice || hasSysfsInterface)("a system without GPIO is told so", async () => {
  expect(await callHardware(["gpio", "openLine", "auto", { chip: "gpiochip0", offset: 4 }, settings])).toEqual([
    { thrown: "this system has no GPIO: there is neither /dev/gpiochip0 nor /sys/class/gpio" },
  ]);
});

test.skipIf(hasCharacterDevice)("a backend that was chosen says what it misses: the character device", async () => {
  expect(await callHardware(["gpio", "openLine", "gpiod", { name: "RELAY" }, settings])).toEqual([
    { thrown: "this system has no GPIO character device: there is no /dev/gpiochip0 or the like" },
  ]);
});

test.skipIf(hasSysfsInterface)("a backend that was chosen says what it misses: the sysfs interface", async () => {
  expect(await callHardware(["gpio", "openLine", "sysfs", { chip: "gpiochip0", offset: 4 }, settings])).toEqual([
    { thrown: "this kernel has no sysfs interface of GPIO: there is no /sys/class/gpio" },
  ]);
});

test("a backend that is not built in is refused with those that are", async () => {
  expect(await callHardware(["gpio", "openLine", "wiringpi", { name: "RELAY" }, settings])).toEqual([
    { thrown: 'the GPIO backend "wiringpi" is not built into this program; there are: gpiod, sysfs' },
  ]);
});

test.each([
  [{ bias: "pull-up" }, "a bias"],
  [{ drive: "open-drain" }, "an open drain or source"],
  [{ direction: "input", debounce: 5000 }, "a debounce period"],
  [{ edges: "both" }, "edges of an output"],
])("the sysfs interface refuses what it does not have: %j", async (setting, missing) => {
  const address = { chip: "gpiochip0", offset: 4 };
  expect(await callHardware(["gpio", "openLine", "sysfs", address, { ...settings, ...setting }])).toEqual([
    { thrown: `the kernel's sysfs interface of GPIO does not have ${missing}; take the backend "gpiod"` },
  ]);
});

describe("a script's mistake is an error, and no request of a line:", () => {
  test.each([
    ["an offset that is no integer", [{ chip: "gpiochip0", offset: 1.5 }, settings], "offset to be an integer"],
    ["an offset below 0", [{ chip: "gpiochip0", offset: -1 }, settings], "offset to be an integer"],
    ["a name with a NUL", [{ name: "RELAY\0" }, settings], "name must not contain a NUL"],
    ["an unknown direction", [{ name: "RELAY" }, { ...settings, direction: "up" }], "does not know this direction"],
    ["no consumer", [{ name: "RELAY" }, { ...settings, consumer: undefined }], "and a consumer"],
    ["a debounce period below 0", [{ name: "RELAY" }, { ...settings, debounce: -1 }], "debounce to be an integer"],
  ])("%s", async (_, args, part) => {
    expect(await callHardware(["gpio", "openLine", "auto", ...args])).toEqual([
      { thrown: expect.stringContaining(part) },
    ]);
  });
});

test.each([
  ["leds", "LED", "/sys/class/leds"],
  ["pwm", "PWM chip", "/sys/class/pwm"],
  ["iio", "IIO device", "/sys/bus/iio/devices"],
])("a device of %s that is not there is refused with where it was looked for", async (deviceClass, kind, path) => {
  const [result] = await callHardware(["sysfs", "openDevice", deviceClass, "no-such-device"]);
  expect(result).toEqual({ thrown: expect.stringContaining(`there is no ${kind} "no-such-device"`) });
  expect(result).toEqual({ thrown: expect.stringContaining(path) });
});

test.each(["..", ".", "", "../../block/sda", "/etc", "a/b", "a b", "a\nb"])(
  "a device name that leads elsewhere is refused: %j",
  async (name) => {
    expect(await callHardware(["sysfs", "openDevice", "leds", name])).toEqual([
      { thrown: expect.stringContaining("is no name of a device in /sys/class/leds") },
    ]);
  },
);
