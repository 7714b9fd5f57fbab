/** `--find` on a device of this test's own. test/board/find.test.ts looks at real kernels. */
import { beforeEach, expect, test } from "vitest";
import type { ListedChip } from "../../../ts/native/gpio.ts";
import { eventually } from "../../harness/eventually.ts";
import { TestPlatform } from "../daemon/test-platform.ts";

let program: TestPlatform;

/** Gives the device the texts of files. */
function put(files: { readonly [path: string]: string }): void {
  for (const [path, text] of Object.entries(files)) program.hardware.files.texts.set(path, `${text}\n`);
}

/** Gives the device GPIO chips. */
function putChips(...chips: readonly ListedChip[]): void {
  Object.defineProperty(Object.getPrototypeOf(program.hardware.gpio), "listChips", {
    configurable: true,
    writable: true,
    value: () => chips,
  });
}

async function find(): Promise<Readonly<Record<string, object>>> {
  await program.run("--find");
  expect(await program.status()).toBe(0);
  const { nouns } = JSON.parse(program.output);
  return nouns;
}

/** Begins on a device that has a /sys, with nothing in it. */
function begin(): void {
  program = new TestPlatform();
  put({ "/sys/kernel/notes": "" });
}

beforeEach(() => {
  begin();
  putChips();
});

test("a device with nothing has the noun system, and its table says what the kernel lacks", async () => {
  expect(await find()).toEqual({ system: { kind: "sensor", device: "system", title: "This machine" } });
  expect(program.error).toMatch(/This kernel does not have:\n {2}GPIO lines: .*\n {2}I2C buses: /);
});

test("sensors that can be read are in the configuration with the device's own names", async () => {
  put({
    "/sys/class/hwmon/hwmon0/name": "lm75",
    "/sys/class/hwmon/hwmon0/temp1_input": "23500",
    "/sys/class/hwmon/hwmon1/name": "nct6775",
    "/sys/class/hwmon/hwmon1/fan2_input": "1200",
    "/sys/class/hwmon/hwmon1/fan2_label": "Case",
    "/sys/class/hwmon/hwmon2/name": "cpu_thermal",
    "/sys/class/hwmon/hwmon2/temp1_input": "48000",
    "/sys/class/thermal/thermal_zone0/type": "cpu-thermal",
    "/sys/class/thermal/thermal_zone0/temp": "48000",
    "/sys/bus/iio/devices/iio:device0/name": "mcp3008",
    "/sys/bus/iio/devices/iio:device0/in_voltage0_raw": "512",
    "/sys/bus/iio/devices/iio:device0/in_voltage_scale": "3.2",
    "/sys/bus/w1/devices/28-0316a2796ee1/w1_slave": "72 01 : crc=57 YES\n72 01 t=21437",
    "/sys/class/power_supply/BAT0/type": "Battery",
    "/sys/class/power_supply/BAT0/capacity": "80",
    "/sys/class/power_supply/BAT0/voltage_now": "3900000",
    "/sys/class/power_supply/BAT0/status": "Full",
    "/sys/class/power_supply/AC/type": "Mains",
    "/sys/class/power_supply/AC/online": "1",
  });
  expect(await find()).toEqual({
    system: { kind: "sensor", device: "system", title: "This machine" },
    "cpu-thermal": { kind: "sensor", device: "cpu-thermal", title: "cpu-thermal" },
    lm75: { kind: "sensor", device: "lm75", channel: "temp1", title: "lm75" },
    nct6775: { kind: "sensor", device: "nct6775", channel: "fan2", title: "nct6775" },
    mcp3008: { kind: "sensor", device: "mcp3008", channel: "voltage0", title: "mcp3008" },
    "28-0316a2796ee1": { kind: "sensor", device: "28-0316a2796ee1", title: "28-0316a2796ee1" },
    "battery-bat0": { kind: "sensor", device: "BAT0", title: "Battery BAT0" },
    "mains-ac": { kind: "sensor", device: "AC", title: "Mains AC" },
  });
});

test("of two chips with one name, each is named by its device", async () => {
  for (const [number, address] of [
    [0, "3-0049"],
    [1, "3-004a"],
  ] as const) {
    put({
      [`/sys/class/hwmon/hwmon${number}/name`]: "tmp105",
      [`/sys/class/hwmon/hwmon${number}/temp1_input`]: "23500",
      [`/sys/bus/i2c/devices/${address}/hwmon/hwmon${number}/name`]: "tmp105",
      [`/sys/bus/i2c/devices/${address}/hwmon/hwmon${number}/temp1_input`]: "23500",
    });
  }
  expect(await find()).toMatchObject({
    tmp105: { device: "/sys/bus/i2c/devices/3-0049" },
    "tmp105-2": { device: "/sys/bus/i2c/devices/3-004a" },
  });
});

test("a sensor without a value is left out, and the table says why", async () => {
  put({ "/sys/class/thermal/thermal_zone0/type": "gpu", "/sys/class/thermal/thermal_zone0/temp": "broken" });
  expect(Object.keys(await find())).toEqual(["system"]);
  expect(program.error).toContain(
    "not in the configuration:\n  gpu: /sys/class/thermal/thermal_zone0/temp holds no number",
  );
});

test("a LED with a free trigger is in the configuration, one that is used or out of reach is not", async () => {
  put({
    "/sys/class/leds/green/trigger": "[none] heartbeat",
    "/sys/class/leds/mmc0::/trigger": "none [mmc0]",
    "/sys/class/leds/red/brightness": "0",
  });
  program.accesses.set("/sys/class/leds/red/brightness", {
    isReadable: true,
    isWritable: false,
    isPublic: false,
    group: "",
  });
  expect(Object.keys(await find())).toEqual(["system", "green"]);
  expect(program.error).toContain('the LED mmc0::: its trigger "mmc0" uses it');
  expect(program.error).toContain("the LED red: sudo chown $USER /sys/class/leds/red/brightness");
});

test("keys of an input device are in the configuration, those of a keyboard are not", async () => {
  const power = "10000000000000 0"; // bit 116
  put({
    "/sys/class/input/event0/device/name": "gpio-keys",
    "/sys/class/input/event0/device/capabilities/key": power,
    "/sys/class/input/event1/device/name": "Keyboard",
    "/sys/class/input/event1/device/capabilities/key": "ffffffffffffffff",
    "/sys/class/input/event2/device/name": "secret",
    "/sys/class/input/event2/device/capabilities/rel": "100",
  });
  for (const number of [0, 1]) {
    program.accesses.set(`/dev/input/event${number}`, {
      isReadable: true,
      isWritable: true,
      isPublic: false,
      group: "input",
    });
  }
  program.accesses.set("/dev/input/event2", { isReadable: false, isWritable: false, isPublic: false, group: "input" });
  put({ "/dev/input/event0": "" });
  expect(await find()).toMatchObject({
    "gpio-keys-power": { kind: "input", device: "gpio-keys", channel: "KEY_POWER", title: "gpio-keys power" },
  });
  expect(program.error).toContain('"Keyboard": it has 63 keys; `nound --find button` names the one you press');
  expect(program.error).toContain('the input device "secret": sudo usermod -aG input $USER, then log in again');
});

test("the table has every GPIO line with its use and what a noun writes for it", async () => {
  const free = { name: "", isUsed: false, consumer: "", isOutput: false };
  putChips(
    {
      name: "gpiochip0",
      label: "pl061",
      refusal: "",
      lines: [
        { ...free, name: "RELAY", isOutput: true },
        { ...free, name: "PUMP", isUsed: true, consumer: "nound:pump", isOutput: true },
        { ...free, name: "TWIN" },
        free,
        free,
      ],
    },
    { name: "gpiochip1", label: "expander", refusal: "", lines: [{ ...free, name: "TWIN" }] },
    { name: "gpiochip2", label: "", refusal: "Permission denied", lines: [] },
  );
  await find();
  const table = program.error.slice(program.error.indexOf("GPIO lines"), program.error.indexOf("Missing permissions"));
  expect(table.split("\n").map((line) => line.trim().replace(/ +/g, " "))).toEqual([
    "GPIO lines, for gpio-input and gpio-output (--find claims no output):",
    "gpiochip0 (pl061), 5 lines",
    '0 RELAY output, free "line": "RELAY"',
    '1 PUMP output, used by "nound:pump"',
    '2 TWIN input, free "chip": "pl061", "offset": 2',
    '3-4 - input, free "chip": "pl061", "offset": 3 to 4',
    "gpiochip1 (expander), 1 lines",
    '0 TWIN input, free "chip": "expander", "offset": 0',
    "gpiochip2: not read: Permission denied",
    "",
    "",
  ]);
  expect(program.error).toContain("the GPIO chip gpiochip2: sudo chown $USER /dev/gpiochip2");
});

test("a Raspberry Pi is told the lines of its config.txt, OpenWrt its packages", async () => {
  program.files.set("/proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0");
  await find();
  expect(program.error).toMatch(
    /^Raspberry Pi 4 Model B Rev 1\.4, Linux 6\.1\.0-50-armmp, nound 1\.2\.3\+a52e1cc: 1 noun/,
  );
  expect(program.error).toContain("a one-wire bus: put dtoverlay=w1-gpio,gpiopin=4 into config.txt and reboot");
  begin();
  program.accesses.set("/etc/openwrt_release", { isReadable: true, isWritable: true, isPublic: false, group: "" });
  await find();
  expect(program.error).toContain("opkg install kmod-w1-gpio-custom kmod-w1-slave-therm");
  expect(program.error).toContain('"kind": "input", "from": "hotplug"');
});

test("--find button names the line that changes first, and asks for no output", async () => {
  putChips({
    name: "gpiochip0",
    label: "pl061",
    refusal: "",
    lines: [
      { name: "RELAY", isUsed: false, consumer: "", isOutput: true },
      { name: "NOISE", isUsed: false, consumer: "", isOutput: false },
      { name: "BUTTON", isUsed: false, consumer: "", isOutput: false },
    ],
  });
  const pin = (offset: number) => program.hardware.gpio.pin({ chip: "gpiochip0", offset });
  await program.run("--find", "button");
  await eventually("the lines are watched", () => pin(1).settings !== undefined && pin(2).settings !== undefined);
  expect(pin(0).settings).toBeUndefined();
  expect(pin(2).settings).toMatchObject({ direction: "input", bias: "as-is" });
  pin(1).drive(1);
  await eventually("it watches", () => {
    program.clock.advance(200);
    return program.error.includes("press the button");
  });
  pin(1).drive(0);
  pin(2).drive(1);
  expect(await program.status()).toBe(0);
  expect(program.error).toContain('gpiochip0 line 2 "BUTTON" changed to 1');
  expect(JSON.parse(program.output)).toEqual({
    button: { kind: "gpio-input", line: "BUTTON", edges: "both", debounce: 5, key: "pressed" },
  });
});

test("--find button names a button of OpenWrt's own driver", async () => {
  program.accesses.set("/etc/openwrt_release", { isReadable: true, isWritable: true, isPublic: false, group: "" });
  const send = (action: string) =>
    program.hardware.input.sendUevent(`ACTION=${action}`, "SUBSYSTEM=button", "BUTTON=wps", "SEEN=4");
  await program.run("--find", "button");
  await eventually("it watches", () => {
    program.clock.advance(200);
    return program.error.includes("watching 0 lines and 0 input devices and the buttons of OpenWrt: press the button");
  });
  send("released");
  program.hardware.input.sendUevent("ACTION=add", "SUBSYSTEM=usb", "BUTTON=other");
  send("pressed");
  expect(await program.status()).toBe(0);
  expect(program.error).toContain('the button "wps" of OpenWrt\'s driver');
  expect(JSON.parse(program.output)).toEqual({ button: { kind: "input", from: "hotplug", channel: "wps" } });
});

test("--find button says why lines of sysfs are not watched, and that there is nothing to watch", async () => {
  put({ "/sys/class/gpio/gpiochip480/label": "gpio" });
  await program.run("--find", "button");
  expect(await program.status()).toBe(69);
  expect(program.error).toContain(
    "the lines of /sys/class/gpio are not watched: nound would have to export each of them",
  );
  expect(program.error).toContain("there is no free input line and no input device to watch");
});

test("a chip of sysfs is named by its only label, and a device without a driver is told", async () => {
  put({
    "/sys/class/gpio/gpiochip504/label": "pcf8574",
    "/sys/class/gpio/gpiochip504/ngpio": "8",
    "/sys/class/gpio/gpiochip512/label": "twin",
    "/sys/class/gpio/gpiochip512/ngpio": "2",
    "/sys/class/gpio/gpiochip514/label": "twin",
    "/sys/class/gpio/gpiochip514/ngpio": "2",
    "/sys/bus/i2c/devices/i2c-1/name": "bus",
    "/sys/bus/i2c/devices/1-0076/name": "bme280",
    "/sys/bus/i2c/devices/1-0027/name": "pcf8574",
    "/sys/bus/i2c/devices/1-0027/driver/bind": "",
  });
  await find();
  expect(program.error).toContain('"chip": "pcf8574", "offset": 0 to 7');
  expect(program.error).toContain('"chip": "gpiochip514", "offset": 0 to 1');
  expect(program.error).toContain("0x76 bme280 (no driver: its module is not loaded, or no such chip answers there)");
  expect(program.error).toContain("0x27 pcf8574 (held by its driver)");
});
