/** What this kernel lacks, and what brings it on the boards of docs/dev/boards.md, for the table of `--find`. */
import { system } from "../../platform/platform.ts";
import { namesIn } from "./device-folders.ts";

/** The systems that have their own way to bring a driver. */
type Board = "beaglebone" | "openwrt" | "other" | "raspberry-pi";

function boardOf(model: string): Board {
  if (model.startsWith("Raspberry Pi")) return "raspberry-pi";
  if (/BeagleBone|PocketBeagle/.test(model)) return "beaglebone";
  return system.accessOf("/etc/openwrt_release") === undefined ? "other" : "openwrt";
}

/** Something a kernel may lack. */
interface Part {
  readonly what: string;
  isThere(): Promise<boolean>;
  readonly remedy: { readonly [board in Board]?: string } & { readonly other: string };
}

const has = async (folder: string, name: RegExp) => (await namesIn(folder)).some((one) => name.test(one));

const config = (line: string) => `put ${line} into config.txt and reboot`;
const overlay = (name: string) => `name the overlay ${name} in /boot/uEnv.txt and reboot`;
const install = (names: string) => `opkg install ${names} (or apk add ${names})`;

const parts: readonly Part[] = [
  {
    what: "GPIO lines",
    isThere: async () => (await has("/dev", /^gpiochip/)) || (await has("/sys/class/gpio", /^gpiochip/)),
    remedy: {
      other: "the kernel has no driver for a chip here, as on most PCs; `nound --simulate` simulates lines",
    },
  },
  {
    what: "I2C buses",
    isThere: () => has("/sys/bus/i2c/devices", /^i2c-/),
    remedy: {
      "raspberry-pi": config("dtparam=i2c_arm=on"),
      openwrt: install("kmod-i2c-gpio"),
      other: "the device tree declares none, or the module of the bus is not loaded",
    },
  },
  {
    what: "I2C devices for applications (/dev/i2c-*)",
    isThere: async () => !(await has("/sys/bus/i2c/devices", /^i2c-/)) || (await has("/dev", /^i2c-/)),
    remedy: { openwrt: install("kmod-i2c-core"), other: "modprobe i2c-dev" },
  },
  {
    what: "SPI devices for applications (/dev/spidev*)",
    isThere: () => has("/dev", /^spidev/),
    remedy: {
      "raspberry-pi": config("dtparam=spi=on"),
      beaglebone: overlay("BB-SPIDEV0-00A0.dtbo"),
      openwrt: install("kmod-spi-dev"),
      other: "modprobe spidev, and declare it in the device tree",
    },
  },
  {
    what: "a one-wire bus",
    isThere: () => has("/sys/bus/w1/devices", /^w1_bus_master/),
    remedy: {
      "raspberry-pi": config("dtoverlay=w1-gpio,gpiopin=4"),
      beaglebone: overlay("BB-W1-P9.12-00A2.dtbo"),
      openwrt: install("kmod-w1-gpio-custom kmod-w1-slave-therm"),
      other: "modprobe w1-gpio and w1-therm, and declare the line in the device tree",
    },
  },
  {
    what: "PWM channels",
    isThere: () => has("/sys/class/pwm", /^pwmchip/),
    remedy: {
      "raspberry-pi": config("dtoverlay=pwm-2chan"),
      beaglebone: overlay("BB-PWM1-00A0.dtbo"),
      other: "the device tree declares none, or the module of the chip is not loaded",
    },
  },
  {
    what: "files of input devices (/dev/input/event*)",
    isThere: async () => !(await has("/sys/class/input", /^input/)) || (await has("/dev/input", /^event/)),
    remedy: { openwrt: install("kmod-input-evdev"), other: "modprobe evdev" },
  },
  {
    what: "LEDs",
    isThere: () => has("/sys/class/leds", /./),
    remedy: { openwrt: install("kmod-leds-gpio"), other: "the device tree declares none, or leds-gpio is not loaded" },
  },
];

/** @param model of the device. @returns a line for each part that this kernel lacks. */
export async function* missingParts(model: string): AsyncGenerator<string> {
  const board = boardOf(model);
  for (const { what, isThere, remedy } of parts) {
    if (!(await isThere())) yield `${what}: ${remedy[board] ?? remedy.other}`;
  }
  if (board === "openwrt" && !(await has("/dev/input", /^event/))) {
    yield 'buttons of OpenWrt\'s own driver: "kind": "input", "from": "hotplug", "channel": "wps" or "reset"';
  }
}
